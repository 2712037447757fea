"""A meaning as Yomitan shows it: its structured content, which is a small part of HTML written as JSON."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias
from urllib.parse import quote

from abhidhan.domain.words import Meaning

Content: TypeAlias = "str | float | bool | Sequence[Content] | Mapping[str, Content]"
"""What JSON can say."""

LIST_STYLE: Final = {"listStyleType": "none", "paddingLeft": "0"}
EXAMPLE_STYLE: Final = {"fontStyle": "normal", "marginLeft": "1em"}
_BETWEEN: Final = re.compile(r"\s+")


def tag_named(value: str) -> str:
    """Return the name of a value as a tag: spaces part tags."""
    return _BETWEEN.sub("-", value)


def content_of(meaning: Meaning, codes: Mapping[int, str]) -> list[Content]:
    """Return definitions, the words of other languages, and examples. A word leads to its own entry."""
    shown: list[Content] = [_text("div", one.text, codes.get(one.language_id)) for one in meaning.definitions]
    words = list(_words(meaning, codes))
    if words:
        shown.append({"tag": "ul", "style": LIST_STYLE, "content": words})
    for example in meaning.examples:
        said: list[Content] = [_text("span", example.text, codes.get(example.language_id))]
        said += [f" — {example.translation}"] if example.translation else []
        shown.append({"tag": "div", "style": EXAMPLE_STYLE, "content": said})
    return shown or [""]


def _words(meaning: Meaning, codes: Mapping[int, str]) -> Iterator[Content]:
    """Yield the words of each language as a line."""
    named: dict[str, list[Content]] = {}
    for word in meaning.translations:
        links = named.setdefault(word.language, [])
        links += [", "] if links else []
        links.append(_text("a", word.word, codes.get(word.language_id)) | {"href": f"?query={quote(word.word)}"})
    for language, links in named.items():
        yield {"tag": "li", "content": [f"{language}: ", *links]}


def _text(tag: str, text: str, code: str | None) -> dict[str, Content]:
    shown: dict[str, Content] = {"tag": tag, "content": text}
    return shown | ({"lang": code} if code else {})
