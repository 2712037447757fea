"""Recordings of a LIFT folder: their files, and the words that are spoken in them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from abhidhan.formats.cldf.recordings import MediaRecordings
from abhidhan.formats.content_streams import ContentStream, spool
from abhidhan.formats.files import open_contents
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.lift.headwords import ReadSettings, parse_headword
from abhidhan.formats.lift.multitext import get_trait, iter_forms, parse_writing_system
from abhidhan.formats.lift.ranges import read_entry_languages
from abhidhan.formats.lift.reader import FILE_SUFFIX
from abhidhan.formats.lift.vocabulary import SOUND_SUFFIXES, TOP_ELEMENTS
from abhidhan.formats.recording_lists import ListedRecording
from abhidhan.formats.xml_stream import read_elements
from abhidhan.records.errors import quoted
from abhidhan.records.import_records import RecordError


def read_recordings(paths: Sequence[Path], options: ImportOptions) -> MediaRecordings:
    """Return the recordings that the entries of LIFT files name. Raises InputError."""
    with ExitStack() as stack:
        paths_by_name: dict[str, list[str]] = defaultdict(list)
        files: list[ContentStream] = []
        for content in open_contents(paths):
            if content.base_name.lower().endswith(FILE_SUFFIX):
                files.append(ContentStream(content.name, stack.enter_context(spool(content))))
            elif content.base_name.lower().endswith(SOUND_SUFFIXES):
                paths_by_name[content.base_name].append(content.name)
        rows = list(chain.from_iterable(_iter_rows(file, paths_by_name, options) for file in files))
    return MediaRecordings(files[0].name if files else "", rows, "", 0, 0)


def _iter_rows(
    file: ContentStream, paths_by_name: Mapping[str, Sequence[str]], options: ImportOptions
) -> Iterator[ListedRecording | RecordError]:
    folder = file.name.rpartition("/")[0]
    settings = ReadSettings(options)
    for item, _ in read_elements(file, TOP_ELEMENTS):
        if item.element.tag == "header":
            settings = ReadSettings(options, read_entry_languages(item.element))
            continue
        head = parse_headword(item.element, settings) if item.element.get("dateDeleted") is None else None
        for name, details in _iter_recordings(item.element) if head is not None else ():
            path = _find_path(name, folder, paths_by_name)
            if path is None:
                detail = f"There is no file {quoted(name)} in the folder `audio`. Put it there, next to the .lift file."
                yield RecordError(file.name, item.line, detail)
            elif head is not None:
                yield ListedRecording(
                    line=item.line, file=path, text=head.word.text, language=head.word.language, **details
                )


def _iter_recordings(entry: Element) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the recordings of a headword: media elements, and texts in an audio writing system."""
    for pronunciation in entry.findall("pronunciation"):
        details = {name: get_trait(pronunciation, name) or "" for name in ("speaker", "place", "licence")}
        for media in pronunciation.findall("media"):
            name = unquote(media.get("href", "")).replace("\\", "/").strip()
            if name.lower().endswith(SOUND_SUFFIXES):
                yield name, details
    for element in (entry.find("lexical-unit"), entry.find("citation"), *entry.findall("pronunciation")):
        for form in iter_forms(element):
            if parse_writing_system(form.tag).is_audio and form.text.lower().endswith(SOUND_SUFFIXES):
                yield form.text, {}


def _find_path(name: str, folder: str, paths_by_name: Mapping[str, Sequence[str]]) -> str | None:
    """Return the path of a file: in the folder `audio` next to the dictionary, or anywhere if the name is unique."""
    candidates = paths_by_name.get(name.rpartition("/")[2], ())
    audio_path = "/".join(part for part in (folder, "audio", name.removeprefix("audio/")) if part)
    return audio_path if audio_path in candidates else candidates[0] if len(candidates) == 1 else None
