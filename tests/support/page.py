"""Parser of HTML pages for tests: their elements with text and attributes."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "img", "br", "hr", "path"}


@dataclass
class Element:
    """An element with its attributes, its text, and its languages, including inherited ones."""

    name: str
    attributes: dict[str, str]
    language: str
    direction: str
    text: str = ""


@dataclass(repr=False)
class Page(HTMLParser):
    """The elements of a page, in order."""

    source: str
    elements: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Parse the page."""
        super().__init__(convert_charrefs=True)
        self._open: list[Element] = []
        self.feed(self.source)
        self.close()
        assert not self._open, [element.name for element in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add an element."""
        attributes = {name: value or "" for name, value in attrs}
        above = self._open[-1] if self._open else Element("", {}, "", "")
        element = Element(
            tag, attributes, attributes.get("lang", above.language), attributes.get("dir", above.direction)
        )
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add a void element, such as a path of an SVG picture."""
        assert tag in VOID, tag
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Close an element; fail if the elements are not properly nested."""
        assert self._open, tag
        element = self._open.pop()
        assert element.name == tag, f"{element.name} is closed by {tag}"

    def handle_data(self, data: str) -> None:
        """Add text to all open elements."""
        for element in self._open:
            element.text += data

    def all(self, name: str, /, **attributes: str) -> list[Element]:
        """Return the elements with a name and attributes."""
        return [
            element
            for element in self.elements
            if element.name == name and all(element.attributes.get(key) == text for key, text in attributes.items())
        ]

    def one(self, name: str, /, **attributes: str) -> Element:
        """Return the only element with a name and attributes."""
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
        """The text of the main part, with white space collapsed."""
        return " ".join(self.one("main").text.split())

    def links_to(self, address: str) -> list[Element]:
        """Return the links to a URL."""
        return self.all("a", href=address)


def assert_landmarks_differ(page: Page) -> None:
    """Check that landmarks of one kind have different names."""
    headings = {element.attributes["id"]: element.text for element in page.elements if "id" in element.attributes}
    for found in (page.all("form", role="search"), page.all("nav"), page.all("section")):
        names = [
            element.attributes.get("aria-label") or headings.get(element.attributes.get("aria-labelledby", ""))
            for element in found
        ]
        assert all(names), names
        assert len(set(names)) == len(names), names
