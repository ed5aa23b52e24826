"""Names as people type them: found, ordered, split; codes and placeholders read."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.names import (
    ecf_code_ok,
    fold,
    full_name,
    is_nobody,
    search_key,
    sort_key,
    split_code,
    split_name,
    team_club_name,
    visible,
)

DATA = Path(__file__).parent / "data"


# --- Found -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spellings",
    [
        ["O'Grange, Siobhan", "O’Grange, Siobhan", "OGRANGE, SIOBHAN", "O Grange, Siobhan"],
        ["O‘Grange", "O`Grange", "O´Grange", "OʼGrange", "O′Grange", "o grange", "O'  Grange"],
        ["McVale, Ronald J", "Mcvale, Ronald J.", "MCVALE, RONALD J"],
        ["Harte-Wynne, Guy", "Harte Wynne, Guy", "Harte–Wynne, Guy", "HARTE‑WYNNE,GUY"],
        ["Ibbot, D E F", "Ibbot, DEF", "Ibbot, D.E.F.", "Ibbot, D. E. F.", "ibbot d.e.f"],
        ["de la Marre, Zoë", "DE LA MARRE, ZOE", "De La Marre,Zoe\u0308"],
        ["Åkervik, Björn", "Akervik, Bjorn", "A\u030akervik, Bjo\u0308rn"],
        ["Élodie Müller", "ELODIE MULLER", "elodie muller"],
        ["Żabrek, Łucja", "Zabrek, Lucja", "żabrek, łucja"],
        ["Sørensen", "SORENSEN", "Sorensen"],
        ["Weiß", "WEISS", "weiss", "WEIẞ"],
        ["Æthelred", "AETHELRED", "æthelred"],
        ["Đorđe", "Dorde", "ĐORĐE"],
        ["Þór", "THOR", "þor"],
        ["Guðrún", "Gudrun"],
        ["Yıldız", "YILDIZ", "Yildiz", "YILDİZ"],
        ["José Mª", "Jose Ma"],
        ["  Lovell ,  Maureen", "Lovell, Maureen", "Lovell\u00a0, Maureen", "Lovell,\tMaureen"],
        ["King's Head", "Kings Head", "KING’S HEAD"],
        ["St. Benildus", "St Benildus"],
        ["Bray / Greystones", "Bray/Greystones", "Bray Greystones"],
        ["Singlename, .", "Singlename"],
        ["Zu\u00adber", "\ufeffZuber", "Zu\u200bber"],
    ],
    ids=lambda spellings: spellings[0],
)
def test_spellings_of_one_name_fold_to_one_form(spellings):
    assert len({fold(spelling) for spelling in spellings}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("McVale, Ronald", "MacVale, Ronald"),
        ("Tolbert, John Sr", "Tolbert, John Jr"),
        ("Dublin", "Dublin University"),
        ("Ibbot, D E", "Ibbot, D F"),
        ("Lovell, Maureen T", "Lovell, Maureen"),
        # A comma keeps a surname of one letter apart from the initials.
        ("X, Y Z", "XYZ"),
    ],
)
def test_different_names_stay_apart(one, other):
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("", ""),
        (" . ", ""),
        ("\0", ""),
        ("O'Brien\0, Ann", "obrien ann"),
        ("O", "o"),
        ("O O Brien", "oobrien"),
        ("D O Grange", "d ogrange"),
        ("O Li", "oli"),
        ("X, Y", "x y"),
        ("Board 1 2", "board 1 2"),
        ("<b>Bold</b>", "b bold b"),
        ("Smith" * 60, "smith" * 60),
        ("Иванов, Пётр", "иванов петр"),
    ],
)
def test_fold_answers_anything(text, folded):
    assert fold(text) == folded


@given(st.text(st.characters(exclude_characters=",")))
def test_fold_twice_is_fold_once(text):
    """Of a text without a comma: what it kept apart, `X, Y`, runs together once it is gone."""
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_fold_holds_nothing_but_letters_digits_and_single_spaces(text):
    folded = fold(text)
    assert folded == " ".join(folded.split())
    assert all(letter.isalnum() or letter == " " for letter in folded)


@given(st.text(st.sampled_from("abcOé'’-. ,")))
def test_fold_ignores_case_and_accents(text):
    assert fold(text.upper()) == fold(text.lower()) == fold(text.replace("é", "e"))


# --- Ordered -----------------------------------------------------------------------------


def test_names_in_order():
    people = [
        ("Åkervik", "Björn"),
        ("de la Marre", "Zoë"),
        ("Harte-Wynne", "Guy"),
        ("Harte Wynne", "Hal"),
        ("Hartewynne", "Ian"),
        ("MacVale", "Ronald"),
        ("McVale", "Ronald"),
        ("O Grange", "Aoife"),
        ("O'Grange", "Siobhan"),
        ("Singlename", ""),
        ("smith", "Ann"),
        ("Smith", "John"),
        ("Smith Jones", "Al"),
        ("Smithson", "Al"),
        ("van der Lune", "Pieter"),
        ("Vane", "Al"),
        ("Żabrek", "Łucja"),
    ]
    assert sorted(reversed(people), key=lambda person: sort_key(*person)) == people


def test_sort_key_of_a_single_name_has_no_trailing_space():
    assert sort_key("Singlename") == "singlename"
    assert sort_key("Singlename", ".") == "singlename"


def test_search_key_folds_surname_and_forenames_apart():
    assert search_key("O'Grange", "Siobhan") == "siobhan ogrange"
    assert search_key("O Grange", "John") == "john ogrange"
    assert search_key("Grange", "John O") == "john o grange"
    assert search_key("O", "J") == "j o"
    assert search_key("Ibbot", "D.E.F.") == "def ibbot"
    assert search_key("Singlename") == "singlename"


# --- Split -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "surname", "forenames"),
    [
        ("Lovell, Maureen T", "Lovell", "Maureen T"),
        ("O’Grange, Siobhan", "O’Grange", "Siobhan"),
        ("  Lovell ,  Maureen", "Lovell", "Maureen"),
        ("Lovell\u00a0, Maureen\r\n", "Lovell", "Maureen"),
        ("Ibbot, D.E.F.", "Ibbot", "D.E.F."),
        ("van der Lune, Pieter", "van der Lune", "Pieter"),
        ("Belavonti Marsudan, Tolemi", "Belavonti Marsudan", "Tolemi"),
        ("Singlename", "Singlename", ""),
        ("Singlename, .", "Singlename", ""),
        ("Singlename,", "Singlename", ""),
        (", Singlename", "Singlename", ""),
        ("Tolbert, John Sr", "Tolbert", "John Sr"),
        ("Tolbert, John Jr.", "Tolbert", "John Jr"),
        ("Tolbert, John (Junior)", "Tolbert", "John Jr"),
        ("Tolbert, John jnr", "Tolbert", "John Jr"),
        ("Tolbert, John (Senior)", "Tolbert", "John Sr"),
        ("Tolbert Jr, John", "Tolbert", "John Jr"),
        ("Tolbert, Jr, John", "Tolbert", "John Jr"),
        ("Tolbert, John, Sr", "Tolbert", "John Sr"),
        ("Tolbert, Junior", "Tolbert", "Junior"),
        ("Tolbert, Junior Sam", "Tolbert", "Junior Sam"),
        ("Tolbert, John III", "Tolbert", "John III"),
        ("Kam Wa Tso", "Tso", "Kam Wa"),
        ("Pieter van der Lune", "van der Lune", "Pieter"),
        ("John Tolbert Jr", "Tolbert", "John Jr"),
        ("Tolbert Jr", "Tolbert", "Jr"),
        ("de la Marre", "de la Marre", ""),
        ("van Lune", "van Lune", ""),
        ("Pieter van Lune", "van Lune", "Pieter"),
        ("Van Lune", "Lune", "Van"),
        ("Zoe\u0308 Marre", "Marre", "Zoë"),
        ("Żabrek, Łucja", "Żabrek", "Łucja"),
    ],
)
def test_split_name(text, surname, forenames):
    assert split_name(text) == (surname, forenames)


@pytest.mark.parametrize(
    "text",
    [
        *("", "   ", ",", " , . ", "-", "\u200b", "?", "…", "0", "1-0", "½-½", "12345", "٣", "²"),
        *("0, Ann", "Ann 2", "7, 8"),
    ],
)
def test_a_name_without_a_letter_is_refused(text):
    with pytest.raises(ValueError, match="needs a letter"):
        split_name(text)


@pytest.mark.parametrize(
    ("text", "character"),
    [
        ("Lov\0ell, Maureen", "U\\+0000"),
        ("Lovell, Mau\x07reen", "U\\+0007"),
        ("Lovell, Maureen\x7f", "U\\+007F"),
        ("Lovell\x93, Maureen", "U\\+0093"),
        ("Lovell, \u202eneeruaM", "U\\+202E"),
        ("Lovell, \ud800", "U\\+D800"),
        ("Lovell, Maureen 🎉", "🎉"),
        ("♟ Lovell", "♟"),
    ],
)
def test_control_characters_are_refused(text, character):
    with pytest.raises(ValueError, match=character):
        split_name(text)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (" \u200b\u200b ", ""),
        ("\ufffd\ufffd", ""),
        ("\u3164 \u2800\ufe0f\u0301", ""),
        ("\x00\x07\r\n", ""),
        ("Board\u200b 3\r\nwas\u202e a  draw\ufffd.", "Board 3 was a draw."),
        ("e\u0301chec \u2013 ½", "échec – ½"),
        ("?", "?"),
    ],
)
def test_what_can_be_read_of_a_text(text, seen):
    assert visible(text) == seen


@given(st.text(st.characters(categories=["L", "Zs"]), min_size=1))
def test_every_name_of_letters_splits_into_the_same_person_again(text):
    if fold(text):
        name = split_name(text)
        again = split_name(f"{name.surname}, {name.forenames}")
        assert again == name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Tolbert, John Sr", "John Tolbert Sr"),
        ("Tolbert, John (Junior)", "John Tolbert Jr"),
        ("Lovell, Maureen T", "Maureen T Lovell"),
        ("van der Lune, Pieter", "Pieter van der Lune"),
        ("Singlename", "Singlename"),
    ],
)
def test_a_name_as_it_is_said(text, said):
    assert full_name(*split_name(text)) == said


# --- Nobody ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *["", "   ", "\u00a0", ".", "-", "?", "Default", "DEFAULT", "default.", "(Default)"],
        *["Bye", "bye", "New Player", "Player, New", "A.N. Other", "A N Other", "AN Other"],
        *["a. n. other", "Other, A.N.", "Other, A N", "No player", "Nobody", "Defaulted", "TBA"],
    ],
)
def test_nobody(text):
    assert is_nobody(text)


@pytest.mark.parametrize(
    "text", ["Bye, John", "Default, Ann", "Other, Andrew N", "Newplayer, Kit", "Another", "Na", "O"]
)
def test_somebody(text):
    assert not is_nobody(text)


# --- Codes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "name"),
    [
        ("117540D Surname, Forename", "117540D", "Surname, Forename"),
        ("119544L, Surname, Forename", "119544L", "Surname, Forename"),
        ("  117540d   Surname, Forename ", "117540D", "Surname, Forename"),
        ("117540D\u00a0Surname, Forename", "117540D", "Surname, Forename"),
        ("117540D", "117540D", ""),
        ("117540D,", "117540D", ""),
        ("936703C, Wolafus, Nobew E", "936703C", "Wolafus, Nobew E"),
        ("Surname, Forename", None, "Surname, Forename"),
        ("117540DSurname, Forename", None, "117540DSurname, Forename"),
        ("1117540D Surname", None, "1117540D Surname"),
        ("١١٧٥٤٠D Surname", None, "١١٧٥٤٠D Surname"),
        ("", None, ""),
    ],
)
def test_split_code(text, code, name):
    assert split_code(text) == (code, name)


def test_check_letters_of_codes():
    with open(DATA / "ecf_codes.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 32
    wrong = [row for row in rows if ecf_code_ok(row["code"]) != (row["valid"] == "yes")]
    assert wrong == []


@pytest.mark.parametrize("code", ["233310H", "292952B", "102807J", "285525C", "123456A"])
def test_valid_codes(code):
    assert ecf_code_ok(code)


@pytest.mark.parametrize(
    "code", ["123456B", "123456a", "123456", "12345A", "1123456A", "123456A\n", " 123456A", ""]
)
def test_invalid_codes(code):
    assert not ecf_code_ok(code)


# --- Teams -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("team", "club"),
    [
        ("Rathmines A", "Rathmines"),
        ("Rathmines b", "Rathmines"),
        ("Eastern Knights II", "Eastern Knights"),
        ("Metropolitan Police III", "Metropolitan Police"),
        ("Hastings 1", "Hastings"),
        ("Hastings 12", "Hastings"),
        ('Hastings "B"', "Hastings"),
        ("Hastings (2)", "Hastings"),
        ("  Hastings   A ", "Hastings"),
        ("Bray / Greystones", "Bray / Greystones"),
        ("Dublin University", "Dublin University"),
        ("Dublin", "Dublin"),
        ("A", "A"),
        ("1 A", "1"),
        ("Club 1967", "Club 1967"),
        ("Team Mix", "Team Mix"),
        ("", ""),
    ],
)
def test_name_of_a_teams_club(team, club):
    assert team_club_name(team) == club
