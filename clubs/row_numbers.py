"""The number of a row, as a form or an address brings it: anybody may have typed anything."""

LARGEST = 2**63 - 1


def row_number(text: str | None) -> int | None:
    """The number that the text is, None for anything else: signs, other digits, what no row has."""
    if not text or not (text.isascii() and text.isdecimal()) or len(text) > 19:
        return None
    number = int(text)
    return number if number <= LARGEST else None
