"""Reader of Princeton WordNet's own files, described in wndb(5WN): a folder of data.*, index.* and *.exc."""

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO, Final, NamedTuple

from abhidhan.formats.content_streams import ContentStream, DamagedFileError, spool
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord, wrap_source
from abhidhan.formats.pos_mapping import (
    ABSTRACT_NOUN,
    COMMON_NOUN,
    MATERIAL_NOUN,
    PROPER_NOUN,
    TRANSITIVE_FRAMES,
    VERBAL_NOUN,
)
from abhidhan.formats.text_decoding import read_lines
from abhidhan.records.errors import InputError, quoted
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import (
    DefinitionRecord,
    ExampleRecord,
    FormsRecord,
    IdeaRecord,
    RelationRecord,
    SourceRecord,
    WordRecord,
)

NOUN_BY_FILE: Final = {
    4: VERBAL_NOUN,
    7: ABSTRACT_NOUN,
    9: ABSTRACT_NOUN,
    12: ABSTRACT_NOUN,
    16: ABSTRACT_NOUN,
    26: ABSTRACT_NOUN,
    27: MATERIAL_NOUN,
}
"""Kinds of nouns by lexicographer file: act, attribute, cognition, feeling, motive, state, substance."""

CONTEXT_BY_FILE: Final = {
    5: "Animal",
    8: "Anatomy",
    13: "Food",
    15: "Place",
    20: "Botany",
    28: "Time",
}
"""Contexts by lexicographer file: animal, body, food, location, plant, time."""

RELATION_BY_POINTER: Final = {
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
"""The relation for each pointer that is imported."""

INVERSE_POINTERS: Final = frozenset({"~", "~i", "%m", "%s", "%p"})
"""Pointers that are skipped because their inverses become relations: hyponyms and meronyms."""

INSTANCE_POINTER: Final = "@i"
"""The pointer from an instance to its class; instances are proper nouns."""

SATELLITE_LETTER: Final = "s"
FIRST_LEX_ID: Final = "0"
"""The `lex_id` of a word that occurs only once in the lexicographer file."""

ALL_WORDS: Final = "0000"
"""The `source/target` of a pointer that holds for all words of both synsets."""

_EXAMPLE: Final = re.compile(r'"([^"]+)"')
_SYNTACTIC_MARKER: Final = re.compile(r"\((a|p|ip)\)$")
_SEPARATOR: Final = re.compile(r"[;\s]+")


class Pointer(NamedTuple):
    """A pointer to another synset."""

    symbol: str
    offset: str
    letter: str
    words: str

    @property
    def key(self) -> str:
        """The key of the other synset's idea."""
        return f"{self.offset}-{'a' if self.letter == SATELLITE_LETTER else self.letter}"


class SynsetLine(NamedTuple):
    """A parsed line of a synset; `forms` are words with their markers, `lex_ids` the `lex_id` of each."""

    key: str
    file_number: int
    type: str
    forms: list[str]
    lex_ids: list[str]
    pointers: list[Pointer]
    frames: list[int]
    definition: str
    examples: list[str]
    gloss_remainder: str
    """Text of the gloss after the definition and outside examples, such as the author of an example."""

    @property
    def words(self) -> list[str]:
        """The words with underscores, but without markers."""
        return [_SYNTACTIC_MARKER.sub("", form) for form in self.forms]


def parse_synset(line: str, letter: str) -> SynsetLine:
    """Parse a line. Raises ValueError or IndexError."""
    data, _, gloss = line.partition(" | ")
    fields = data.split()
    count = int(fields[3], 16)
    start = 4 + 2 * count
    pointers = int(fields[start])
    if max(count, pointers) > len(fields):
        raise ValueError
    frames = fields[start + 3 + 4 * pointers :: 3] if letter == "v" else []
    cut = gloss.find('; "')
    quoted = gloss[cut:] if cut >= 0 else ""
    return SynsetLine(
        f"{fields[0]}-{letter}",
        int(fields[1]),
        fields[2],
        fields[4:start:2],
        fields[5:start:2],
        [Pointer(*fields[start + 1 + 4 * n : start + 5 + 4 * n]) for n in range(pointers)],
        [int(number) for number in frames],
        (gloss[:cut] if cut >= 0 else gloss).strip().rstrip(";"),
        _EXAMPLE.findall(gloss),
        _SEPARATOR.sub(" ", _EXAMPLE.sub("", quoted)).strip(),
    )


def iter_lost_values(synset: SynsetLine) -> Iterator[tuple[str, str]]:
    """Yield the values of a synset that no record contains, with their field names in wndb(5WN)."""
    is_proper = any(pointer.symbol == INSTANCE_POINTER for pointer in synset.pointers)
    if synset.file_number not in CONTEXT_BY_FILE and (is_proper or synset.file_number not in NOUN_BY_FILE):
        yield "lex_filenum", f"{synset.file_number:02}"
    if synset.type == SATELLITE_LETTER:
        yield "ss_type", synset.type
    yield from (("lex_id", number) for number in synset.lex_ids if number != FIRST_LEX_ID)
    yield from (("syntactic marker", match[1]) for form in synset.forms if (match := _SYNTACTIC_MARKER.search(form)))
    for pointer in synset.pointers:
        is_imported = pointer.symbol in RELATION_BY_POINTER and pointer.key != synset.key
        if not is_imported and pointer.symbol not in INVERSE_POINTERS:
            yield f"ptr {pointer.symbol}", pointer.key
        elif is_imported and pointer.words != ALL_WORDS:
            yield "ptr source/target", pointer.words
    yield from (("f_num", str(number)) for number in synset.frames)
    if synset.gloss_remainder:
        yield "gloss", synset.gloss_remainder


# --- files ----------------------------------------------------------------------------------------------------------


SOURCE: Final = SourceRecord(
    "wordnet",
    "Princeton WordNet 3.0",
    "WordNet-3.0",
    "https://wordnet.princeton.edu/",
    "WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved.",
)

LETTER_BY_FILE: Final = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
"""Letters of parts of speech by file suffix, in the order in which the meanings of a word are numbered."""

COUNT_FILES: Final = ("cntlist.rev", "cntlist")
"""Files with the number of occurrences of each sense in tagged texts; both have the same data."""

FREQUENCY_SOURCE: Final = "Princeton WordNet: senses tagged in texts, of a million"

FILE_NAME: Final = re.compile(r"(data|index)\.(noun|verb|adj|adv)|(noun|verb|adj|adv)\.exc|cntlist(\.rev)?")

MeaningNumbers = dict[tuple[str, str], int]
"""The number of each meaning of a word, by its lower-case form and the key of the idea."""


class WordStatistics(NamedTuple):
    """Data about words from the other files: numbers of meanings, and frequencies."""

    numbers: MeaningNumbers
    frequencies: dict[str, float]


def read_wordnet(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read a WordNet folder: ideas with definitions, examples, relations and numbered meanings; irregular forms."""
    with ExitStack() as stack:
        files: dict[str, ContentStream] = {}
        for content in contents:
            if FILE_NAME.fullmatch(content.base_name):
                copy = stack.enter_context(spool(content))
                files[content.base_name] = ContentStream(content.name, copy)
        if not any(name.startswith("data.") for name in files):
            raise InputError.of("file", "There is no data.noun, data.verb, data.adj or data.adv: is this WordNet?")
        source = options.require_source(SOURCE)
        yield wrap_source(source)
        statistics = WordStatistics({}, {})
        yield from _read_numbers(files, statistics.numbers)
        yield from _read_frequencies(files, statistics.frequencies)
        words: set[str] = set()
        for name, letter in LETTER_BY_FILE.items():
            if f"data.{name}" in files:
                yield from _read_synsets(files[f"data.{name}"], letter, source.code, statistics, words)
        for name in LETTER_BY_FILE:
            if f"{name}.exc" in files:
                yield from _read_irregular_forms(files[f"{name}.exc"], words)


def _read_numbers(files: dict[str, ContentStream], numbers: MeaningNumbers) -> Iterator[UnstoredValue]:
    """Assign numbers to the meanings of each word: nouns first, within a part of speech in the order of index.*."""
    counts: defaultdict[str, int] = defaultdict(int)
    for name, letter in LETTER_BY_FILE.items():
        content = files.get(f"index.{name}")
        for row, raw in enumerate(content.stream if content else (), 1):
            line = raw.decode("ascii", "replace")
            if line.startswith(" ") or not line.strip():
                continue
            fields = line.split()
            try:
                count, pointers = int(fields[2]), int(fields[3])
                tag_count = fields[5 + pointers]
            except (ValueError, IndexError) as error:
                raise DamagedFileError.of(
                    "file", f"index.{name} has a line that does not follow wndb(5WN): {quoted(line[:60].strip())}."
                ) from error
            for offset in fields[6 + pointers : 6 + pointers + count]:
                counts[fields[0]] += 1
                numbers[fields[0], f"{offset}-{letter}"] = counts[fields[0]]
            if content is not None and tag_count != "0":
                yield UnstoredValue(content.name, row, "tagsense_cnt", tag_count)


def _read_frequencies(files: dict[str, ContentStream], frequencies: dict[str, float]) -> Iterator[UnstoredValue]:
    """Sum the tagged occurrences of a word's senses, by lower-case form, per million."""
    name = next((file_name for file_name in COUNT_FILES if file_name in files), None)
    if name is None:
        return
    is_reversed = name.endswith(".rev")
    counts: defaultdict[str, int] = defaultdict(int)
    for row, raw in enumerate(files[name].stream, 1):
        fields = raw.decode("ascii", "replace").split()
        try:
            key, count = (fields[0], fields[2]) if is_reversed else (fields[1], fields[0])
            counts[key.partition("%")[0].lower()] += int(count)
        except (ValueError, IndexError) as error:
            raise DamagedFileError.of(
                "file",
                f"{name} has a line that does not follow cntlist(5WN): {quoted(raw[:60].decode('ascii', 'replace'))}.",
            ) from error
        # A word gets the total count of its senses.
        yield UnstoredValue(files[name].name, row, "tag_cnt", count)
    millions = sum(counts.values()) / 1_000_000
    frequencies.update((form, float(f"{count / millions:.4g}")) for form, count in counts.items() if count)


def _read_synsets(
    content: ContentStream, letter: str, source: str, statistics: WordStatistics, words: set[str]
) -> Iterator[ParsedRecord]:
    """Yield the synsets of a file, and add their words in lower case to `words`."""
    for line in read_lines(content):
        if isinstance(line, RecordError):
            yield line
        elif not line.text.startswith("  ") and line.text.strip():
            try:
                synset = parse_synset(line.text, letter)
            except (ValueError, IndexError, TypeError):
                yield RecordError(content.name, line.number, "The line is not a synset as wndb(5WN) describes it.")
                continue
            words.update(map(str.lower, synset.words))
            yield LocatedRecord(content.name, line.number, _build_idea(synset, letter, source, statistics))
            yield from (
                UnstoredValue(content.name, line.number, field, value) for field, value in iter_lost_values(synset)
            )


def _build_idea(synset: SynsetLine, letter: str, source: str, statistics: WordStatistics) -> IdeaRecord:
    context = CONTEXT_BY_FILE.get(synset.file_number)
    return IdeaRecord(
        source=source,
        key=synset.key,
        pos=_find_pos(synset, letter),
        words=tuple(_build_word(form, synset.key, statistics) for form in synset.words),
        contexts=(context,) if context else (),
        definitions=(DefinitionRecord("en", synset.definition),) if synset.definition else (),
        examples=tuple(ExampleRecord("en", example) for example in dict.fromkeys(synset.examples)),
        relations=tuple(
            RelationRecord(RELATION_BY_POINTER[pointer.symbol], f"{source}:{pointer.key}")
            for pointer in synset.pointers
            if pointer.symbol in RELATION_BY_POINTER and pointer.key != synset.key
        ),
    )


def _build_word(form: str, key: str, statistics: WordStatistics) -> WordRecord:
    frequency = statistics.frequencies.get(form.lower())
    return WordRecord(
        "en",
        form.replace("_", " "),
        position=statistics.numbers.get((form.lower(), key)),
        frequency=frequency,
        frequency_source=None if frequency is None else FREQUENCY_SOURCE,
    )


def _find_pos(synset: SynsetLine, letter: str) -> str:
    symbols = {pointer.symbol for pointer in synset.pointers}
    if letter == "n":
        return PROPER_NOUN if INSTANCE_POINTER in symbols else NOUN_BY_FILE.get(synset.file_number, COMMON_NOUN)
    if letter == "v":
        return "Intransitive" if TRANSITIVE_FRAMES.isdisjoint(synset.frames) else "Transitive"
    if letter == "a":
        return "Verbal Adjective" if "<" in symbols else "Proper Adjective"
    return "Adverb"


def _read_irregular_forms(content: ContentStream, words: set[str]) -> Iterator[ParsedRecord]:
    """Yield irregular forms of the given words; forms of other words are losses."""
    stream: IO[bytes] = content.stream
    for number, raw in enumerate(stream, 1):
        form, *lemmas = raw.decode("ascii", "replace").split() if b" " in raw.strip() else [""]
        if not lemmas and raw.strip():
            yield RecordError(content.name, number, "The line is not an irregular form and its word.")
        for lemma in lemmas:
            if lemma.lower() not in words:
                yield UnstoredValue(content.name, number, "irregular form", f"{form} {lemma}")
            elif form != lemma:
                forms = ((form.replace("_", " "), ""),)
                yield LocatedRecord(
                    content.name, number, FormsRecord("en", lemma.replace("_", " "), forms, optional=True)
                )
