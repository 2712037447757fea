"""Reader of the Open Multilingual Wordnet's TAB files: words of one language for the ideas of Princeton WordNet 3.0."""

from collections.abc import Iterator
from operator import itemgetter
from typing import Final

from abhidhan.formats import wordnet
from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord, join_notes, slugify, wrap_source
from abhidhan.formats.losses import find_losses
from abhidhan.formats.text_decoding import TextLine, read_lines
from abhidhan.records.errors import InputError
from abhidhan.records.ids import parse_number
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import DefinitionRecord, ExampleRecord, IdeaRecord, SourceRecord, WordRecord

POS_BY_LETTER: Final = {"n": "Common Noun", "v": "Verb", "a": "Proper Adjective", "r": "Adverb"}
"""Parts of speech by letter of the synset, for ideas that were not imported from WordNet before."""

CODE_BY_LANGUAGE: Final = {"qcn": "zh-Hant"}
"""Standard language codes for non-standard ones: the Chinese Wordnet of Taiwan."""

TEXT_KINDS: Final = frozenset({"def", "exe"})
"""Kinds of numbered lines: definitions and examples."""

ROOT_KIND: Final = "lemma:root"
"""Kind of lines with the root of an Arabic word, which is not imported as a word."""

SYNSET_LENGTH: Final = 10
HEADER_FIELDS: Final = 4
LANGUAGE_COLUMN: Final = 2
"""The column of the first line that has the language."""


def read_omw(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read the .tab files among the contents; skip all others."""
    yield wrap_source(wordnet.SOURCE)
    seen = False
    for content in contents:
        if content.base_name.endswith(".tab") and content.base_name.startswith("wn-") and "-ili" not in content.name:
            seen = True
            yield from _read_file(content, options)
    if not seen:
        raise InputError.of(
            "file", "There is no wn-...-....tab among the files: is this the Open Multilingual Wordnet?"
        )


def _read_file(content: ContentStream, options: ImportOptions) -> Iterator[ParsedRecord]:
    source: str | None = None
    default = ""
    group: list[tuple[TextLine, list[str]]] = []
    for line in read_lines(content, options.encoding):
        if isinstance(line, RecordError):
            yield line
            continue
        if line.text.startswith("#"):
            if source is None:
                record = options.source or _build_source(line.text)
                source, default = record.code, line.text.split("\t")[1].strip() if "\t" in line.text else ""
                yield wrap_source(record)
                yield from find_losses(
                    content.name, line.number, _iter_header_values(line.text), (wrap_source(record),)
                )
            else:
                yield UnstoredValue(content.name, line.number, "comment", line.text)
            continue
        fields = line.text.split("\t")
        if len(fields) < 3 or not _is_synset(fields[0]) or not fields[-1].strip(" _"):  # noqa: PLR2004  # synset, kind, text
            if line.text.strip():
                yield RecordError(
                    content.name, line.number, "The line is not: synset, a tab, language:lemma, a tab, a word."
                )
            continue
        if group and group[0][1][0] != fields[0]:
            yield from _read_synset(content, group, (source, default), options)
            group = []
        group.append((line, fields))
    if group:
        yield from _read_synset(content, group, (source, default), options)


def _iter_header_values(line: str) -> Iterator[tuple[str, str]]:
    """Yield the columns of the first line, except the second, which has the language."""
    columns = enumerate(line.lstrip("# ").split("\t"), 1)
    return (
        (f"column {number} of the first line", text.strip()) for number, text in columns if number != LANGUAGE_COLUMN
    )


def _build_source(header: str) -> SourceRecord:
    fields = [field.strip() for field in header.lstrip("# ").split("\t")]
    name, _, url, licence = (fields + [""] * HEADER_FIELDS)[:HEADER_FIELDS]
    code = "omw-" + slugify(name)
    return SourceRecord(
        code, name, licence or "see the file", url or None, f"{name}, by way of the Open Multilingual Wordnet"
    )


def _is_synset(text: str) -> bool:
    return len(text) == SYNSET_LENGTH and text[:8].isdigit() and text[8] == "-"


def _read_synset(
    content: ContentStream,
    group: list[tuple[TextLine, list[str]]],
    header: tuple[str | None, str],
    options: ImportOptions,
) -> Iterator[ParsedRecord]:
    """Read the lines of a synset: its words, and its definitions and examples by number."""
    source, default = header
    synset = group[0][1][0]
    letter = "a" if synset[9] == "s" else synset[9]
    words: dict[tuple[str, str], WordRecord] = {}
    definitions: list[tuple[int, DefinitionRecord]] = []
    examples: list[tuple[int, ExampleRecord]] = []
    lost: list[UnstoredValue] = []
    for line, fields in group:
        # Some files leave out the language, which is in their first line.
        code, _, kind = fields[1].partition(":") if ":" in fields[1] else (default, ":", fields[1])
        language = options.map_language(CODE_BY_LANGUAGE.get(code, code))
        text = fields[-1].replace("_", " ").strip()
        if not text:
            continue
        number = parse_number(fields[2]) if kind[:3] in TEXT_KINDS else None
        between = fields[2:-1] if number is None else fields[3:-1]
        lost.extend(UnstoredValue(content.name, line.number, kind, extra) for extra in between if extra.strip())
        if kind == ROOT_KIND:
            lost.append(UnstoredValue(content.name, line.number, kind, text))
        elif kind.startswith("def"):
            definitions.append((number or 0, DefinitionRecord(language, text)))
        elif kind.startswith("exe"):
            examples.append((number or 0, ExampleRecord(language, text)))
        else:
            existing = words.get((language, text))
            note = join_notes(existing.note if existing else None, kind.partition(":")[2])
            words[language, text] = WordRecord(language, text, note=note, source=source)
    idea = IdeaRecord(
        wordnet.SOURCE.code,
        f"{synset[:8]}-{letter}",
        POS_BY_LETTER.get(letter),
        tuple(words.values()),
        definitions=tuple(record for _, record in sorted(definitions, key=itemgetter(0))),
        examples=tuple(record for _, record in sorted(examples, key=itemgetter(0))),
    )
    yield LocatedRecord(content.name, group[0][0].number, idea)
    yield from lost
