"""The eight teams of the demo's first division, all invented, with what their players play like.

A number behind a name is the rating he comes with; `grade` says that only a grade is known, `new`
that nothing is, and the number is then only how strong he really is.
"""

from datetime import time

from clubs.models import Weekday

from .people import DemoClub, DemoTeam, squad

FIRST_TEAMS = (
    DemoTeam(
        name="Ashdown A",
        club=DemoClub(
            name="Ashdown",
            night=Weekday.TUESDAY,
            starts_at=time(19, 30),
            venue="Ashdown Village Hall, Church Lane, Ashdown",
            access="Step-free from the car park behind the hall.",
        ),
        players=squad("""
            Lovell, Maureen T | 1951
            McVale, Ronald J | 1908
            de la Marre, Zoë | 1894
            Harte-Wynne, Guy | 1840
            Tso, Kam Wa | 1849
            Ibbot, D E F | 1742 | grade
            Penhallow, Iris | 1701
            Ashgrove, Dilip | 1655 | grade
            Nuttall, Priya | 1590 | new | age=14
            Crake, Wilfred | 1512
        """),
    ),
    DemoTeam(
        name="Hartfield A",
        club=DemoClub(
            name="Hartfield",
            night=Weekday.THURSDAY,
            starts_at=time(19, 30),
            venue="The Anchor (upstairs room), High Street, Hartfield",
            access="One flight of stairs; ask for the lift at the bar.",
        ),
        players=squad("""
            van der Lune, Pieter | 1979
            O’Grange, Siobhan | 1922
            Müllner, Jürgen | 1873
            Tolbert, John Sr | 1821
            Belavonti Marsudan, Tolemi | 1818
            Żabrek, Łucja | 1769
            Tolbert, John Jr | 1640 | age=16 | named
            Gathercole, Enid | 1602 | grade
            Okonjo-Reed, Samuel | 1566
        """),
    ),
    DemoTeam(
        name="Wellow Bridge A",
        club=DemoClub(
            name="Wellow Bridge",
            night=Weekday.WEDNESDAY,
            starts_at=time(19, 15),
            venue="Wellow Bridge Working Men’s Club, Mill Road",
        ),
        players=squad("""
            Ogilvy-Carr, Beatrice | 2104
            Ullathorne, Colin | 1972
            Wainfleet, Hugh | 1886
            Åkervik, Björn | 1842
            Fenwick-Shah, Leila | 1811
            Applegarth, Yusuf | 1748
            Dunmore, Patrick | 1690 | grade
            Stott, Marjorie | 1622
            Bramhope, Neil | 1570 | new
        """),
    ),
    DemoTeam(
        name="St Wulfric’s A",
        club=DemoClub(
            name="St Wulfric’s",
            night=Weekday.MONDAY,
            starts_at=time(19, 30),
            venue="St Wulfric’s Parish Room, Minster Close",
            access="Ramp at the side door.",
        ),
        players=squad("""
            Hebblewhite, Martin | 1948
            Kirkbride, Fiona | 1904
            Nuñal, José Mª | 1868
            Wragge, Bernard | 1835
            Stansfield, Ruth | 1786
            D’Aubigny, Claude | 1752 | grade
            Pell, Cyril | 1688
            Thistlewood, Ann-Marie | 1634
            Quayle, Joan | 1558 | grade
        """),
    ),
    DemoTeam(
        name="Netherby & District A",
        club=DemoClub(
            name="Netherby & District",
            night=Weekday.THURSDAY,
            starts_at=time(19, 45),
            venue="Netherby Library, Station Road",
            access="Step-free; the hearing loop works in the reading room.",
        ),
        players=squad("""
            Rainsborough, Edmund | 1931
            Kettleborough, Moira | 1877
            Abara, Chidi | 1846
            Sandcliffe, Roy | 1803
            Vennor, Tamsin | 1765
            Lindqvist, Karl-Erik | 1716
            Morrow, Stanley | 1668 | grade
            Ffoulkes, Gwen | 1606
            Hussain Malik, Amir | 1541 | new | age=17 | named
        """),
    ),
    DemoTeam(
        name="Castle Hedley A",
        club=DemoClub(
            name="Castle Hedley",
            night=Weekday.TUESDAY,
            starts_at=time(19, 30),
            venue="Castle Hedley Cricket Pavilion",
        ),
        players=squad("""
            Blackadder-Yeo, Rupert | 1915
            Tregear, Morwenna | 1869
            Szentkirályi, Ágnes | 1828
            Rowntree, Giles | 1794
            Castellano, Bruno | 1751
            Peverell, Hilda | 1703
            Ó Dálaigh, Cormac | 1659 | grade
            Longbottom, Derek | 1597
            Whitlock, Esme | 1533 | new
        """),
    ),
    DemoTeam(
        name="Kingsmead B",
        club=DemoClub(
            name="Kingsmead",
            night=Weekday.WEDNESDAY,
            starts_at=time(19, 30),
            venue="Kingsmead Social Club, Canal Street",
            access="Step-free.",
        ),
        players=squad("""
            Garvey, Desmond | 1888
            Yoxall, Prudence | 1839
            Ekström, Nils | 1807
            Fairweather, Tom | 1778
            Banerjee, Anjali | 1735
            Mountjoy, Keith | 1684
            Sallow, Vernon | 1631 | grade
            Arkwright, Peggy | 1577
            Drummond-Hay, Alec | 1519
        """),
    ),
    DemoTeam(
        name="Long Marden A",
        club=DemoClub(
            name="Long Marden",
            night=Weekday.MONDAY,
            starts_at=time(19, 30),
            venue="The Plough, Long Marden",
            access="Two steps at the front; level from the garden.",
        ),
        players=squad("""
            Merriweather, Alfred | 1866
            Bosanquet, Letitia | 1812
            Çelik, Deniz | 1779
            Hathersage, Norman | 1744
            Iremonger, Sybil | 1698
            Kowalczyk, Tadeusz | 1652
            Upjohn, Roger | 1605 | grade
            Winterbourne, Kit | 1548
            Singlename | 1490 | new
        """),
    ),
)
