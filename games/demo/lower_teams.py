"""The teams of the demo's second and third division, all invented; see `first_teams`.

Names of every shape that a registry has to bear stand here: both apostrophes, particles, letters
that Latin-1 does not know, bare initials, one name for two people, and a very long one.
"""

from datetime import time

from clubs.models import Weekday

from .first_teams import FIRST_TEAMS
from .people import DemoClub, DemoTeam, squad

_CLUBS = {team.club.name: team.club for team in FIRST_TEAMS}

ROOKHURST = DemoClub(
    name="Rookhurst",
    night=Weekday.TUESDAY,
    starts_at=time(19, 30),
    venue="Rookhurst Reading Room, Top Lane",
)
THORNSEA = DemoClub(
    name="Thornsea",
    night=Weekday.MONDAY,
    starts_at=time(19, 15),
    venue="Thornsea Lifeboat House (first floor), The Strand",
    access="A lift from the slipway side.",
)
PRIORS_COMBE = DemoClub(
    name="Priors Combe",
    night=Weekday.WEDNESDAY,
    starts_at=time(19, 30),
    venue="The Tithe Barn, Priors Combe",
    access="Step-free.",
)
UPPER_DENNE = DemoClub(
    name="Upper Denne",
    night=Weekday.THURSDAY,
    starts_at=time(19, 30),
    venue="Upper Denne Primary School, the small hall",
)
KINGS_HEAD = DemoClub(
    name="King's Head Circle",
    night=Weekday.TUESDAY,
    starts_at=time(20, 0),
    venue="The King's Head, Market Square, Wellow Bridge",
    access="Level through the yard.",
)

ROOKHURST_A = DemoTeam(
    name="Rookhurst A",
    club=ROOKHURST,
    players=squad("""
        Smith, John | 1802
        Đurić-Lane, Vesna | 1771
        Penrose, Gilbert Q | 1744
        Hallam-Ó Riain, Deirdre | 1716
        Stoakes, Leonard | 1702
        von der Aue, Heinrich | 1664
        Twelvetrees, Ivy | 1641 | grade
        Mbeki-Ross, Thandi | 1595
    """),
)
THORNSEA_A = DemoTeam(
    name="Thornsea A",
    club=THORNSEA,
    players=squad("""
        Wolstenbury-Fotheringdale, Bartholomew Maximilian | 1721
        Harker, Seth | 1689
        Øvergaard, Sigrid | 1654
        Lightbody, Constance | 1633
        Nguyễn-Thorne, Linh | 1588
        Rudge, Barnaby J | 1560 | grade
        Pengelly, Wenna | 1522
        Salt, Obadiah | 1471 | new
    """),
)
PRIORS_COMBE_A = DemoTeam(
    name="Priors Combe A",
    club=PRIORS_COMBE,
    players=squad("""
        Amory, Lucian | 1735
        d’Estrée Vane, Aurélie | 1698
        Cobbold-Ito, Kenji | 1661
        Brock, Thelma | 1627
        Þorvaldsen, Kári | 1590
        Yelland, Frank | 1555
        Mudge, Hester | 1519 | grade
        Frayne, Otto | 1448 | age=15 | named
    """),
)
UPPER_DENNE_A = DemoTeam(
    name="Upper Denne A",
    club=UPPER_DENNE,
    players=squad("""
        Clitheroe-Babb, Ernest | 1602
        Ince, Barış | 1578
        Loveday, Rosamund | 1543
        Pettigrew, Alban | 1529
        al-Karim, Nadia | 1490
        Sproat, Wilf | 1466 | grade
        Cheeseman, Dot | 1431
        Harrowby, Julian | 1402 | new
    """),
)
KINGSMEAD_C = DemoTeam(
    name="Kingsmead C",
    club=_CLUBS["Kingsmead"],
    players=squad("""
        Okafor, Blessing | 1588
        Tunnicliffe, Ralph | 1551
        Szczęsny-Moor, Paweł | 1520
        Dainty, Gladys | 1496
        Holroyd, Vic | 1463 | grade
        Rasmussen, Åse | 1440
        Brewster, Norris | 1409
        Popplewell, Ida | 1360 | new
    """),
)

SECOND_TEAMS = (
    ROOKHURST_A,
    DemoTeam(
        name="Ashdown B",
        club=_CLUBS["Ashdown"],
        players=squad("""
            Brindle, Harriet | 1712
            Osgood-Lamb, Percival | 1668
            Smith, John | 1641
            Źrebak, Halina | 1606
            Cotterill, Jasper | 1571 | grade
            Marchbanks, Edith | 1538
            Tilney, A | 1505
            Pike, Tobias | 1440 | new | age=13
        """),
    ),
    DemoTeam(
        name="Hartfield B",
        club=_CLUBS["Hartfield"],
        players=squad("""
            MacVale, Ronald | 1726
            O'Garra, Niamh | 1683
            Dębicka-Hall, Wanda | 1632
            Rooke, Alastair B C | 1594
            St John-Mowle, Verity | 1566
            Uppington, Basil | 1533 | grade
            Ferreira Nó, Inês | 1490
            Tolbert, Grace | 1421 | new
        """),
    ),
    DemoTeam(
        name="Wellow Bridge B",
        club=_CLUBS["Wellow Bridge"],
        players=squad("""
            Cleave, Winifred | 1701
            ap Emlyn, Rhodri | 1676
            Grønvold-Day, Astrid | 1625
            Bassett, Ned | 1587
            Ćosić, Mirna | 1562 | grade
            Lamplugh, Horace | 1524
            Vance, P R | 1483
            Whittle, Jean | 1427
        """),
    ),
    DemoTeam(
        name="Netherby & District B",
        club=_CLUBS["Netherby & District"],
        players=squad("""
            Thackray, Muriel | 1694
            Ağaoğlu, Ümit | 1652
            Crossthwaite, Len | 1618
            Bell-Irving Soames, Cecily | 1579
            Duckett, Raymond | 1548
            Jowett, Phyllis | 1511 | grade
            Kaye, Sam | 1477 | age=17
            Rix, Amos | 1415 | new
        """),
    ),
    THORNSEA_A,
    PRIORS_COMBE_A,
    UPPER_DENNE_A,
)
# Three players of a higher team play in a lower one too, on other evenings.
THIRD_TEAMS = (
    DemoTeam(
        name="Ashdown C",
        club=_CLUBS["Ashdown"],
        players=(
            *SECOND_TEAMS[1].named("Źrebak, Halina"),
            *squad("""
            Gosling, Mabel | 1432
            Ó Súilleabháin-Kerr, Fionn | 1371
            Larkspur, Denis | 1298 | grade
            Bumpstead, Oswald | 545 | grade
            Nettleship, Ray | 520 | new
        """),
        ),
    ),
    DemoTeam(
        name="Hartfield C",
        club=_CLUBS["Hartfield"],
        players=(
            *SECOND_TEAMS[2].named("St John-Mowle, Verity"),
            *squad("""
            Eccles, Ronnie | 1450
            Balogh, Zsófia | 1402
            Tolbert, Arthur Jr | 1344 | age=16
            Crumb, Winnie | 1287 | grade
            Sallis, Ted | 1225 | new
            Oakapple, Jem | 1190 | new
        """),
        ),
    ),
    DemoTeam(
        name="St Wulfric’s B",
        club=_CLUBS["St Wulfric’s"],
        players=squad("""
            Plumtree, Angus | 1466
            Niṣa, Devika | 1391
            Warburton-Skene, Flora | 1350
            Bagshaw, Les | 1302 | grade
            Teasdale, Maud | 1244
            Fell, Corin | 1201 | new
        """),
    ),
    DemoTeam(
        name="Castle Hedley B",
        club=_CLUBS["Castle Hedley"],
        players=squad("""
            Trewin, Jago | 1471
            Ōta, Haruki | 1415
            Mossop, Eileen | 1362 | grade
            de Witt Carne, Hugo | 1311
            Yardley, Pat | 1256
            Bright, Kitty | 1180 | new | age=12
        """),
    ),
    KINGSMEAD_C,
    DemoTeam(
        name="Long Marden B",
        club=_CLUBS["Long Marden"],
        players=(
            *FIRST_TEAMS[7].named("Kowalczyk, Tadeusz"),
            *squad("""
            Strickland, Ada | 1444
            Păun, Mihai | 1398
            Ormerod, Clem | 1339
            Tapper, Una | 1280 | grade
            Wye, Francis | 1233 | new
            Lush, Betty | 1150 | new
        """),
        ),
    ),
    DemoTeam(
        name="Rookhurst B",
        club=ROOKHURST,
        players=squad("""
            Chivers, Noel | 1438
            Mace-Adeyemi, Tolu | 1385
            Pascoe, Lowena | 1330 | grade
            Bunting, Ken | 1275
            Hobbs, Ivor | 1210 | new
            Vane, Otis | 1180 | new | guest
        """),
    ),
    DemoTeam(
        name="King's Head Circle A",
        club=KINGS_HEAD,
        players=squad("""
            Draper, Mick | 1456
            Łoś, Kazimierz | 1409
            Fenn, Dorothea | 1352
            Gaunt, Ivo | 1290 | new
            Tench, Sal | 1235 | new
            Quill, Tabitha | 1170 | new | guest
        """),
    ),
)
