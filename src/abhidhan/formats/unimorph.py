"""UniMorph: inflected forms of words that the dictionary has, one a line: lemma, form, tags."""

from collections.abc import Iterator
from typing import Final

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import FormsRecord
from abhidhan.formats.contents import Content
from abhidhan.formats.reading import Found, Options
from abhidhan.formats.text import read_lines

FIELDS: Final = 2
PASSED_OVER: Final = (".md", "license", "licence", "readme", ".json")


def read_unimorph(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read the forms. Consecutive ones of a lemma make one record; a lemma without a word here is told."""
    for content in contents:
        if not content.base_name.lower().endswith(PASSED_OVER):
            yield from _read_file(content, options)


def _read_file(content: Content, options: Options) -> Iterator[Found]:
    language = options.code(options.language or content.base_name.partition("_")[0].partition(".")[0])
    lemma, first = "", 0
    forms: dict[str, str] = {}
    for line in read_lines(content, options.encoding):
        if isinstance(line, Fault):
            yield line
            continue
        fields = [" ".join(field.split()) for field in line.text.split("\t")]
        if len(fields) < FIELDS or not all(fields[:FIELDS]):
            if line.text.strip():
                yield Fault(content.name, line.number, "The line is not: lemma, a tab, a form, a tab, tags.")
            continue
        if fields[0] != lemma and forms:
            yield Placed(content.name, first, FormsRecord(language, lemma, tuple(forms.items())))
            forms = {}
        if not forms:
            lemma, first = fields[0], line.number
        forms[fields[1]] = fields[2] if len(fields) > FIELDS else ""
    if forms:
        yield Placed(content.name, first, FormsRecord(language, lemma, tuple(forms.items())))
