"""Writer of dictionaries for Yomitan (format 3), a browser extension that explains the word under the pointer."""

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import quote

import msgspec

from abhidhan.formats.writers.export_source import ExportLists, ExportSource, add_file, open_archive
from abhidhan.formats.writers.reader_names import LabelledForms, WordFormReader, list_other_spellings
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.timestamps import DAY_SECONDS
from abhidhan.records.words import Meaning, Word

FORMAT_VERSION: Final = 3
MAX_BANK_ROWS: Final = 10_000
"""Maximum number of rows in a file of the archive, since Yomitan loads files whole."""

LATIN_SCRIPT: Final = "Latn"
FORM_TAG: Final = "form"
"""The tag of inflected forms."""

OTHER_SPELLING: Final = "other spelling"
"""Yomitan's label for another spelling of a word."""

RULE_BY_CLASS: Final = {"Noun": "n", "Verb": "v", "Adjective": "adj", "Adjective/Adverb": "adv"}
"""Yomitan's deinflection rules by word class."""

CATEGORY_BY_LIST: Final = {
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

BankRow = Sequence[Content]


def write_yomitan(export: ExportSource, target: Path) -> None:
    """Write the words of all languages of the export, with their forms."""
    lookups, form_reader = _Lookups(export), WordFormReader(export)
    with open_archive(target) as zip_file:
        add_file(zip_file, "index.json", msgspec.json.encode(_build_index(export)))
        add_file(zip_file, "tag_bank_1.json", msgspec.json.encode(lookups.tags))
        terms, metadata = _BankWriter(zip_file, "term_bank"), _BankWriter(zip_file, "term_meta_bank")
        for language in export.languages:
            for word, forms in form_reader.iter_words(language):
                reading = word.roman or "" if language.script != LATIN_SCRIPT else ""
                for row in _iter_terms(word, reading, lookups):
                    terms.add(row)
                for row in _iter_forms(word, forms):
                    terms.add(row)
                for row in _iter_metadata(word, reading):
                    metadata.add(row)
        terms.close()
        metadata.close()
        add_file(zip_file, "SOURCES.txt", (export.format_terms() + "\n").encode())


class _BankWriter:
    """Writer of rows of one kind into the archive, in files of limited size."""

    def __init__(self, zip_file: zipfile.ZipFile, name: str) -> None:
        self._zip_file = zip_file
        self._name = name
        self._rows: list[bytes] = []
        self._file_count = 0

    def add(self, row: BankRow) -> None:
        self._rows.append(msgspec.json.encode(row))
        if len(self._rows) >= MAX_BANK_ROWS:
            self.close()

    def close(self) -> None:
        if self._rows:
            self._file_count += 1
            add_file(self._zip_file, f"{self._name}_{self._file_count}.json", b"[" + b",\n".join(self._rows) + b"]")
            self._rows = []


class _Lookups:
    """Lookup tables of terms: language codes, word classes, and tags of values."""

    def __init__(self, export: ExportSource) -> None:
        export_lists = ExportLists(export)
        list_items = [one for one in export_lists.items if one.list in CATEGORY_BY_LIST]
        self.language_codes = export_lists.codes
        self.word_classes = {one.value: one.code for one in list_items if one.code}
        self.has_multiple_languages = len(export.languages) > 1
        self.tags: list[BankRow] = [[FORM_TAG, "", 0, "an inflected form", 0]]
        self.tags += [
            [_format_tag(one.value), CATEGORY_BY_LIST[ListName(one.list)], 1, one.value, 0] for one in list_items
        ]
        self.tags += [[_format_tag(one.name), "dictionary", 2, one.name, 0] for one in export.languages]


def _build_index(export: ExportSource) -> dict[str, Content]:
    index: dict[str, Content] = {
        "title": export.title,
        "revision": f"{export.date:%Y.%-m.%-d}.{export.moment % DAY_SECONDS}",
        "format": FORMAT_VERSION,
        "sequenced": True,
        "author": "Abhidhan",
        "description": f"Licences: {export.format_licences()}",
        "attribution": export.format_terms(),
        "frequencyMode": "occurrence-based",
    }
    return index | (
        {"sourceLanguage": export.languages[0].code.partition("-")[0]} if len(export.languages) == 1 else {}
    )


def _iter_terms(word: Word, reading: str, lookups: _Lookups) -> Iterator[BankRow]:
    """Yield a row for each meaning; the rows of a word share a sequence number."""
    language_tag = _format_tag(word.language) if lookups.has_multiple_languages else ""
    for index, meaning in enumerate(word.meanings):
        tags = " ".join(_format_tag(value.value) for value in (meaning.pos, meaning.gender, *meaning.contexts) if value)
        rules = RULE_BY_CLASS.get(lookups.word_classes.get(meaning.pos.value, ""), "") if meaning.pos else ""
        structured_content: Content = {
            "type": "structured-content",
            "content": _build_content(meaning, lookups.language_codes),
        }
        yield [word.word, reading, tags, rules, -index, [structured_content], word.id, language_tag]


def _iter_metadata(word: Word, reading: str) -> Iterator[BankRow]:
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


def _iter_forms(word: Word, forms: LabelledForms) -> Iterator[BankRow]:
    """Yield a row for each form and other spelling, with all its labels."""
    names: dict[str, Sequence[str]] = {spelling: [OTHER_SPELLING] for spelling in list_other_spellings(word.word)}
    for form, labels in forms.items():
        names |= dict.fromkeys((form, *list_other_spellings(form)), labels)
    for name, labels in names.items():
        yield [name, "", FORM_TAG, "", 0, [[word.word, [label]] for label in labels], 0, ""]


# --- meanings as structured content, a subset of HTML in JSON -----------------------------------------------------


def _format_tag(value: str) -> str:
    """Return the name of a value as a tag, in which spaces are not allowed."""
    return _SPACES.sub("-", value)


def _build_content(meaning: Meaning, codes: Mapping[int, str]) -> list[Content]:
    """Return the content of a meaning: definitions, words in other languages with links, and examples."""
    parts: list[Content] = [
        _build_text("div", definition.text, codes.get(definition.language_id)) for definition in meaning.definitions
    ]
    words = list(_iter_words(meaning, codes))
    if words:
        parts.append({"tag": "ul", "style": LIST_STYLE, "content": words})
    for example in meaning.examples:
        content: list[Content] = [_build_text("span", example.text, codes.get(example.language_id))]
        content += [f" — {example.translation}"] if example.translation else []
        parts.append({"tag": "div", "style": EXAMPLE_STYLE, "content": content})
    return parts or [""]


def _iter_words(meaning: Meaning, codes: Mapping[int, str]) -> Iterator[Content]:
    """Yield the words of each language as a line."""
    links_by_language: dict[str, list[Content]] = {}
    for word in meaning.translations:
        links = links_by_language.setdefault(word.language, [])
        links += [", "] if links else []
        links.append(_build_text("a", word.word, codes.get(word.language_id)) | {"href": f"?query={quote(word.word)}"})
    for language, links in links_by_language.items():
        yield {"tag": "li", "content": [f"{language}: ", *links]}


def _build_text(tag: str, text: str, code: str | None) -> dict[str, Content]:
    node: dict[str, Content] = {"tag": tag, "content": text}
    return node | ({"lang": code} if code else {})
