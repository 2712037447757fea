"""Wiktextract's JSON lines (kaikki.org): an entry of Wiktionary a line, with its senses and translations."""

from collections.abc import Iterator
from typing import Final

import msgspec

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import DefinitionRecord, ExampleRecord, IdeaRecord, SourceRecord, WordRecord
from abhidhan.formats.contents import Content
from abhidhan.formats.parts import part_of_speech
from abhidhan.formats.reading import Found, Options, is_short, key_of, placed_source, words_of
from abhidhan.formats.text import read_lines

SOURCE: Final = SourceRecord(
    "wiktionary",
    "Wiktionary, by way of Wiktextract (kaikki.org)",
    "CC-BY-SA-4.0",
    "https://kaikki.org/",
    "The contributors of Wiktionary; extracted by Tatu Ylonen's Wiktextract",
)

DEFINED_IN: Final = "en"
"""The language of the glosses of the English edition; of another one, --target says it."""

GENDERS: Final = {"masculine": "Masculine", "feminine": "Feminine", "neuter": "Neuter"}

NOT_FORMS: Final = frozenset({"table-tags", "inflection-template", "romanization", "class", "error-unrecognized-form"})
MOST_FORMS: Final = 200


class Translation(msgspec.Struct, frozen=True):
    """A word of another language."""

    word: str | None = None
    code: str | None = None
    lang_code: str | None = None
    sense: str | None = None
    sense_index: str | int | None = None
    roman: str | None = None


class Example(msgspec.Struct, frozen=True):
    """A sentence with its translation."""

    text: str | None = None
    english: str | None = None
    translation: str | None = None


class Sense(msgspec.Struct, frozen=True):
    """A meaning."""

    id: str | None = None
    glosses: list[str] = []
    tags: list[str] = []
    topics: list[str] = []
    sense_index: str | int | None = None
    examples: list[Example] = []
    translations: list[Translation] = []


class Sound(msgspec.Struct, frozen=True):
    """A pronunciation."""

    ipa: str | None = None


class Form(msgspec.Struct, frozen=True):
    """An inflected or otherwise written form."""

    form: str | None = None
    tags: list[str] = []


class Entry(msgspec.Struct, frozen=True):
    """A line: a word in a language, of one part of speech and origin."""

    word: str = ""
    lang_code: str = ""
    redirect: str | None = None
    pos: str = ""
    tags: list[str] = []
    etymology_number: int | None = None
    etymology_text: str | None = None
    etymology_texts: list[str] = []
    senses: list[Sense] = []
    sounds: list[Sound] = []
    forms: list[Form] = []
    translations: list[Translation] = []


_decoder = msgspec.json.Decoder(Entry)


def read_wiktextract(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read entries; each sense is an idea. With --language, only entries of that language are taken."""
    source = options.own_source(SOURCE)
    yield placed_source(source)
    only = options.own_language() if options.language else None
    for content in contents:
        for line in read_lines(content, options.encoding):
            if isinstance(line, Fault):
                yield line
            elif line.text.strip():
                try:
                    entry = _decoder.decode(line.text)
                except (msgspec.DecodeError, RecursionError) as error:
                    yield Fault(content.name, line.number, f"The line is not a Wiktextract entry: {error}.")
                    continue
                if entry.redirect is None and not (entry.word and entry.lang_code):
                    yield Fault(content.name, line.number, "The entry has no word, or no language code.")
                elif entry.redirect is None and only in {None, options.code(entry.lang_code)}:
                    ideas = list(_ideas(entry, source.code, options))
                    if not ideas and not any("form-of" in sense.tags for sense in entry.senses):
                        yield Fault(
                            content.name,
                            line.number,
                            "The entry has no meaning or translation. Give its sense a gloss, or leave it out.",
                        )
                    for idea in ideas:
                        yield Placed(content.name, line.number, idea)


def _ideas(entry: Entry, source: str, options: Options) -> Iterator[IdeaRecord]:
    language = options.code(entry.lang_code)
    defined_in = options.code(options.target or DEFINED_IN)
    senses = [sense for sense in entry.senses if sense.glosses and "form-of" not in sense.tags]
    by_sense = _translations(entry, senses)
    head = _headword(entry, language)
    base = (language, entry.word, entry.pos, entry.etymology_number or 0)
    for sense in senses:
        gloss = sense.glosses[-1]
        translations = tuple(_words(by_sense.pop(gloss, []), options))
        equivalents = words_of(defined_in, gloss) if language != defined_in and is_short(gloss) else ()
        yield IdeaRecord(
            source,
            key_of(*base, sense.id or gloss),
            _part(entry.pos, sense.tags, options),
            (head, *equivalents, *translations),
            gender=_gender([*sense.tags, *entry.tags]),
            contexts=tuple(_contexts(sense, options)),
            definitions=() if equivalents else (DefinitionRecord(defined_in, gloss),),
            examples=tuple(
                ExampleRecord(language, one.text, one.translation or one.english) for one in sense.examples if one.text
            ),
        )
    for told, translations_left in by_sense.items():
        yield IdeaRecord(
            source,
            key_of(*base, "translation", told),
            _part(entry.pos, [], options),
            (head, *_words(translations_left, options)),
            definitions=(DefinitionRecord(defined_in, told),) if told else (),
        )


def _translations(entry: Entry, senses: list[Sense]) -> dict[str, list[Translation]]:
    """Sort the translations by the gloss they belong to; one that names another gloss makes a meaning of its own."""
    sorted_: dict[str, list[Translation]] = {}
    for sense in senses:
        sorted_.setdefault(sense.glosses[-1], []).extend(sense.translations)
    for one in entry.translations:
        sorted_.setdefault(_gloss_of(one, senses), []).append(one)
    return {gloss: found for gloss, found in sorted_.items() if found}


def _gloss_of(translation: Translation, senses: list[Sense]) -> str:
    """Return which gloss a translation belongs to: the one it names, or the one of its number, or the only one."""
    glosses = [sense.glosses[-1] for sense in senses]
    if translation.sense in glosses:
        return translation.sense
    if translation.sense_index is not None:
        for sense in senses:
            if sense.sense_index == translation.sense_index:
                return sense.glosses[-1]
    if len(glosses) == 1:
        return glosses[0]
    return translation.sense or (glosses[0] if glosses else "")


def _gender(tags: list[str]) -> str | None:
    """Read the gender, if there is one and not several."""
    found = {GENDERS[tag] for tag in tags if tag in GENDERS}
    return found.pop() if len(found) == 1 else None


def _contexts(sense: Sense, options: Options) -> Iterator[str]:
    """Read the topics that the mapping knows."""
    mapped = options.values.get("context", {})
    yield from dict.fromkeys(mapped[topic] for topic in sense.topics if topic in mapped)


def _words(translations: list[Translation], options: Options) -> Iterator[WordRecord]:
    for one in translations:
        code = one.code or one.lang_code
        if one.word and code:
            yield WordRecord(options.code(code), one.word, roman=one.roman)


def _headword(entry: Entry, language: str) -> WordRecord:
    forms = dict.fromkeys(
        form.form
        for form in entry.forms
        if form.form and form.form != entry.word and not NOT_FORMS & set(form.tags) and form.form != "-"
    )
    roman = next((form.form for form in entry.forms if form.form and "romanization" in form.tags), None)
    ipa = next((sound.ipa for sound in entry.sounds if sound.ipa), None)
    return WordRecord(
        language,
        entry.word,
        roman=roman,
        ipa=ipa.strip("/[]\\ ") if ipa else None,
        origin=entry.etymology_text or "\n".join(entry.etymology_texts) or None,
        forms=tuple(forms)[:MOST_FORMS],
    )


def _part(pos: str, tags: list[str], options: Options) -> str | None:
    if pos == "verb":
        label = next((tag for tag in tags if tag in {"transitive", "intransitive"}), pos)
        return part_of_speech(label, options)
    return part_of_speech(pos, options)
