"""Reader of UniMorph: inflected forms of words in the dictionary, one per line: lemma, form, tags."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord
from abhidhan.formats.text_decoding import read_lines
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import FormsRecord

MIN_FIELDS: Final = 2
IGNORED_SUFFIXES: Final = (".md", "license", "licence", "readme", ".json")

MAX_CACHED_FORMS: Final = 500_000
"""Maximum number of forms with cached tags, which detect a form that recurs with other tags."""


def read_unimorph(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read inflected forms; consecutive forms with the same lemma become one record."""
    tags_by_form: dict[tuple[str, str], str] = {}
    for content in contents:
        if not content.base_name.lower().endswith(IGNORED_SUFFIXES):
            yield from _read_file(content, options, tags_by_form)


def _read_file(
    content: ContentStream, options: ImportOptions, tags_by_form: dict[tuple[str, str], str]
) -> Iterator[ParsedRecord]:
    language = options.map_language(options.language or content.base_name.partition("_")[0].partition(".")[0])
    lemma, first = "", 0
    forms: dict[str, str] = {}
    for line in read_lines(content, options.encoding):
        if isinstance(line, RecordError):
            yield line
            continue
        fields = [" ".join(field.split()) for field in line.text.split("\t")]
        if len(fields) < MIN_FIELDS or not all(fields[:MIN_FIELDS]):
            if line.text.strip():
                yield RecordError(content.name, line.number, "The line is not: lemma, a tab, a form, a tab, tags.")
            continue
        if fields[0] != lemma and forms:
            yield LocatedRecord(content.name, first, FormsRecord(language, lemma, tuple(forms.items())))
            forms = {}
        if not forms:
            lemma, first = fields[0], line.number
        yield from _add_form(forms, fields, tags_by_form, partial(UnstoredValue, content.name, line.number))
    if forms:
        yield LocatedRecord(content.name, first, FormsRecord(language, lemma, tuple(forms.items())))


def _add_form(
    forms: dict[str, str],
    fields: list[str],
    tags_by_form: dict[tuple[str, str], str],
    report: Callable[[str, str], UnstoredValue],
) -> Iterator[UnstoredValue]:
    """Add a form to those of its lemma, and yield the losses of its line."""
    lemma, form, tags = (*fields, "")[:3]
    if form in forms:
        forms[form] = " / ".join(dict.fromkeys(filter(None, (*forms[form].split(" / "), tags))))
    elif tags_by_form.setdefault((lemma, form), tags) == tags:
        forms[form] = tags
    else:
        # A word has each form once, with its first tags.
        yield report("tags", f"{form} {tags}")
    if len(tags_by_form) > MAX_CACHED_FORMS:
        tags_by_form.clear()
    yield from (report(f"column {number}", field) for number, field in enumerate(fields[3:], 4) if field)
