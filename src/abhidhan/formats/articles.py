"""Articles that are only text, as dictd and StarDict keep them: read into words and definitions as far as they tell."""

import html
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from abhidhan.domain.records import DefinitionRecord, ExampleRecord, IdeaRecord, WordRecord
from abhidhan.formats.parts import part_of_speech
from abhidhan.formats.reading import Options, is_short, key_of, words_of

_TAG: Final = re.compile(r"<(?:br|p|div|li|/p|/div|/li|/tr)[^>]*>", re.IGNORECASE)
_ANY_TAG: Final = re.compile(r"</?[a-zA-Z][^>]*>")
_IPA: Final = re.compile(r"^/([^/\n]+)/|^\[([^\]\n]+)\]")
_LABEL: Final = re.compile(r"^<([^>\n]{1,30})>")
_NUMBER: Final = re.compile(r"^\s*\d+[.)]\s+", re.MULTILINE)
_EXAMPLE: Final = re.compile(r"^\s*[\"“]([^\"”]+)[\"”]\s*$", re.MULTILINE)
_FIELD: Final = re.compile(r"\[[a-z. ]+\]\s*")


class Article(NamedTuple):
    """A headword and its text."""

    headword: str
    text: str


def without_markup(text: str) -> str:
    """Take HTML and Pango tags off; ends of paragraphs are ends of lines."""
    return html.unescape(_ANY_TAG.sub("", _TAG.sub("\n", text)))


def article_ideas(article: Article, source: str, options: Options) -> Iterator[IdeaRecord]:
    """Read the meanings of an article, one idea each: short ones are translations, long ones definitions."""
    language = options.own_language()
    target = options.code(options.target or "en")
    body = article.text.strip()
    body = body.removeprefix(article.headword).strip() if body.startswith(article.headword) else body
    body, ipa = _taken(_IPA, body)
    body, label = _taken(_LABEL, body)
    if not ipa:
        body, ipa = _taken(_IPA, body)
    labels = [one.strip() for one in (label or "").split(",")]
    pos = next((found for one in labels if (found := part_of_speech(one, options))), None)
    for text in (piece.strip() for piece in _NUMBER.split(body)):
        examples = tuple(ExampleRecord(language, " ".join(one.split())) for one in _EXAMPLE.findall(text))
        meaning = " ".join(_FIELD.sub(" ", _EXAMPLE.sub("", text)).split()).strip("/ ")
        if not meaning:
            continue
        translations = words_of(target, meaning) if is_short(meaning) and target != language else ()
        yield IdeaRecord(
            source,
            key_of(language, article.headword, meaning),
            pos,
            (WordRecord(language, article.headword, ipa=ipa), *translations),
            definitions=() if translations else (DefinitionRecord(target, meaning),),
            examples=examples,
        )


def _taken(pattern: re.Pattern[str], text: str) -> tuple[str, str | None]:
    found = pattern.match(text)
    if found is None:
        return text, None
    return text[found.end() :].strip(), next(group for group in found.groups() if group is not None)
