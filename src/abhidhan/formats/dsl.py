"""DSL, the source of Lingvo's dictionaries: NAME.dsl (packed or not), and NAME_abrv.dsl with its abbreviations."""

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import DefinitionRecord, ExampleRecord, IdeaRecord, WordRecord
from abhidhan.errors import InputError, quoted
from abhidhan.formats.contents import Content, spool
from abhidhan.formats.dictd import NO_MEANING
from abhidhan.formats.dsl_files import Card, read_cards, read_header
from abhidhan.formats.dsl_markup import Opened, pieces_of
from abhidhan.formats.dsl_senses import Meant, Read, Sense, read_text
from abhidhan.formats.languages import code_of_name
from abhidhan.formats.parts import GENDERS, is_verb, part_of_speech
from abhidhan.formats.reading import Found, Options, is_short, joined, key_of, placed_source, words_of

ENDING: Final = ".dsl"
ABBREVIATIONS: Final = "_abrv.dsl"
MOST_ABBREVIATIONS: Final = 20_000

NAMES: Final = {
    "GermanNewSpelling": "de",
    "SpanishModernSort": "es",
    "SpanishTraditionalSort": "es",
    "NorwegianBokmal": "nb",
    "NorwegianNynorsk": "nn",
    "PortugueseStandard": "pt",
    "ChinesePRC": "zh",
    "SerbianCyrillic": "sr",
}
"""What Lingvo calls languages where that is not their name."""


_UNKNOWN_LANGUAGE: Final = (
    "What is in the language {} is left out: nobody knows it by that name. Map it with --map language:{}=…."
)

_SPOKEN: Final = re.compile(r"[ \t]/([^/\n]{1,80})/(?=[ \t]*(?:[,;|(]|$))")


class _Told(NamedTuple):
    """What is known of a file: what the person says, the codes of its languages, and what abbreviations mean."""

    options: Options
    source: str
    abbreviations: Mapping[str, str]


def read_dsl(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read dictionaries with their abbreviations; a file says its languages, unless the person does."""
    source = options.own_source()
    yield placed_source(source)
    with ExitStack() as stack:
        files = {
            content.name: Content(content.name, stack.enter_context(spool(content)))
            for content in contents
            if content.base_name.lower().endswith(ENDING)
        }
        names = sorted(name for name in files if not name.lower().endswith(ABBREVIATIONS))
        if not names:
            raise InputError.of("file", "DSL needs NAME.dsl (packed or not): give it, with NAME_abrv.dsl beside it.")
        for name in names:
            own = _with_languages(files[name], options)
            short = next((files[each] for each in files if each.lower() == _abbreviations_of(name)), None)
            told = _Told(own, source.code, _abbreviations(short, options) if short else {})
            yield from _read_file(files[name], told)


def _abbreviations_of(name: str) -> str:
    return name.lower().removesuffix(ENDING) + ABBREVIATIONS


def _with_languages(content: Content, options: Options) -> Options:
    header = read_header(content, options.encoding)
    words, meanings = (_code_of(header.get(f"{kind}_LANGUAGE", ""), options) for kind in ("INDEX", "CONTENTS"))
    told = msgspec.structs.replace(options, language=options.language or words, target=options.target or meanings)
    told.own_language()
    return told


def _code_of(name: str, options: Options) -> str | None:
    """Return the code of a language by what a file calls it, as the person says or as it is known."""
    mapped = options.values.get("language", {}).get(name)
    return mapped or NAMES.get(name) or (code_of_name(name) if name else None)


def _abbreviations(content: Content, options: Options) -> dict[str, str]:
    found: dict[str, str] = {}
    for card in read_cards(content, options.encoding):
        if isinstance(card, Card) and len(found) < MOST_ABBREVIATIONS:
            pieces = (piece.text for line in card.body for piece in pieces_of(line.strip(), "", Opened()))
            found |= dict.fromkeys(card.spellings, " ".join(" ".join(pieces).split()))
    return found


def _read_file(content: Content, told: _Told) -> Iterator[Found]:
    for card in read_cards(content, told.options.encoding):
        if isinstance(card, Fault):
            yield card
            continue
        read = read_text(card.spellings[0], card.body)
        unknown = _leave_out_unknown(read, told.options)
        for name in unknown:
            yield Fault(content.name, card.line, _UNKNOWN_LANGUAGE.format(quoted(name), name))
        ideas = list(_ideas(card, read, told))
        if not ideas and not unknown:
            yield Fault(content.name, card.line, NO_MEANING)
        for idea in ideas:
            yield Placed(content.name, card.line, idea)


def _leave_out_unknown(read: Read, options: Options) -> list[str]:
    """Leave out what is in a language that nobody knows by its name; return these names, in their order."""
    names = [meant.language for sense in read.senses for meant in sense.meant]
    names += [language for sense in read.senses for _, _, language in sense.examples]
    unknown = [name for name in dict.fromkeys(names) if name and _code_of(name, options) is None]
    if unknown:
        for sense in read.senses:
            sense.meant = [meant for meant in sense.meant if meant.language not in unknown]
            sense.examples = [example for example in sense.examples if example[-1] not in unknown]
    return unknown


def _ideas(card: Card, read: Read, told: _Told) -> Iterator[IdeaRecord]:
    """Read the senses of a card, one idea each."""
    headword, *others = card.spellings
    word = WordRecord(told.options.own_language(), headword, ipa=read.ipa, forms=tuple(others))
    for sense in read.senses:
        idea = _idea(word, read, sense, told)
        if idea is not None:
            yield idea


def _idea(word: WordRecord, read: Read, sense: Sense, told: _Told) -> IdeaRecord | None:
    words: dict[tuple[str, str], WordRecord] = {}
    definitions: list[DefinitionRecord] = []
    for meant in sense.meant:
        listed, code = _words(meant, word.language, told.options)
        words |= {(one.language, one.text): one for one in listed}
        definitions += [] if listed else [DefinitionRecord(code, meant.text)]
    if not words and not definitions:
        return None
    labels = _Labels([*sense.labels, *read.labels], told)
    note = joined(*read.notes, *sense.notes, *labels.notes)
    first = definitions[0].text if definitions else "; ".join(text for _, text in words)
    return IdeaRecord(
        told.source,
        key_of(word.language, word.text, *read.notes, first),
        labels.pos,
        (msgspec.structs.replace(word, note=note), *words.values()),
        gender=labels.gender,
        contexts=labels.contexts,
        definitions=tuple(definitions),
        examples=tuple(
            ExampleRecord(_code_of(language, told.options) or word.language, text, translation)
            for text, translation, language in sense.examples
        ),
    )


def _words(meant: Meant, own: str, options: Options) -> tuple[tuple[WordRecord, ...], str]:
    """Read a line as words of another language, of which a name may stand before them; else it is a definition."""
    before, colon, rest = meant.text.partition(": ")
    named = _code_of(before, options) if colon else None
    if named:
        return words_of(named, rest), named
    code = _code_of(meant.language, options) or options.code(options.target or "en")
    is_list = is_short(_SPOKEN.sub("", meant.text)) and code != own and not meant.language
    return (_said_words(code, meant.text) if is_list else ()), code


def _said_words(code: str, text: str) -> tuple[WordRecord, ...]:
    """Read a list of words, some with how they are said behind them: बाल्टी /bālṭī/."""
    found = words_of(code, _SPOKEN.sub(r" (/\1/)", text))
    return tuple(map(_with_spoken, found))


def _with_spoken(word: WordRecord) -> WordRecord:
    notes = (word.note or "").split("; ")
    spoken = next((note.strip("/") for note in notes if note.startswith("/")), None)
    rest = joined(*(note for note in notes if not note.startswith("/")))
    if spoken is None:
        return word
    is_roman = not word.text.isascii()
    return msgspec.structs.replace(
        word, note=rest, roman=spoken if is_roman else None, ipa=None if is_roman else spoken
    )


class _Labels:
    """What labels say, abbreviated or not: part of speech, gender, contexts; the rest is a note."""

    def __init__(self, labels: list[str], told: _Told) -> None:
        self.pos: str | None = None
        self.gender: str | None = None
        self.contexts: tuple[str, ...] = ()
        self.notes: list[str] = []
        contexts = told.options.values.get("context", {})
        for label in labels:
            meaning = told.abbreviations.get(label) or label
            pos = part_of_speech(meaning, told.options) or part_of_speech(label, told.options)
            gender = GENDERS.get(meaning.casefold()) or GENDERS.get(label.strip(".").casefold())
            context = contexts.get(label) or contexts.get(meaning)
            self.contexts += (context,) if context else ()
            if pos and not self.pos:
                self.pos = pos
            elif gender and not self.gender:
                self.gender = gender
            elif not (context or pos or gender or is_verb(label)):
                self.notes.append(meaning)
