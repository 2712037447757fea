"""Reader of pairs of a word and its translation, one per line, separated by a tab (GATITOS and others)."""

import re
from collections.abc import Iterator
from typing import Final

from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord, build_key, wrap_source
from abhidhan.formats.text_decoding import read_lines
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import IdeaRecord, WordRecord

FILE_NAME: Final = re.compile(r"([a-z]{2,3}(?:-[A-Za-z]{4})?)_([a-z]{2,3}(?:-[A-Za-z]{4})?)\.(?:tsv|txt)")
"""Pattern of file names that state the languages: en_as.tsv, en_mni-Mtei.tsv."""


def read_pairs(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read files of pairs; each word of the first language is one idea, even across files."""
    source = options.require_source()
    yield wrap_source(source)
    for content in contents:
        match = FILE_NAME.fullmatch(content.base_name)
        if match is None and (options.language is None or options.target is None):
            if content.base_name.endswith((".tsv", ".txt")):
                raise InputError.of(
                    "language",
                    f"Which languages does {content.name} have? Give them, such as: --language en --target as.",
                )
            continue
        first = options.map_language(options.language or (match[1] if match else ""))
        second = options.map_language(options.target or (match[2] if match else ""))
        yield from _read_file(content, options, (first, second), source.code)


def _read_file(
    content: ContentStream, options: ImportOptions, languages: tuple[str, str], source: str
) -> Iterator[ParsedRecord]:
    for line in read_lines(content, options.encoding):
        if isinstance(line, RecordError):
            yield line
            continue
        if line.text.startswith("#"):
            yield UnstoredValue(content.name, line.number, "comment", line.text)
            continue
        if not line.text.strip():
            continue
        fields = [field.strip() for field in line.text.split("\t")]
        if len(fields) < 2 or not all(fields[:2]):  # noqa: PLR2004  # a pair
            yield RecordError(content.name, line.number, "The line is not two texts separated by a tab.")
            continue
        if any(fields[2:]):
            yield RecordError(
                content.name, line.number, "The line has more than two texts; for larger tables, use csv."
            )
            continue
        words = (
            WordRecord(languages[0], fields[0]),
            *(WordRecord(languages[1], word) for word in fields[1].split("|") if word.strip()),
        )
        key = build_key(fields[0]) if languages[0] == "en" else build_key(languages[0], fields[0])
        yield LocatedRecord(
            content.name, line.number, IdeaRecord(source, key, options.values.get("pos", {}).get(""), words)
        )
