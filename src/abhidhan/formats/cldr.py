"""Unicode CLDR: names of emoji (annotations) and of languages and regions (display names), JSON or XML."""

from collections.abc import Iterator
from typing import Final

import msgspec

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import IdeaRecord, SourceRecord, WordRecord
from abhidhan.errors import InputError
from abhidhan.formats.contents import Content, DamagedFileError
from abhidhan.formats.parts import PROPER
from abhidhan.formats.reading import Found, Options, placed_source
from abhidhan.formats.xml import read_elements, text_of

SOURCE: Final = SourceRecord(
    "cldr",
    "Unicode CLDR, annotations and display names",
    "Unicode-3.0",
    "https://cldr.unicode.org/",
    "Copyright © 1991-2026 Unicode, Inc.",
    "Names of emoji, regions and languages taken over by a script; not reviewed one by one.",
)

KINDS: Final = {"languages": "language", "territories": "region"}
LARGEST: Final = 64 * 1024 * 1024
VARIANT_LETTER: Final = 0xFE0F


def read_cldr(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read annotations and display names; the key is the code point, language or region."""
    source = options.own_source(SOURCE)
    yield placed_source(source)
    seen = False
    for content in contents:
        name = content.base_name.lower()
        if name.endswith(".json"):
            found = list(_json(content, options, source.code))
            seen = seen or bool(found)
            yield from found
        elif name.endswith(".xml"):
            seen = True
            yield from _xml(content, options, source.code)
    if not seen:
        raise InputError.of("file", "The files contain no CLDR annotations or display names.")


def _json(content: Content, options: Options, source: str) -> Iterator[Found]:
    raw = content.stream.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise DamagedFileError.of("file", f"{content.name} is larger than any CLDR file.")
    try:
        whole = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
        for key in ("annotations", "annotationsDerived"):
            if key in whole:
                yield from _json_annotations(content, bytes(whole[key]), options, source)
        # A package's own description has a "main" as well: the name of a file.
        if bytes(whole.get("main", b"")).lstrip().startswith(b"{"):
            yield from _json_names(content, bytes(whole["main"]), options, source)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        yield Fault(content.name, 1, f"The file is not CLDR's JSON: {error}.")


class _Identity(msgspec.Struct):
    language: str
    script: str | None = None


class _Annotation(msgspec.Struct):
    tts: list[str] = []


class _Annotations(msgspec.Struct):
    identity: _Identity
    annotations: dict[str, _Annotation] = {}


def _json_annotations(content: Content, raw: bytes, options: Options, source: str) -> Iterator[Found]:
    found = msgspec.json.decode(raw, type=_Annotations)
    language = "-".join(part for part in (found.identity.language, found.identity.script) if part)
    for sign, annotation in found.annotations.items():
        for name in annotation.tts[:1]:
            yield Placed(content.name, 1, _sign(sign, options.code(language), name, source))


class _Names(msgspec.Struct):
    localeDisplayNames: dict[str, dict[str, msgspec.Raw]]  # noqa: N815  # CLDR's own name


def _json_names(content: Content, raw: bytes, options: Options, source: str) -> Iterator[Found]:
    for code, found in msgspec.json.decode(raw, type=dict[str, _Names]).items():
        for kind, names in found.localeDisplayNames.items():
            if kind not in KINDS:
                continue
            for key, name in names.items():
                # Alternative names ("-alt-short") are not the name.
                if "-alt-" not in key:
                    text = msgspec.json.decode(bytes(name), type=str)
                    yield Placed(content.name, 1, _name(f"{KINDS[kind]}-{key}", options.code(code), text, source))


def _xml(content: Content, options: Options, source: str) -> Iterator[Found]:
    language = content.base_name.partition(".")[0].replace("_", "-")
    for found, _ in read_elements(content, frozenset({"annotation", "language", "territory"})):
        element = found.element
        if element.tag == "annotation" and element.get("type") == "tts":
            yield Placed(
                content.name, found.line, _sign(element.get("cp", ""), options.code(language), text_of(element), source)
            )
        elif element.tag == "language" and text_of(element) and element.get("alt") is None:
            record = _name(f"language-{element.get('type')}", options.code(language), text_of(element), source)
            yield Placed(content.name, found.line, record)
        elif element.tag == "territory" and text_of(element) and element.get("alt") is None:
            record = _name(f"region-{element.get('type')}", options.code(language), text_of(element), source)
            yield Placed(content.name, found.line, record)


def _sign(sign: str, language: str, name: str, source: str) -> IdeaRecord:
    key = "-".join(f"{ord(letter):x}" for letter in sign if ord(letter) != VARIANT_LETTER)
    return IdeaRecord(source, f"emoji-{key}", None, (WordRecord(language, name),), glyph=sign)


def _name(key: str, language: str, name: str, source: str) -> IdeaRecord:
    return IdeaRecord(source, key, PROPER, (WordRecord(language, name),))
