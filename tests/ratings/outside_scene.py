"""Lists of the federations as files, the people on them, and the command that reads them."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from ratings.models import Grade
from tests.factories import PlayerFactory

SINCE_2020 = """\
ECF_code,full_name,member_no,FIDE_no,gender,nation,original_standard,standard_original_category,\
revised_standard,standard_revised_category,original_rapid,rapid_original_category,revised_rapid,\
rapid_revised_category,original_blitz,blitz_original_category,revised_blitz,\
blitz_revised_category,original_standard_online,standard_online_original_category,\
revised_standard_online,standard_online_revised_category,original_rapid_online,\
rapid_online_original_category,revised_rapid_online,rapid_online_revised_category,\
original_blitz_online,blitz_online_original_category,revised_blitz_online,\
blitz_online_revised_category,title,club_code,club_name
900101D,"Lovell, Maureen T",900001,400001,F,ENG,1784,A,1790,A,1702,C,1702,C,,,,,,,,,,,,,,,,,,4EXA,Ex
900102F,"O'Grange, Siobhan",,,F,ENG,1501,K,1501,K,,,,,,,,,,,,,,,,,,,,,,4EXA,Exampletown
900103H,"McVale, Ronald J",900003,,M,SCO,2011,A,2011,A,,,,,,,,,1850,A,1850,A,,,,,,,,,FM,4SAM,Sample
900104K,"Harte-Wynne, Guy",900004,,M,ENG,,,,,1450,P,1450,P,,,,,,,,,,,,,,,,,,XXXX,Unknown
"""
TO_2020 = """\
Ref,Name,Sex,JrAge,Cat,Grade,Grade1,Games,RCat,RGrade,RGrade1,RGames,ClubNam1,ClubNam2,ClubNam3,\
ClubNam4,ClubNam5,ClubNam6,FIDECode,Nation,
900101D,"Lovell, Maureen T",F,,A,142,140,34,C,133,131,12,Exampletown,,,,,,400001,ENG
900102F,"O'Grange, Siobhan",F,,E,0,4,9,,,,,Exampletown,,,,,,,ENG,
900103H,"McVale, Ronald J",,,,,,,,,,,Sampleford,,,,,,,SCO
"""
FIDE = """\
ID Number      Name                                                         Fed Sex Tit  WTit OTit\
           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag
400001         Lovell, Maureen T                                            ENG F   WFM  WFM      \
               1842  3   20 1799  0   20 0     0   40 1961  w
400099         Żabrek, Łucja                                                POL F                 \
               0     0   40 0     0   40 0     0   40 1990  w
"""


def three_of_four() -> list:
    """Three of the four on the list; the fourth is nobody we know."""
    return [
        PlayerFactory(surname="Lovell", ecf_code="900101D", fide_id=400001),
        PlayerFactory(surname="O'Grange", ecf_code="900102F"),
        PlayerFactory(surname="McVale", ecf_code="900103H"),
    ]


def command_on(tmp_path):
    """Import a text and return the lines of the report, or with `refused` those of the error."""

    def run(content, *options, day="2025-10-01", publisher="ECF", refused=False):
        path = tmp_path / "list.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        arguments = ["import_grade_list", str(path), "--publisher", publisher]
        arguments += ["--published-on", day, *options]
        out, err = io.StringIO(), io.StringIO()
        if refused:
            before = counts()
            with pytest.raises(CommandError) as error:
                call_command(*arguments, stdout=out, stderr=err)
            assert out.getvalue() == "0 new, 0 changed\n"
            assert counts() == before
            return [*err.getvalue().splitlines(), str(error.value)]
        call_command(*arguments, stdout=out, stderr=err)
        assert err.getvalue() == ""
        return out.getvalue().splitlines()

    return run


def counts():
    """The number of rows of every table there is."""
    with connection.cursor() as cursor:
        found = {}
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT count(*) FROM "{name}"')
            found[name] = cursor.fetchone()[0]
    return found


def stored():
    """Each list with its rows: pool, variant, scale -> surname -> value and category."""
    found = {}
    for grade in Grade.objects.select_related("grade_list", "player"):
        key = (grade.grade_list.pool_id, grade.grade_list.variant, grade.grade_list.system)
        assert grade.grade == grade.published
        found.setdefault(key, {})[grade.player.surname] = (grade.published, grade.category)
    return found
