"""What people write for a name: folded for finding and order, split, and its codes read.

Finding is not identity: two people may share a name, so a fold narrows a search and a person
decides. Everything here is pure; text goes in and text comes out.
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

# Letters that Unicode does not take apart into a plain letter and a mark.
PLAIN_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "ı": "i",
        "ħ": "h",
        "ŋ": "n",
        "ŧ": "t",
        "ĸ": "k",
        "ə": "a",
    }
)

# Typed for an apostrophe: straight, curly, prime, accents standing alone, modifier letters.
# They are dropped, and so is what is invisible: soft hyphen, zero-width space, byte order mark.
APOSTROPHES = "'’‘‚‛`´′‵＇ʹʻʼʽˈˊˋ"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_DROPPED = str.maketrans("", "", APOSTROPHES + _INVISIBLE)
DROPPED_INVISIBLE = str.maketrans("", "", _INVISIBLE)

# Neither format nor control characters by their category, and nothing to read all the same:
# fillers, a blank Braille cell, variation selectors, and what stands for bytes that are no text.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe0e\ufe0f\uffa0\ufffd")

# They turn the text round on the screen, so that a name reads as another one.
_DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

# Written in lower case before a surname, they belong to it.
_PARTICLES = frozenset(
    (
        *("af", "al", "av", "bin", "da", "das", "de", "dei", "del", "della", "den", "der", "des"),
        *("di", "do", "dos", "du", "el", "ibn", "la", "le", "ten", "ter", "van", "vande"),
        *("vanden", "vander", "vom", "von", "y", "zu", "zum", "zur"),
    )
)

_SUFFIXES = {"jr": "Jr", "jnr": "Jr", "junior": "Jr", "sr": "Sr", "snr": "Sr", "senior": "Sr"}

_CODE_LETTERS = "ABCDEFGHJKL"
_CODE_BEFORE_NAME = re.compile(r"\s*([0-9]{6}[A-Za-z])(?:[\s,]+(.*))?$", re.DOTALL)
_CODE = re.compile(r"\d{6}[A-HJ-L]", re.ASCII)

# After folding; a blank name and one of punctuation alone fold to nothing.
_NOBODY = frozenset(
    {
        "",
        "an other",
        "bye",
        "def",
        "default",
        "defaulted",
        "new player",
        "no player",
        "nobody",
        "other an",
        "player new",
        "tba",
        "tbc",
    }
)

_TEAM_MARK = re.compile(r"\W*(?:[A-Z]|\d{1,2}|II|III|IV|VI{0,3}|IX)\W*", re.IGNORECASE | re.ASCII)


class UnfitName(ValueError):
    """No name: without a letter, or with `letter`, which no name holds."""

    def __init__(self, letter: str = ""):
        self.letter = letter
        wrong = f"a name may not hold the character {letter}"
        super().__init__(wrong if letter else "expected a name; a surname needs a letter")


class PersonName(NamedTuple):
    """A name as it is stored; `forenames` may be blank, `surname` never is."""

    surname: str
    forenames: str


# A file names the same clubs and people thousands of times.
@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Return the form in which names are found and compared: plain lower-case words.

    Case, accents and apostrophes go; hyphens, stops and other signs become spaces; initials
    run together (`D E F` and `D.E.F.` are `def`) and a lone O joins the word after it
    (`O Grange` is `ogrange`). A comma keeps the initials on its two sides apart. Never
    fails: a NUL or an empty text is answered like any other.
    """
    plain = _without_marks(text.translate(_DROPPED)).translate(PLAIN_LETTERS)
    parts = (_joined(_words(part)) for part in plain.split(","))
    return " ".join(part for part in parts if part)


def sort_key(surname: str, forenames: str = "") -> str:
    """Return the key that orders people by name in plain character order.

    Letter by letter, so that Smith stands before Smith Jones and `Harte-Wynne` beside `Harte
    Wynne`. A particle counts as written: `van der Lune` stands under V.
    """
    return f"{fold(surname).replace(' ', '')} {fold(forenames)}".strip()


def search_key(surname: str, forenames: str = "") -> str:
    """Return the key by which a person is found: forenames and surname folded each by itself.

    Folded together, the last initial of John O Grange would run into his surname and make him
    John O'Grange.
    """
    return f"{fold(forenames)} {fold(surname)}".strip()


def split_name(text: str) -> PersonName:
    """Return surname and forenames of `Surname, Forenames`.

    Without a comma the last word is the surname, with the particles before it; a single word
    is a surname alone, and so is `Singlename, .`. A suffix goes to the end of the forenames
    as Jr or Sr. Spaces are squashed. Raises ValueError for a surname without a letter (a score
    or a number in the wrong column is nobody), and for a name with a NUL, another control
    character, a mark that turns the text round or a picture.
    """
    name = tidy_name(text)
    if "," in name:
        surname, *rest = (part.strip() for part in name.split(","))
        forenames = " ".join(part for part in rest if fold(part))
    else:
        surname, forenames = _split_words(name.split())
    if not fold(surname):
        surname, forenames = forenames, ""
    if not any(letter.isalpha() for letter in fold(surname)):
        raise UnfitName
    return _with_suffix(surname, forenames)


def full_name(surname: str, forenames: str = "") -> str:
    """Return a name as it is said: forenames first, Jr and Sr last, as in `John Tolbert Sr`."""
    before, _, last = forenames.rpartition(" ")
    if last in _SUFFIXES.values():
        return f"{before} {surname} {last}".strip()
    return f"{forenames} {surname}".strip()


def tidy(text: str) -> str:
    """Return the text in composed form with single spaces, without what is invisible.

    Raises ValueError for a control character and for a mark that turns the text round.
    """
    name = " ".join(unicodedata.normalize("NFC", text).translate(DROPPED_INVISIBLE).split())
    for letter in name:
        if unicodedata.category(letter) in ("Cc", "Cs", "Cn") or letter in _DIRECTION_MARKS:
            raise UnfitName(f"U+{ord(letter):04X}")
    return name


def tidy_name(text: str) -> str:
    """The same of a person's name, which holds no pictures either: no emoji, no card suits."""
    name = tidy(text)
    for letter in name:
        if unicodedata.category(letter) == "So":
            raise UnfitName(letter)
    return name


def visible(text: str) -> str:
    """Return what can be read of a text, in one line: blank if nothing can.

    Control and format characters go, and what turns the text round with them; never fails.
    """
    words = unicodedata.normalize("NFC", " ".join(text.split()))
    shown = (letter for letter in words if letter not in _BLANKS)
    kept = "".join(letter for letter in shown if not unicodedata.category(letter).startswith("C"))
    return " ".join(kept.split()) if any(map(_is_seen, kept)) else ""


def is_nobody(text: str) -> bool:
    """Tell whether a name only says that nobody sat there: blank, Default, Bye, A.N. Other."""
    return fold(text) in _NOBODY


def split_code(text: str) -> tuple[str | None, str]:
    """Return (ECF code or None, name) of a player written with his code in front.

    `117540D Surname, Forename` and `119544L, Surname, Forename` are both in use. The code's
    letter comes back in upper case and unchecked: see `ecf_code_ok`.
    """
    match = _CODE_BEFORE_NAME.match(text)
    if match is None:
        return None, text.strip()
    return match[1].upper(), (match[2] or "").strip()


def is_ecf_code(text: str) -> bool:
    """Tell whether a text is a code as the federation writes it: six digits and a letter."""
    return _CODE.fullmatch(text) is not None


def ecf_code_ok(code: str) -> bool:
    """Tell whether a code is six digits and the check letter that belongs to them.

    The letter is number (7a+6b+5c+4d+3e+2f) mod 11 of A to L without I. It fits every
    published code tried, but the ECF publishes no such rule: a failure is a warning.
    """
    if not is_ecf_code(code):
        return False
    total = sum(weight * int(digit) for weight, digit in zip(range(7, 1, -1), code, strict=False))
    return code[6] == _CODE_LETTERS[total % 11]


def team_club_name(team_name: str) -> str:
    """Return a team's name without a last A, B, 1 or II: the name its club is likely to have.

    A name that is nothing else comes back whole. Spaces are squashed.
    """
    words = team_name.split()
    if len(words) > 1 and _TEAM_MARK.fullmatch(words[-1]):
        words.pop()
    return " ".join(words)


def _without_marks(text: str) -> str:
    """Lower case without accents; decomposed twice, for lower case can bring marks back."""
    lower = unicodedata.normalize("NFKD", text).casefold()
    decomposed = unicodedata.normalize("NFKD", lower)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in text).split()


def _joined(words: list[str]) -> str:
    """Join a lone O to the word after it, then neighbouring initials to one word."""
    joined: list[str] = []
    for word in reversed(words):
        if word == "o" and joined and len(joined[-1]) > 1:
            joined[-1] = word + joined[-1]
        else:
            joined.append(word)
    result = ""
    previous = ""
    for word in reversed(joined):
        both_initials = _is_initial(previous) and _is_initial(word)
        result += word if both_initials or not result else f" {word}"
        previous = word
    return result


def _is_seen(letter: str) -> bool:
    """Whether a letter can be read by itself: no space, no mark that wants one to stand on."""
    return unicodedata.category(letter)[0] not in "ZM"


def _is_initial(word: str) -> bool:
    return len(word) == 1 and word.isalpha()


def _split_words(words: list[str]) -> tuple[str, str]:
    """Surname and forenames of words without a comma; a suffix stays behind the forenames."""
    suffix = []
    if len(words) > 1 and _suffix(words[-1]):
        suffix = [words[-1]]
        words = words[:-1]
    start = len(words) - 1
    while start > 0 and words[start - 1] in _PARTICLES:
        start -= 1
    return " ".join(words[start:]), " ".join(words[:start] + suffix)


def _suffix(word: str) -> str | None:
    return _SUFFIXES.get(fold(word))


def _with_suffix(surname: str, forenames: str) -> PersonName:
    """Bring a suffix to the end of the forenames in its short form; alone it is a forename."""
    before, _, last = surname.rpartition(" ")
    if before and _suffix(last):
        return PersonName(before, f"{forenames} {_suffix(last)}".strip())
    before, _, last = forenames.rpartition(" ")
    if before and _suffix(last):
        return PersonName(surname, f"{before} {_suffix(last)}")
    first, _, after = forenames.partition(" ")
    if after and fold(first) in ("jr", "jnr", "sr", "snr"):
        return PersonName(surname, f"{after} {_suffix(first)}")
    return PersonName(surname, forenames)
