"""Princeton WordNet's own files, as wndb(5WN) describes them: a folder of data.*, index.* and *.exc."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import IO, Final, NamedTuple

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import (
    DefinitionRecord,
    ExampleRecord,
    FormsRecord,
    IdeaRecord,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.errors import InputError, quoted
from abhidhan.formats.contents import Content, DamagedFileError, spool
from abhidhan.formats.parts import ABSTRACT, COMMON, FRAMES_WITH_OBJECT, MATERIAL, PROPER, VERBAL
from abhidhan.formats.reading import Found, Options, placed_source
from abhidhan.formats.text import read_lines

SOURCE: Final = SourceRecord(
    "wordnet",
    "Princeton WordNet 3.0",
    "WordNet-3.0",
    "https://wordnet.princeton.edu/",
    "WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved.",
)

PARTS: Final = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
"""The letters of the files, in the order in which the meanings of a word are numbered."""

COUNTS: Final = ("cntlist.rev", "cntlist")
"""How often each sense was met in tagged texts: the same figures in two orders."""

FREQUENCY_SOURCE: Final = "Princeton WordNet: senses tagged in texts, of a million"

FILES: Final = re.compile(r"(data|index)\.(noun|verb|adj|adv)|(noun|verb|adj|adv)\.exc|cntlist(\.rev)?")

NOUNS: Final = {4: VERBAL, 7: ABSTRACT, 9: ABSTRACT, 12: ABSTRACT, 16: ABSTRACT, 26: ABSTRACT, 27: MATERIAL}
"""Kinds of nouns by lexicographer file: act, attribute, cognition, feeling, motive, state, substance."""

CONTEXTS: Final = {
    5: "Animal",
    8: "Anatomy",
    13: "Food",
    15: "Place",
    20: "Botany",
    28: "Time",
}
"""Contexts by lexicographer file: animal, body, food, location, plant, time."""

POINTERS: Final = {
    "@": "Hypernym",
    "@i": "Hypernym",
    "#m": "Holonym",
    "#s": "Holonym",
    "#p": "Holonym",
    "!": "Antonym",
    "&": "Near-synonym",
    "$": "Near-synonym",
    "^": "Related",
    "=": "Related",
    ">": "Effect",
    "<": "Derived from",
    "\\": "Derived from",
}
"""Pointers that become relations. Their inverses (hyponyms, meronyms) are made here anyway."""

_EXAMPLE: Final = re.compile(r'"([^"]+)"')
_MARKER: Final = re.compile(r"\((?:a|p|ip)\)$")

Numbers = dict[tuple[str, str], int]
"""The number of each meaning of a word: by its lower-case form and the key of the idea."""


class Told(NamedTuple):
    """What other files than those of synsets tell of words: numbers of meanings, and how common words are."""

    numbers: Numbers
    frequencies: dict[str, float]


def read_wordnet(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read a WordNet folder: ideas with definitions, examples, relations and numbered meanings; irregular forms."""
    with ExitStack() as stack:
        files: dict[str, Content] = {}
        for content in contents:
            if FILES.fullmatch(content.base_name):
                copy = stack.enter_context(spool(content))
                files[content.base_name] = Content(content.name, copy)
        if not any(name.startswith("data.") for name in files):
            raise InputError.of("file", "There is no data.noun, data.verb, data.adj or data.adv: is this WordNet?")
        source = options.own_source(SOURCE)
        yield placed_source(source)
        told = Told(_numbers(files), _frequencies(files))
        for name, letter in PARTS.items():
            if f"data.{name}" in files:
                yield from _synsets(files[f"data.{name}"], letter, source.code, told)
        for name in PARTS:
            if f"{name}.exc" in files:
                yield from _forms(files[f"{name}.exc"])


def _numbers(files: dict[str, Content]) -> Numbers:
    """Assign numbers to meanings: nouns first, in a part of speech the most frequent first, as index.* have them."""
    numbers: Numbers = {}
    counted: defaultdict[str, int] = defaultdict(int)
    for name, letter in PARTS.items():
        content = files.get(f"index.{name}")
        for raw in content.stream if content else ():
            line = raw.decode("ascii", "replace")
            if line.startswith(" ") or not line.strip():
                continue
            fields = line.split()
            try:
                count, pointers = int(fields[2]), int(fields[3])
            except (ValueError, IndexError) as error:
                raise DamagedFileError.of(
                    "file", f"index.{name} has a line that is none of wndb(5WN): {quoted(line[:60].strip())}."
                ) from error
            for offset in fields[6 + pointers : 6 + pointers + count]:
                counted[fields[0]] += 1
                numbers[fields[0], f"{offset}-{letter}"] = counted[fields[0]]
    return numbers


def _frequencies(files: dict[str, Content]) -> dict[str, float]:
    """Count how often words were met in any of their senses, by lower-case form, of a million tagged ones."""
    name = next((each for each in COUNTS if each in files), None)
    if name is None:
        return {}
    is_reversed = name.endswith(".rev")
    counts: defaultdict[str, int] = defaultdict(int)
    for raw in files[name].stream:
        fields = raw.decode("ascii", "replace").split()
        try:
            key, count = (fields[0], fields[2]) if is_reversed else (fields[1], fields[0])
            counts[key.partition("%")[0].lower()] += int(count)
        except (ValueError, IndexError) as error:
            raise DamagedFileError.of(
                "file",
                f"{name} has a line that is none of cntlist(5WN): {quoted(raw[:60].decode('ascii', 'replace'))}.",
            ) from error
    millions = sum(counts.values()) / 1_000_000
    return {form: float(f"{count / millions:.4g}") for form, count in counts.items() if count}


def _synsets(content: Content, letter: str, source: str, told: Told) -> Iterator[Found]:
    for line in read_lines(content):
        if isinstance(line, Fault):
            yield line
        elif not line.text.startswith("  ") and line.text.strip():
            try:
                yield Placed(content.name, line.number, _idea(line.text, letter, source, told))
            except (ValueError, IndexError):
                yield Fault(content.name, line.number, "The line is not a synset as wndb(5WN) describes it.")


def _idea(line: str, letter: str, source: str, told: Told) -> IdeaRecord:
    data, _, gloss = line.partition(" | ")
    fields = data.split()
    key = f"{fields[0]}-{letter}"
    file_number, count = int(fields[1]), int(fields[3], 16)
    forms = [_MARKER.sub("", form) for form in fields[4 : 4 + 2 * count : 2]]
    start = 4 + 2 * count
    pointers = int(fields[start])
    if max(count, pointers) > len(fields):
        raise ValueError
    related = [fields[start + 1 + 4 * n : start + 5 + 4 * n] for n in range(pointers)]
    frames = {int(number) for number in fields[start + 3 + 4 * pointers :: 3]} if letter == "v" else set()
    definition, examples = _gloss(gloss)
    return IdeaRecord(
        source=source,
        key=key,
        pos=_part_of_speech(letter, file_number, {one[0] for one in related}, frames),
        words=tuple(_word(form, key, told) for form in forms),
        contexts=(CONTEXTS[file_number],) if file_number in CONTEXTS else (),
        definitions=(DefinitionRecord("en", definition),) if definition else (),
        examples=tuple(ExampleRecord("en", example) for example in dict.fromkeys(examples)),
        relations=tuple(_relations(related, source, key)),
    )


def _word(form: str, key: str, told: Told) -> WordRecord:
    frequency = told.frequencies.get(form.lower())
    return WordRecord(
        "en",
        form.replace("_", " "),
        position=told.numbers.get((form.lower(), key)),
        frequency=frequency,
        frequency_source=None if frequency is None else FREQUENCY_SOURCE,
    )


def _relations(pointers: Iterable[list[str]], source: str, key: str) -> Iterator[RelationRecord]:
    for symbol, offset, letter, _ in pointers:
        other = f"{offset}-{'a' if letter == 's' else letter}"
        if symbol in POINTERS and other != key:
            yield RelationRecord(POINTERS[symbol], f"{source}:{other}")


def _part_of_speech(letter: str, file_number: int, pointers: set[str], frames: set[int]) -> str:
    if letter == "n":
        return PROPER if "@i" in pointers else NOUNS.get(file_number, COMMON)
    if letter == "v":
        return "Transitive" if frames & FRAMES_WITH_OBJECT else "Intransitive"
    if letter == "a":
        return "Verbal Adjective" if "<" in pointers else "Proper Adjective"
    return "Adverb"


def _gloss(gloss: str) -> tuple[str, list[str]]:
    examples = _EXAMPLE.findall(gloss)
    cut = gloss.find('; "')
    definition = gloss[:cut] if cut >= 0 else gloss
    return definition.strip().rstrip(";"), examples


def _forms(content: Content) -> Iterator[Found]:
    stream: IO[bytes] = content.stream
    for number, raw in enumerate(stream, 1):
        form, *lemmas = raw.decode("ascii", "replace").replace("_", " ").split() if b" " in raw.strip() else [""]
        if not lemmas and raw.strip():
            yield Fault(content.name, number, "The line is not an irregular form and its word.")
        for lemma in lemmas:
            if form != lemma:
                yield Placed(content.name, number, FormsRecord("en", lemma, ((form, ""),), optional=True))
