"""Writer of dictionaries for Yomitan (format 3), a browser extension that explains the word under the pointer."""

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import quote

import msgspec

from abhidhan.formats.writers.export_source import ExportLists, ExportSource, add_file, archive
from abhidhan.formats.writers.reader_names import Forms, WordFormSource, other_spellings
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.words import Meaning, Word

FORMAT: Final = 3
MAX_BANK_ROWS: Final = 10_000
"""Maximum number of rows in a file of the archive, since Yomitan loads files whole."""

LATIN: Final = "Latn"
FORM: Final = "form"
"""The tag of inflected forms."""

OTHER_SPELLING: Final = "other spelling"
"""Yomitan's label for another spelling of a word."""

RULES: Final = {"Noun": "n", "Verb": "v", "Adjective": "adj", "Adjective/Adverb": "adv"}
"""Yomitan's deinflection rules by word class."""

CATEGORIES: Final = {
    ListName.PARTS_OF_SPEECH: "partOfSpeech",
    ListName.GENDERS: "partOfSpeech",
    ListName.CONTEXTS: "expression",
}
"""Yomitan's tag category for the values of a list, which determines their colour."""

LIST_STYLE: Final = {"listStyleType": "none", "paddingLeft": "0"}
EXAMPLE_STYLE: Final = {"fontStyle": "normal", "marginLeft": "1em"}
_SPACES: Final = re.compile(r"\s+")

Content: TypeAlias = "str | float | bool | Sequence[Content] | Mapping[str, Content]"
"""A JSON value."""

Row = Sequence[Content]


def write_yomitan(book: ExportSource, target: Path) -> None:
    """Write the words of all languages of the export, with their forms."""
    lookups, forms_of_words = _Lookups(book), WordFormSource(book)
    with archive(target) as zip_file:
        add_file(zip_file, "index.json", msgspec.json.encode(_index(book)))
        add_file(zip_file, "tag_bank_1.json", msgspec.json.encode(lookups.tags))
        terms, about = _BankWriter(zip_file, "term_bank"), _BankWriter(zip_file, "term_meta_bank")
        for language in book.languages:
            for word, forms in forms_of_words.words(language):
                reading = word.roman or "" if language.script != LATIN else ""
                for row in _terms(word, reading, lookups):
                    terms.add(row)
                for row in _forms(word, forms):
                    terms.add(row)
                for row in _facts(word, reading):
                    about.add(row)
        terms.close()
        about.close()
        add_file(zip_file, "SOURCES.txt", (book.terms() + "\n").encode())


class _BankWriter:
    """Writer of rows of one kind into the archive, in files of limited size."""

    def __init__(self, zip_file: zipfile.ZipFile, name: str) -> None:
        self._made = zip_file
        self._name = name
        self._rows: list[bytes] = []
        self._files = 0

    def add(self, row: Row) -> None:
        self._rows.append(msgspec.json.encode(row))
        if len(self._rows) >= MAX_BANK_ROWS:
            self.close()

    def close(self) -> None:
        if self._rows:
            self._files += 1
            add_file(self._made, f"{self._name}_{self._files}.json", b"[" + b",\n".join(self._rows) + b"]")
            self._rows = []


class _Lookups:
    """Lookup tables of terms: language codes, word classes, and tags of values."""

    def __init__(self, book: ExportSource) -> None:
        catalogue = ExportLists(book)
        named = [one for one in catalogue.values if one.list in CATEGORIES]
        self.codes = catalogue.codes
        self.classes = {one.value: one.code for one in named if one.code}
        self.is_of_several = len(book.languages) > 1
        self.tags: list[Row] = [[FORM, "", 0, "an inflected form", 0]]
        self.tags += [[_tag(one.value), CATEGORIES[ListName(one.list)], 1, one.value, 0] for one in named]
        self.tags += [[_tag(one.name), "dictionary", 2, one.name, 0] for one in book.languages]


def _index(book: ExportSource) -> dict[str, Content]:
    index: dict[str, Content] = {
        "title": book.title,
        "revision": f"{book.date:%Y.%-m.%-d}.{book.moment % 86400}",
        "format": FORMAT,
        "sequenced": True,
        "author": "Abhidhan",
        "description": f"Licences: {book.licences()}",
        "attribution": book.terms(),
        "frequencyMode": "occurrence-based",
    }
    return index | ({"sourceLanguage": book.languages[0].code.partition("-")[0]} if len(book.languages) == 1 else {})


def _terms(word: Word, reading: str, lookups: _Lookups) -> Iterator[Row]:
    """Yield a row for each meaning; the rows of a word share a sequence number."""
    of_language = _tag(word.language) if lookups.is_of_several else ""
    for index, meaning in enumerate(word.meanings):
        tags = " ".join(_tag(value.value) for value in (meaning.pos, meaning.gender, *meaning.contexts) if value)
        rules = RULES.get(lookups.classes.get(meaning.pos.value, ""), "") if meaning.pos else ""
        explained: Content = {"type": "structured-content", "content": _content(meaning, lookups.codes)}
        yield [word.word, reading, tags, rules, -index, [explained], word.id, of_language]


def _facts(word: Word, reading: str) -> Iterator[Row]:
    """Yield the frequency and pronunciation of a word."""
    if word.frequency:
        frequency: Content = {"value": word.frequency, "displayValue": f"{word.frequency:g} in a million"}
        yield [word.word, "freq", {"reading": reading or word.word, "frequency": frequency}]
    if word.explicit_ipa:
        yield [
            word.word,
            "ipa",
            {"reading": reading or word.word, "transcriptions": [{"ipa": f"/{word.explicit_ipa}/"}]},
        ]


def _forms(word: Word, forms: Forms) -> Iterator[Row]:
    """Yield a row for each form and other spelling, with all its labels."""
    names: dict[str, Sequence[str]] = {spelling: [OTHER_SPELLING] for spelling in other_spellings(word.word)}
    for form, labels in forms.items():
        names |= dict.fromkeys((form, *other_spellings(form)), labels)
    for name, labels in names.items():
        yield [name, "", FORM, "", 0, [[word.word, [label]] for label in labels], 0, ""]


# --- meanings as structured content, a subset of HTML in JSON -----------------------------------------------------


def _tag(value: str) -> str:
    """Return the name of a value as a tag, in which spaces are not allowed."""
    return _SPACES.sub("-", value)


def _content(meaning: Meaning, codes: Mapping[int, str]) -> list[Content]:
    """Return the content of a meaning: definitions, words in other languages with links, and examples."""
    parts: list[Content] = [
        _text("div", definition.text, codes.get(definition.language_id)) for definition in meaning.definitions
    ]
    words = list(_words(meaning, codes))
    if words:
        parts.append({"tag": "ul", "style": LIST_STYLE, "content": words})
    for example in meaning.examples:
        content: list[Content] = [_text("span", example.text, codes.get(example.language_id))]
        content += [f" — {example.translation}"] if example.translation else []
        parts.append({"tag": "div", "style": EXAMPLE_STYLE, "content": content})
    return parts or [""]


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
    node: dict[str, Content] = {"tag": tag, "content": text}
    return node | ({"lang": code} if code else {})
