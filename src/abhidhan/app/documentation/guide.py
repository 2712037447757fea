"""Guides for those who build apps: pages made of the documents in `docs`, of as much Markdown as these use."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from markupsafe import Markup

from abhidhan.app.documentation.page import language_of

OWN_ADDRESS: Final = "http://127.0.0.1:8080"
"""The address that examples ask; where the operator has told the site's own, they ask that."""

ADDRESSES: Final[Mapping[str, str]] = {"api.md": "/api/docs"}
"""Where links to other documents lead."""

_FENCED: Final = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
_MARKED: Final = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)")


class Heading(NamedTuple):
    """A heading of the second level, as the contents list it."""

    anchor: str
    text: str


class Guide(NamedTuple):
    """A guide as its page shows it."""

    title: str
    contents: tuple[Heading, ...]
    body: Markup


def read_guide(source: str, base_url: str = "") -> Guide:
    """Read a guide; its examples ask `base_url`, where there is one."""
    if base_url:
        source = source.replace(OWN_ADDRESS, base_url)
    title = re.search(r"^# (.+)$", source, re.MULTILINE)
    return Guide(
        title[1] if title else "",
        tuple(Heading(anchor_of(text), text) for text in re.findall(r"^## (.+)$", source, re.MULTILINE)),
        Markup("\n").join(_blocks(source)),
    )


def anchor_of(heading: str) -> str:
    """Return the name by which a heading can be linked to."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def code_blocks(source: str) -> list[tuple[str, str]]:
    """List the examples of a guide: the language of each, and the code."""
    return _FENCED.findall(source)


def _blocks(source: str) -> Iterator[Markup]:
    """Write each block of a document: code as it stands, the rest by its first letters."""
    done = 0
    for fenced in _FENCED.finditer(source):
        yield from _texts(source[done : fenced.start()])
        # It can be scrolled, and so must be reached by the keyboard.
        yield Markup('<pre tabindex="0"><code>{}</code></pre>').format(fenced[2])
        done = fenced.end()
    yield from _texts(source[done:])


def _texts(source: str) -> Iterator[Markup]:
    for block in filter(None, (each.strip() for each in source.split("\n\n"))):
        marks, _, text = block.partition(" ")
        if marks == "##":
            yield Markup('<h2 id="{}">{}</h2>').format(anchor_of(text), _marked(text))
        elif marks == "-":
            lines = re.split(r"\n- ", text)
            yield Markup("<ul>{}</ul>").format(
                Markup().join(Markup("<li>{}</li>").format(_marked(each)) for each in lines)
            )
        elif marks != "#":
            yield Markup("<p>{}</p>").format(_marked(block))


def _marked(text: str) -> Markup:
    """Write text with code, emphasis and links; what is in another script carries its language."""
    written, done = Markup(), 0
    for found in _MARKED.finditer(text):
        written += _in_script(text[done : found.start()]) + _mark(found)
        done = found.end()
    return written + _in_script(text[done:])


def _mark(found: re.Match[str]) -> Markup:
    code, strong, label, address = found.groups()
    if code is not None:
        language = language_of(code)
        return (
            Markup('<code lang="{}">{}</code>').format(language, code)
            if language
            else Markup("<code>{}</code>").format(code)
        )
    if strong is not None:
        return Markup("<strong>{}</strong>").format(strong)
    return Markup('<a href="{}">{}</a>').format(ADDRESSES.get(address, address), label)


def _in_script(text: str) -> Markup:
    """Mark words in Assamese letters as such."""
    pieces = re.split(r"([\u0980-\u09ff]+)", text)
    return Markup().join(
        Markup('<span lang="as">{}</span>').format(each) if at % 2 else Markup("{}").format(each)
        for at, each in enumerate(pieces)
    )
