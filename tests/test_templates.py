"""No template needs what the strict policy forbids, and each says its words for translation."""

import re
from pathlib import Path

import pytest
from django.template import engines

ROOT = Path(__file__).resolve().parent.parent
OWN = sorted(path for path in (ROOT / "templates").rglob("*.*") if path.is_file())
# What is the same in every language.
NAMES = {"Topboard", "CSV", "JSON", "Excel", "Ctrl", "Enter", "English", "Français"}
FORBIDDEN = {
    "an inline style": r"\sstyle\s*=|<style[\s>]",
    "an inline script": r"<script(?![^>]*\ssrc=)[^>]*>",
    "an event attribute": r"<[^>]*\son[a-z]+\s*=",
    "a javascript address": r"javascript:",
    "a file from elsewhere": r"(src|href)\s*=\s*[\"']?(https?:)?//",
}


def names(path) -> str:
    return str(path.relative_to(ROOT))


def test_there_are_templates():
    assert "templates/base.html" in map(names, OWN)


@pytest.mark.parametrize("path", OWN, ids=names)
def test_nothing_the_policy_forbids(path):
    text = path.read_text()
    found = {what: re.findall(how, text, re.I) for what, how in FORBIDDEN.items()}
    if path.parent.name == "mail":  # a mail has no stylesheet, and no policy of ours
        del found["an inline style"]
    assert {what: lines for what, lines in found.items() if lines} == {}


@pytest.mark.parametrize("path", OWN, ids=names)
def test_it_can_be_read(path):
    engines["django"].engine.get_template(str(path.relative_to(ROOT / "templates")))


def untranslated(text: str) -> set[str]:
    """The words of a template that stand outside its translation tags."""
    text = re.sub(r"{% comment %}.*?{% endcomment %}|{#.*?#}", "", text, flags=re.S)
    text = re.sub(r"{% blocktranslate\b.*?{% endblocktranslate %}", "", text, flags=re.S)
    text = re.sub(r"{%.*?%}|{{.*?}}", "", text, flags=re.S)
    words = re.findall(r'(?:title|aria-label|placeholder|alt)="([^"]*)"', text)
    words.append(re.sub(r"<[^>]*>|&\w+;", " ", text, flags=re.S))
    return set(re.findall(r"[^\W\d_]{2,}", " ".join(words)))


@pytest.mark.parametrize("path", OWN, ids=names)
def test_every_word_is_marked_for_translation(path):
    assert untranslated(path.read_text()) - NAMES == set()


def test_python_writes_no_style_either():
    made = [
        names(path)
        for floor in ("clubs", "ratings", "games", "config")
        for path in sorted((ROOT / floor).rglob("*.py"))
        if re.search(r"\sstyle=[\"']|<style|<script", path.read_text())
    ]
    assert made == []
