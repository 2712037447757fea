"""Look at a page of HTML as tests need to: its elements, and what stands in them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "img", "br", "hr", "path"}


@dataclass
class Element:
    """An element with its attributes, its text, and the languages that hold for it."""

    name: str
    attributes: dict[str, str]
    language: str
    direction: str
    text: str = ""


@dataclass(repr=False)
class Page(HTMLParser):
    """The elements of a page in their order."""

    source: str
    elements: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Read the page to its end."""
        super().__init__(convert_charrefs=True)
        self._open: list[Element] = []
        self.feed(self.source)
        self.close()
        assert not self._open, [element.name for element in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        attributes = {name: value or "" for name, value in attrs}
        above = self._open[-1] if self._open else Element("", {}, "", "")
        element = Element(
            tag, attributes, attributes.get("lang", above.language), attributes.get("dir", above.direction)
        )
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add an element that closes itself, such as the paths of a picture."""
        assert tag in VOID, tag
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Close an element; the elements must be nested well."""
        assert self._open, tag
        element = self._open.pop()
        assert element.name == tag, f"{element.name} is closed by {tag}"

    def handle_data(self, data: str) -> None:
        """Add text to every open element."""
        for element in self._open:
            element.text += data

    def all(self, name: str, /, **attributes: str) -> list[Element]:
        """List the elements of a name that have these attributes."""
        return [
            element
            for element in self.elements
            if element.name == name and all(element.attributes.get(key) == text for key, text in attributes.items())
        ]

    def one(self, name: str, /, **attributes: str) -> Element:
        """Return the one element that fits."""
        found = self.all(name, **attributes)
        assert len(found) == 1, f"{len(found)} elements <{name} {attributes}>"
        return found[0]

    @property
    def title(self) -> str:
        """The title."""
        return self.one("title").text

    @property
    def description(self) -> str:
        """The description for search engines."""
        return self.one("meta", name="description").attributes["content"]

    @property
    def main(self) -> str:
        """The text of the main part, white space collapsed."""
        return " ".join(self.one("main").text.split())

    def links_to(self, address: str) -> list[Element]:
        """List the links to an address."""
        return self.all("a", href=address)


def assert_landmarks_differ(page: Page) -> None:
    """Make sure that landmarks of one kind can be told apart by their names."""
    headings = {element.attributes["id"]: element.text for element in page.elements if "id" in element.attributes}
    for found in (page.all("form", role="search"), page.all("nav"), page.all("section")):
        names = [
            element.attributes.get("aria-label") or headings.get(element.attributes.get("aria-labelledby", ""))
            for element in found
        ]
        assert all(names), names
        assert len(set(names)) == len(names), names
