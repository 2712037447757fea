"""Synthetic dictionaries of any size, reproducible, with words of typical syllables of each language."""

import random
import shutil
import time
from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path
from typing import Final, NamedTuple

from abhidhan.exchange.service import bundled_data, importing
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.migrate import prepare_database
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import (
    DefinitionRecord,
    ExampleRecord,
    IdeaRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)

SEED: Final = 2007
SOURCE: Final = "bench"
SENSES_PER_WORD: Final = 1.3
WORDS_PER_IDEA: Final = (2, 6)
PHRASE_LENGTHS: Final = (3, 8)
WORDS_PER_PHRASE: Final = 10
"""Number of words per phrase: 100,000 phrases for a million words."""


def _split_letters(written: str) -> tuple[str, ...]:
    return tuple(written.split())


_EASTERN: Final = _split_letters(
    "ক র ল ন ম ত ব স প হ গ দ জ য় শ চ খ ভ ষ থ ট ধ ড ছ ফ ঘ ঠ ণ ঝ ঢ ক্ষ ত্ৰ প্ৰ ন্ত স্ত ষ্ট ন্দ ক্ত ব্য স্থ ন্ন ল্প দ্ধ শ্ব জ্ঞ ৎস"
)
_EASTERN_VOWELS: Final = ("", "া", "ি", "", "ে", "ু", "ো", "ী", "ং", "ৈ", "ূ", "ৌ", "ঁ", "ৃ")


class Letters(NamedTuple):
    """Onsets and vowels of a language's syllables, most frequent first."""

    onsets: tuple[str, ...]
    vowels: tuple[str, ...]


def _shift_block(letters: Letters, offset: int) -> Letters:
    """Return the letters in another Unicode block with the same layout."""
    table = {code: code + offset for code in range(0x0980, 0x0A00)}
    return Letters(*(tuple(letter.translate(table) for letter in kind) for kind in letters))


_BENGALI: Final = Letters(_EASTERN, _EASTERN_VOWELS)
_ASSAMESE: Final = Letters((*(each.replace("র", "ৰ") for each in _EASTERN), "ৱ", "ৰ্ম"), _EASTERN_VOWELS)
_DEVANAGARI: Final = _shift_block(
    Letters(tuple(each.replace("ৎ", "ত্").replace("ৰ", "র") for each in _EASTERN), _EASTERN_VOWELS), -0x80
)
_ROMAN: Final = Letters(
    _split_letters("t n s r l d k m p b h g f w th st c v tr sh br pl gr ch j y sp cr qu z"),
    _split_letters("e a i o er u in an on ea y ou al en or ee"),
)

LANGUAGES: Final = {
    "as": (45, _ASSAMESE),
    "en": (20, _ROMAN),
    "bn": (12, _BENGALI),
    "hi": (10, _DEVANAGARI),
    "brx": (5, _DEVANAGARI),
    "kha": (4, _ROMAN),
    "ne": (4, _DEVANAGARI),
}
"""Share of senses in per cent, and letters, by language."""

PARTS_OF_SPEECH: Final = {
    "Common Noun": 400,
    "Transitive": 150,
    "Intransitive": 100,
    "Abstract Noun": 100,
    "Verbal Adjective": 90,
    "Proper Noun": 80,
    "Adverb": 60,
    "Interjection": 1,
}
"""Relative frequencies of parts of speech; the last is deliberately rare: one idea in a thousand."""

CONTEXTS: Final = ["Nature", "Food", "Culture", "Animal", "Botany", "House", "Law", "Music", "Water", "Weather", "Tool"]
RELATIONS: Final = ["Related", "Near-synonym", "Hypernym", "Antonym"]
CATEGORIES: Final = ["Jojona (যোজনা)", "Other"]


class SyntheticLexicon:
    """The generated words of one language."""

    def __init__(self, letters: Letters, generator: random.Random) -> None:
        """Initialise without words."""
        pairs = product(enumerate(letters.onsets, 1), enumerate(letters.vowels, 1))
        by_rank = sorted(pairs, key=lambda pair: pair[0][0] * pair[1][0])
        self._syllables = [onset + vowel for (_, onset), (_, vowel) in by_rank]
        self._known_words: set[str] = set()
        self._generator = generator
        self.words: list[str] = []

    def add_word(self) -> str:
        """Generate a new word."""
        while (word := self._make_random_word()) in self._known_words:
            pass
        self._known_words.add(word)
        self.words.append(word)
        return word

    def choose_common_word(self) -> str:
        """Return a random word with a Zipf distribution, as in texts."""
        return self.words[int(len(self.words) ** self._generator.random()) - 1] if self.words else self.add_word()

    def _make_random_word(self) -> str:
        length = self._generator.choices((1, 2, 3, 4, 5, 6), (3, 25, 34, 23, 11, 4))[0]
        count = len(self._syllables)
        return "".join(self._syllables[int(count * self._generator.random() ** 2)] for _ in range(length))


class SyntheticDictionary:
    """A synthetic dictionary of `size` words."""

    def __init__(self, size: int) -> None:
        """Prepare the generator; `records` generates the dictionary."""
        self._size = size
        self._generator = random.Random(SEED)  # noqa: S311  # reproducible dictionaries
        self._lexicons = {code: SyntheticLexicon(letters, self._generator) for code, (_, letters) in LANGUAGES.items()}
        self._ideas = 0

    def records(self) -> Iterator[LocatedRecord]:
        """Generate the records: a source, ideas with their words, and phrases."""
        for number, record in enumerate(self._generate_records(), start=1):
            yield LocatedRecord("synthetic", number, record)

    def _generate_records(self) -> Iterator[Record]:
        yield SourceRecord(SOURCE, "Synthetic words", "CC0-1.0", notice="Made by a program; no word means anything.")
        while sum(len(lexicon.words) for lexicon in self._lexicons.values()) < self._size:
            yield self._make_idea()
        for number in range(self._size // WORDS_PER_PHRASE):
            yield self._make_phrase(number)

    def _make_idea(self) -> IdeaRecord:
        self._ideas += 1
        return IdeaRecord(
            source=SOURCE,
            key=str(self._ideas),
            pos=self._generator.choices(list(PARTS_OF_SPEECH), list(PARTS_OF_SPEECH.values()))[0],
            words=self._make_words(),
            contexts=tuple(set(self._sample(CONTEXTS, 2))),
            definitions=tuple(self._make_definitions()),
            examples=tuple(self._make_examples()),
            relations=tuple(self._make_relations()),
        )

    def _make_words(self) -> tuple[WordRecord, ...]:
        count = self._generator.randint(*WORDS_PER_IDEA)
        shares = [share for share, _ in LANGUAGES.values()]
        languages = self._generator.choices(list(LANGUAGES), shares, k=count)
        return tuple(dict.fromkeys(self._make_word(code) for code in languages))

    def _make_word(self, code: str) -> WordRecord:
        lexicon = self._lexicons[code]
        is_new = self._generator.random() < 1 / SENSES_PER_WORD
        return WordRecord(
            code, lexicon.add_word() if is_new else self._generator.choice(lexicon.words or [lexicon.add_word()])
        )

    def _make_definitions(self) -> Iterator[DefinitionRecord]:
        yield DefinitionRecord("en", self._make_text("en", 5, 9))
        if self._generator.random() < 0.3:  # noqa: PLR2004  # three ideas in ten
            yield DefinitionRecord("as", self._make_text("as", 5, 9))

    def _make_examples(self) -> Iterator[ExampleRecord]:
        if self._generator.random() < 0.1:  # noqa: PLR2004  # one idea in ten
            yield ExampleRecord("as", self._make_text("as", 4, 8), self._make_text("en", 4, 8))

    def _make_relations(self) -> Iterator[RelationRecord]:
        if self._ideas > 1 and self._generator.random() < 0.25:  # noqa: PLR2004  # one idea in four
            other = self._generator.randint(1, self._ideas - 1)
            yield RelationRecord(self._generator.choice(RELATIONS), f"{SOURCE}:{other}")

    def _make_phrase(self, number: int) -> PhraseRecord:
        text = self._make_text("as", *PHRASE_LENGTHS)
        return PhraseRecord(
            SOURCE,
            f"phrase-{number}",
            "as",
            text,
            self._generator.choice(CATEGORIES),
            meaning=self._make_text("en", 3, 8),
        )

    def _make_text(self, code: str, min_words: int, max_words: int) -> str:
        lexicon = self._lexicons[code]
        return " ".join(lexicon.choose_common_word() for _ in range(self._generator.randint(min_words, max_words)))

    def _sample(self, names: list[str], max_count: int) -> list[str]:
        return self._generator.choices(names, k=self._generator.randint(0, max_count))


def build_home(folder: Path, size: int) -> Path:
    """Return the home of the dictionary of `size` words; build it with the program's loader if it does not exist."""
    home = folder / str(size)
    if not (home / "complete").exists():
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        url = f"sqlite:///{home.absolute() / 'dictionary.sqlite3'}"
        prepare_database(url, home / "backups")
        with Database(url) as database:
            records = chain(bundled_data.read_catalogue_records(), SyntheticDictionary(size).records())
            importing.import_records(database, records, now=int(time.time()))
        (home / "complete").touch()
    return home
