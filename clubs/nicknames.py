"""English forenames and what people are called by them; our own, and never proof of anything."""

# Each line is one forename with its short forms; a short form may stand in several.
_LINES = """
abigail abby abi gail
albert bert al albie
alexander alex alec sandy xander al
alexandra alex sandra lexi
alfred alf fred alfie
alan al
andrew andy drew
anne ann annie
anthony tony ant
arthur art
barbara barb babs
benjamin ben benny
bernard bernie
bradley brad
bridget biddy bridie
catherine kate cathy katie kathy kit kitty cath
charles charlie chas chuck
christine chris chrissie tina
christopher chris kit
clifford cliff
constance connie
cynthia cindy
daniel dan danny
david dave davy
deborah deb debbie
dennis den denny
dominic dom
donald don donny
dorothy dot dolly
douglas doug
edward ed eddie ted teddy ned
edwin ed eddie
eleanor ellie nell nora
elizabeth liz beth betty lizzie eliza bess libby
eugene gene
francis frank
frances fran
frederick fred freddie
gabriel gabe
geoffrey geoff
gerald gerry
gerard gerry
gillian gill
gordon gordy
graham gray
gregory greg
harold harry hal
helen nell
henry harry hal
herbert bert herb
howard howie
isabella bella isobel
jacqueline jackie
james jim jimmy jamie
janet jan
jeffrey jeff
jeremy jerry jez
jennifer jenny jen
joanna jo
john jack johnny jon
jonathan jon jonny
joseph joe joey
joshua josh
judith judy
katherine kate kathy katie kath kat
kenneth ken kenny
lawrence larry laurie
leonard len lenny leo
leslie les
louis lou
louise lou
madeleine maddy
malcolm mal
margaret maggie meg peggy marge
martin marty
matthew matt
maureen mo
maximilian max
maxwell max
michael mike mick micky
nathaniel nat nathan
neville nev
nicholas nick nicky
nigel nige
norman norm
oliver ollie
oluwaseun seun
pamela pam
patricia pat trish tricia patsy
patrick pat paddy
penelope penny
peter pete
philip phil
phillip phil
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
roy
russell russ
samuel sam sammy
samantha sam
sebastian seb
sidney sid
simon si
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
trevor trev
valerie val
victor vic
victoria vicky tori
vincent vince
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
