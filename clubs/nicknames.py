"""English forenames and what people are called by them; our own, and never proof of anything."""

# Each line is one forename with its short forms; a short form may stand in several.
_LINES = """
abigail abby abi gail
alan al
albert bert al albie
alexander alex alec sandy xander al
alexandra alex sandra lexi
alfred alf fred alfie
alison ali
amelia millie
andrew andy drew
angela angie
anne ann annie
anthony tony ant
antonia toni
archibald archie
arthur art
barbara barb babs
beatrice bea
benjamin ben benny
bernard bernie
bradley brad
bridget biddy bridie
caroline carrie
catherine kate cathy katie kathy kit kitty cath
charles charlie chas chuck
charlotte lottie
christine chris chrissie tina
christopher chris kit
clement clem
clifford cliff
constance connie
cuthbert bert
cynthia cindy
daniel dan danny
david dave davy
deborah deb debbie
dennis den denny
desmond des
dominic dom
donald don donny
dorothy dot dolly
douglas doug
edmund ed eddie ted ned
edward ed eddie ted teddy ned
edwin ed eddie
eleanor ellie nell nora
elizabeth liz beth betty lizzie eliza bess libby
ernest ernie
eugene gene
florence flo
frances fran
francis frank
frederick fred freddie
gabriel gabe
geoffrey geoff
georgina georgie
gerald gerry
gerard gerry
gillian gill
gordon gordy
graham gray
gregory greg
harold harry hal
harriet hattie
helen nell
henry harry hal
herbert bert herb
howard howie
hubert bert
isaac ike zac
isabella bella isobel
jacqueline jackie
james jim jimmy jamie
janet jan
jeffrey jeff
jennifer jenny jen
jeremy jerry jez
jessica jess
joanna jo
john jack johnny jon
jonathan jon jonny
joseph joe joey
josephine jo josie
joshua josh
judith judy
katherine kate kathy katie kath kat
kenneth ken kenny
laurence larry laurie
lawrence larry laurie
leonard len lenny leo
leslie les
louis lou
louise lou
lucas luke
madeleine maddy
malcolm mal
margaret maggie meg peggy marge
marjorie marge
martin marty
matthew matt
maureen mo
maximilian max
maxwell max
michael mike mick micky
millicent millie
mohammed mohammad muhammad mo
montague monty
nathaniel nat nathan
neville nev
nicholas nick nicky
nicola nicky
nigel nige
norman norm
oliver ollie
oluwaseun seun
pamela pam
patricia pat trish tricia patsy
patrick pat paddy
penelope penny
percival percy
peter pete
philip phil
philippa pip pippa
phillip phil
prudence pru prue
randolph randy
raymond ray
rebecca becky
reginald reg reggie
richard rick dick richie rich ricky
robert bob rob bobby robbie bert
roderick rod
rodney rod
roger rodge
ronald ron ronnie
rosemary rose rosie
roy
russell russ
samantha sam
samuel sam sammy
sarah sally
sebastian seb
sidney sid
simon si
solomon sol
stanley stan
stephen steve
steven steve
stuart stu
susan sue susie
suzanne sue suzy
terence terry
theodore ted theo teddy
theresa terry tess
thomas tom tommy
timothy tim
tobias toby
trevor trev
valerie val
veronica ronnie
victor vic
victoria vicky tori
vincent vince
vivian viv
walter wally walt
wilfred wilf fred
william bill will billy willy liam
winifred winnie
zachary zac zach
"""

_NONE: set[str] = set()
_NAMES: dict[str, set[str]] = {}
for _line in _LINES.split("\n"):
    for _name in _line.split():
        _NAMES.setdefault(_name, set()).add(_line.split()[0])


def called_alike(one: str, other: str) -> bool:
    """Whether both folded first names may be the same forename, one or both a short form."""
    if one == other:
        return False
    return not _NAMES.get(one, _NONE).isdisjoint(_NAMES.get(other, _NONE))
