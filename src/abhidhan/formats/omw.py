"""Open Multilingual Wordnet's TAB files: words of one language for the ideas of Princeton WordNet 3.0."""

from collections.abc import Iterator
from typing import Final

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import DefinitionRecord, ExampleRecord, IdeaRecord, SourceRecord, WordRecord
from abhidhan.errors import InputError
from abhidhan.formats import wordnet
from abhidhan.formats.contents import Content
from abhidhan.formats.reading import Found, Options, placed_source, slug
from abhidhan.formats.text import Line, read_lines

PARTS: Final = {"n": "Common Noun", "a": "Proper Adjective", "r": "Adverb"}
"""Parts of speech for ideas that WordNet itself did not bring. A verb may be transitive or not."""

LANGUAGES: Final = {"qcn": "zh-Hant"}
"""Codes that are this collection's own: the Chinese Wordnet of Taiwan."""

SYNSET_LETTERS: Final = 10
HEADER_FIELDS: Final = 4


def read_omw(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read the .tab files among the contents; those beside them are passed over."""
    yield placed_source(wordnet.SOURCE)
    seen = False
    for content in contents:
        if content.base_name.endswith(".tab") and content.base_name.startswith("wn-") and "-ili" not in content.name:
            seen = True
            yield from _read_file(content, options)
    if not seen:
        raise InputError.of(
            "file", "There is no wn-...-....tab among the files: is this the Open Multilingual Wordnet?"
        )


def _read_file(content: Content, options: Options) -> Iterator[Found]:
    source: str | None = None
    default = ""
    group: list[tuple[Line, list[str]]] = []
    for line in read_lines(content, options.encoding):
        if isinstance(line, Fault):
            yield line
            continue
        if line.text.startswith("#"):
            if source is None:
                record = options.source or _source(line.text)
                source, default = record.code, line.text.split("\t")[1].strip() if "\t" in line.text else ""
                yield placed_source(record)
            continue
        fields = line.text.split("\t")
        if len(fields) < 3 or not _is_synset(fields[0]) or not fields[-1].strip(" _"):  # noqa: PLR2004  # synset, kind, text
            if line.text.strip():
                yield Fault(content.name, line.number, "The line is not: synset, a tab, language:lemma, a tab, a word.")
            continue
        if group and group[0][1][0] != fields[0]:
            yield _placed(content, group, (source, default), options)
            group = []
        group.append((line, fields))
    if group:
        yield _placed(content, group, (source, default), options)


def _source(header: str) -> SourceRecord:
    fields = [field.strip() for field in header.lstrip("# ").split("\t")]
    name, _, url, licence = (fields + [""] * HEADER_FIELDS)[:HEADER_FIELDS]
    code = "omw-" + slug(name)
    return SourceRecord(
        code, name, licence or "see the file", url or None, f"{name}, by way of the Open Multilingual Wordnet"
    )


def _is_synset(text: str) -> bool:
    return len(text) == SYNSET_LETTERS and text[:8].isdigit() and text[8] == "-"


def _placed(
    content: Content, group: list[tuple[Line, list[str]]], header: tuple[str | None, str], options: Options
) -> Placed:
    source, default = header
    synset = group[0][1][0]
    letter = "a" if synset[9] == "s" else synset[9]
    words: dict[tuple[str, str], WordRecord] = {}
    definitions: list[DefinitionRecord] = []
    examples: list[ExampleRecord] = []
    for _, fields in group:
        # Some files leave out the language, which their first line tells.
        given, _, kind = fields[1].partition(":") if ":" in fields[1] else (default, ":", fields[1])
        language = options.code(LANGUAGES.get(given, given))
        text = fields[-1].replace("_", " ").strip()
        if not text:
            continue
        if kind.startswith("def"):
            definitions.append(DefinitionRecord(language, text))
        elif kind.startswith("exe"):
            examples.append(ExampleRecord(language, text))
        elif kind != "lemma:root":
            words[language, text] = WordRecord(language, text, source=source)
    idea = IdeaRecord(
        wordnet.SOURCE.code,
        f"{synset[:8]}-{letter}",
        PARTS.get(letter),
        tuple(words.values()),
        definitions=tuple(definitions),
        examples=tuple(examples),
    )
    return Placed(content.name, group[0][0].number, idea)
