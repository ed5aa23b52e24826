"""A results file read from the grammar alone: nothing of the product's own reader or writer."""

import re
from dataclasses import dataclass, field

HEADER = re.compile(
    r"#EVENT DETAILS\r\n(?P<event>.*?)#PLAYER LIST\r\n(?P<rest>.*)#FINISH\r\n", re.S
)


@dataclass
class Told:
    """What a file says: pairs of the event, people by PIN, games in the order of the file."""

    event: list[tuple[str, str]]
    people: dict[str, dict[str, str]] = field(default_factory=dict)
    games: list[tuple[str, dict[str, str]]] = field(default_factory=list)


def tell(content: bytes) -> Told:
    """All that stands in a file of ours; fails where a byte is not as the grammar has it."""
    text = content.decode("ascii")
    assert text.count("\r") == text.count("\n") == text.count("\r\n")
    whole = HEADER.fullmatch(text)
    assert whole is not None
    told = Told([pairs(line)[0] for line in lines(whole["event"])])
    title = None
    for line in lines(whole["rest"]):
        found = pairs(line)
        names = [name for name, _value in found]
        assert len(set(names)) == len(names)
        if names[0] == "PIN":
            assert title is None and found[0][1] not in told.people and found[0][1] != "0"
            told.people[found[0][1]] = dict(found)
        elif names == ["MATCH RESULTS"]:
            title = found[0][1]
        elif names == ["WHITE ON"]:
            assert found == [("WHITE ON", "Unknown")]
        else:
            assert names[:5] == ["PIN1", "SCORE", "PIN2", "GAME DATE", "BOARD"]
            told.games.append((title, dict(found)))
    return told


def lines(text: str) -> list[str]:
    *found, rest = text.split("\r\n")
    assert rest == ""
    return found


def pairs(line: str) -> list[tuple[str, str]]:
    """The fields of a line in order: `#NAME=value`, and nothing outside of them."""
    before, *fields = line.split("#")
    assert before == "" and fields
    assert all("=" in each for each in fields), line
    return [tuple(each.split("=", 1)) for each in fields]


def written(told: Told) -> bytes:
    """The file that says this and nothing else, byte for byte."""
    out = ["#EVENT DETAILS", *(f"#{name}={value}" for name, value in told.event), "#PLAYER LIST"]
    out += [_line(who) for who in told.people.values()]
    last = None
    for title, game in told.games:
        board = int(game["BOARD"])
        if last is None or title != last[0] or board <= last[1]:
            out += [f"#MATCH RESULTS={title}", "#WHITE ON=Unknown"]
        last = (title, board)
        out.append(_line(game))
    return "".join(f"{line}\r\n" for line in [*out, "#FINISH"]).encode("ascii")


def _line(fields: dict[str, str]) -> str:
    return "".join(f"#{name}={value}" for name, value in fields.items())
