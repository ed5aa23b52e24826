"""A page as a reader meets it: its tables as rows of texts, its headings and its links."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """`tables` are lists of rows of cell texts, `links` pairs of text and address."""

    VOID = {"meta", "link", "img", "input", "br", "hr"}

    def __init__(self, response):
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.headings: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.text = ""
        self.open: list[list] = []
        self.feed(response.content.decode())
        self.text = squash(self.text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        if tag == "br" or attributes.get("class") == "sub":
            self.handle_data(" ")
        if tag not in self.VOID:
            self.open.append([tag, attributes, ""])

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        name, attributes, text = self.open.pop()
        if tag in ("a", "li", "p", "h1", "h2", "h3", "td", "th"):
            self.handle_data(" ")
        assert name == tag, f"{name} is closed by {tag}"
        text = squash(text)
        if tag in ("td", "th"):
            self.tables[-1][-1].append(text)
        elif tag in ("h1", "h2", "h3"):
            self.headings.append(text)
        elif tag == "a":
            self.links.append((text, attributes.get("href")))

    def handle_data(self, data):
        hidden = any(attributes.get("aria-hidden") for _tag, attributes, _text in self.open)
        if any(tag in ("script", "style", "title") for tag, _a, _t in self.open) or hidden:
            return
        for element in self.open:
            element[2] += data
        self.text += data


def squash(text: str) -> str:
    """The text with single plain spaces."""
    return " ".join(text.split())
