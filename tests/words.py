"""The words of the house and their French: `python -m tests.words` after words have changed.

Reads every marked string out of the code, brings `django.po` up to date with them, and compiles
`django.mo`, which is what Django reads. Needs Babel, and no gettext. What is new stands in the
`.po` with an empty `msgstr`; the command prints those that a page could show.
"""

import ast
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
PO = ROOT / "config" / "locale" / "fr" / "LC_MESSAGES" / "django.po"
MO = PO.with_suffix(".mo")
# What each call's arguments are: s a message, p its plural, c what tells it from its likes.
CALLS = {
    **dict.fromkeys(["_", "gettext", "gettext_lazy", "gettext_noop"], "s"),
    **dict.fromkeys(["ngettext", "ngettext_lazy"], "sp"),
    **dict.fromkeys(["pgettext", "pgettext_lazy"], "cs"),
    **dict.fromkeys(["npgettext", "npgettext_lazy"], "csp"),
}
STRING = r"""u?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
CALL = re.compile(rf"\b(n?p?gettext|_)\(({STRING}(?:\s*,\s*{STRING})*)")
# Where only the command line looks: in English. All else is complete in French, which
# tests/test_words.py keeps.
COMMANDS = "*/management/* */demo/* */migrations/*"


HEADER = """msgid ""
msgstr ""
"Language: fr\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"

"""


def blank() -> Catalog:
    """A catalog of French without a word; Babel's own French has a plural more, for millions."""
    return read_po(io.BytesIO(HEADER.encode()), locale="fr")


def is_command(path: str) -> bool:
    return any(fnmatch(path, pattern) for pattern in COMMANDS.split())


def in_python(text: str) -> Iterator[tuple[str, list[str]]]:
    """The calls that mark a string, each with its literal arguments in order."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            wanted = node.args[: len(CALLS.get(name, ""))]
            words = [arg.value for arg in wanted if isinstance(arg, ast.Constant)]
            if words and all(isinstance(word, str) for word in words):
                yield name, words


def in_template(text: str) -> Iterator[tuple[str, list[str]]]:
    """The same of a template, by what Django itself makes of it for gettext."""
    for name, words in CALL.findall(templatize(text)):
        yield name, [ast.literal_eval(word) for word in re.findall(STRING, words)]


def marked() -> Catalog:
    """Every string marked for translation, with the files it stands in."""
    found = blank()
    for floor in ("clubs", "config", "games", "ratings", "templates"):
        for path in sorted((ROOT / floor).rglob("*.*")):
            if path.suffix not in (".py", ".html", ".txt"):
                continue
            read = in_python if path.suffix == ".py" else in_template
            for name, words in read(path.read_text()):
                if len(words) == len(CALLS[name]):
                    said = dict(zip(CALLS[name], words, strict=True))
                    both = (said["s"], said["p"]) if "p" in said else said["s"]
                    where = [(str(path.relative_to(ROOT)), 0)]
                    found.add(both, locations=where, context=said.get("c"))
    return found


def french() -> Catalog:
    """The translations as they are stored."""
    if not PO.exists():
        return blank()
    with PO.open("rb") as file:
        return read_po(file, locale="fr")


def strings(message: Message) -> list[str]:
    """What it is in French: one string, or one for each plural form."""
    said = message.string or ""
    return [said] if isinstance(said, str) else list(said)


def is_translated(message: Message) -> bool:
    return all(strings(message)) and not message.fuzzy


def up_to_date() -> Catalog:
    """What is marked, each with the French it has; what is no longer marked is left out."""
    old, new = french(), marked()
    fresh = blank()
    for message in sorted(new, key=lambda message: (message.locations[:1], str(message.id))):
        if not message.id:
            continue
        known = old.get(message.id if isinstance(message.id, str) else message.id[0])
        if message.context:
            known = old.get(message.id, message.context)
        string = known.string if known and type(known.id) is type(message.id) else None
        where = [(path, None) for path in sorted({path for path, _ in message.locations})]
        fresh.add(message.id, string, locations=where, context=message.context)
    return fresh


def missing(catalog: Catalog) -> list[Message]:
    """What a page or a mail could show and is not in French."""
    return [
        message
        for message in catalog
        if message.id
        and not is_translated(message)
        and not all(is_command(path) for path, _ in message.locations)
    ]


def compiled(catalog: Catalog) -> bytes:
    """The `.mo` of a catalog, the same bytes for the same words."""
    file = io.BytesIO()
    catalog.creation_date = catalog.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    write_mo(file, catalog)
    return file.getvalue()


def written(catalog: Catalog) -> bytes:
    """The `.po` of a catalog without dates and line numbers, so that only words make it differ."""
    file = io.BytesIO()
    write_po(file, catalog, width=98, omit_header=True)
    return HEADER.encode() + file.getvalue()


def main() -> None:
    catalog = up_to_date()
    PO.write_bytes(written(catalog))
    MO.write_bytes(compiled(french()))
    for message in missing(catalog):
        print(message.locations[0][0], repr(message.id))
    done = sum(bool(message.id) and is_translated(message) for message in catalog)
    print(f"{done} of {len(catalog)} in French, {len(missing(catalog))} missing that pages show")


if __name__ == "__main__":
    main()
