"""Names in plain ASCII, for files that hold nothing else."""

import unicodedata

from .names import APOSTROPHES, DROPPED_INVISIBLE, PLAIN_LETTERS

UNKNOWN = "?"
"""What stands for a letter that has no plain form."""

_HYPHENS = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_QUOTES = "“”„‟″«»"
_PLAIN = {
    **{ord(letter): "'" for letter in APOSTROPHES},
    **{ord(letter): "-" for letter in _HYPHENS},
    **{ord(letter): '"' for letter in _QUOTES},
    **PLAIN_LETTERS,
    # The capital of each, where Unicode has a single one: Þ is Th.
    **{
        ord(chr(letter).upper()): plain.capitalize()
        for letter, plain in PLAIN_LETTERS.items()
        if len(chr(letter).upper()) == 1 and not chr(letter).upper().isascii()
    },
    ord("⁄"): "/",  # within ½, taken apart
    ord("ß"): "ss",
    ord("ẞ"): "Ss",
}


def ascii_form(text: str) -> str:
    """The text in ASCII on one line, `UNKNOWN` for each letter that has no plain form.

    Marks go and letters with a plain name take it: Müllner is Mullner, Þorvaldsen Thorvaldsen.
    No letter is dropped, so a `?` tells that somebody has to say how it is written.
    """
    plain = []
    for letter in unicodedata.normalize("NFC", text.translate(DROPPED_INVISIBLE)):
        taken = letter if letter.isascii() else _plain_form(letter)
        plain.append(taken if taken.isprintable() else " ")
    return " ".join("".join(plain).split())


def _plain_form(letter: str) -> str:
    if letter.isspace():
        return " "
    decomposed = unicodedata.normalize("NFKD", letter.translate(_PLAIN))
    marks_gone = "".join(part for part in decomposed if not unicodedata.combining(part))
    plain = marks_gone.translate(_PLAIN)
    if plain.isascii():
        return plain
    return UNKNOWN
