"""The languages of the headwords of LIFT files, looked at before anything is read."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from abhidhan.formats.content_streams import Content
from abhidhan.formats.importer_api import Options
from abhidhan.formats.languages import canonical_code
from abhidhan.formats.lift.headwords import Reading, spelling_of
from abhidhan.formats.lift.ranges import own_languages
from abhidhan.formats.lift.writing_systems import writing_system
from abhidhan.formats.xml_stream import read_elements
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.formatting import counted

WANTED: Final = frozenset({"header", "entry"})
MOST_NAMED: Final = 3
"""How many writing systems the message names."""


def check_languages(files: Sequence[Content], options: Options) -> None:
    """Make sure that the language of at least one headword is known. Raises InputError that says how to name it.

    An import would otherwise leave out all headwords and keep their glosses.
    """
    unknown: Counter[str] = Counter()
    for file in files:
        tags = _unknown_languages(file, options)
        file.stream.seek(0)
        if tags is None:
            return
        unknown += tags
    if unknown:
        named = " ".join(f"--map {quoted(f'language:{tag}=CODE')}" for tag, _ in unknown.most_common(MOST_NAMED))
        raise InputError.of(
            "language",
            f"Which language are the words in? That of no headword is known ({counted(unknown.total(), 'headword')}). "
            f"Give its code of ISO 639-3, such as mjw, in place of CODE: {named}.",
        )


def _unknown_languages(file: Content, options: Options) -> Counter[str] | None:
    """Count the writing systems of headwords; None as soon as the language of one is known."""
    reading = Reading(options)
    tags: Counter[str] = Counter()
    for found, _ in read_elements(Content(file.name, file.stream), WANTED):
        if found.element.tag == "header":
            reading = Reading(options, own_languages(found.element))
        elif found.element.get("dateDeleted") is None and (form := spelling_of(found.element, reading)) is not None:
            if _is_known(form.tag, reading):
                return None
            tags[form.tag] += 1
    return tags


def _is_known(tag: str, reading: Reading) -> bool:
    mapped = reading.options.values.get("language", {})
    if not tag or tag in reading.own or tag in mapped or writing_system(tag).language in mapped:
        return True
    code = reading.code(tag)
    return canonical_code(code) == code
