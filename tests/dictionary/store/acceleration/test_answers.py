"""Search answers the same without any accelerator: two thousand questions for each, about the starter dictionary."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import cache, partial
from itertools import cycle, islice
from pathlib import Path
from typing import Final
from zlib import crc32

import pytest
from sqlalchemy import select

from abhidhan.dictionary.service.completions import suggest
from abhidhan.dictionary.service.lookup import look_up
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.dictionary.service.search import search
from abhidhan.dictionary.store import completions
from abhidhan.dictionary.store.acceleration.completion_lists.lists import find_first_words
from abhidhan.dictionary.store.acceleration.idea_cache import IS_CACHED
from abhidhan.dictionary.store.acceleration.readable_words import READABLE_WORDS
from abhidhan.dictionary.store.acceleration.sound_filter import SOUND_FILTER
from abhidhan.dictionary.store.acceleration.sound_frames import SOUND_FRAMES
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, ENGLISH
from abhidhan.schema import idea_cache
from bench.acceleration import AFFECTED_ROWS, ENCODER, Question, disable_accelerator
from tests.support.server import DICTIONARY_FILE, copy_starter

QUESTIONS: Final = (400, pytest.param(2000, marks=pytest.mark.nightly))
"""The numbers of questions that are asked of each accelerator."""

LANGUAGES: Final = (ALL_LANGUAGES, ALL_LANGUAGES, ALL_LANGUAGES, ASSAMESE, ENGLISH)

KINDS: Final = {
    "idea cache": ("looked up", "looked up", "English", "in Roman letters", "searched"),
    "completion lists": ("begun", "begun", "begun", "searched"),
    "sound filter": ("misspelled", "misspelled and searched", "in Roman letters", "looked up", "begun"),
    "sound frames": ("in Roman letters", "English", "English misspelled", "searched in Roman letters"),
    "readable words": ("English", "English", "in Roman letters"),
    "words as JSON": ("looked up", "looked up", "English", "English", "searched"),
}
"""The kinds of questions that each accelerator has to do with."""

KNOWN: Final[dict[str, Callable[[ReadConnection], object]]] = {
    "idea cache": lambda reader: reader.rows(CompiledQuery(select(idea_cache.c.idea_id).where(IS_CACHED).limit(1))),
    "completion lists": lambda reader: find_first_words(reader, [(KeyColumn.EXACT, "a")], 10) is not None,
    "sound filter": lambda reader: SOUND_FILTER.current(reader) is not None,
    "sound frames": lambda reader: SOUND_FRAMES.current(reader) is not None,
    "readable words": lambda reader: READABLE_WORDS.current(reader) is not None,
}
"""Whether an accelerator knows anything: it must, but for the questions that are asked without it."""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("accelerated")
    copy_starter(home)
    return home / DICTIONARY_FILE


@pytest.fixture(scope="module")
def dictionary(file: Path) -> Iterator[Database]:
    with Database(f"sqlite:///{file}") as database:
        yield database


@pytest.fixture(scope="module")
def by_kind(file: Path) -> dict[str, list[Question]]:
    """Build questions from the headwords, in the order of a checksum."""
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT text, coalesce(roman, rule_roman, text), language_id FROM word").fetchall()
    rows.sort(key=lambda row: crc32(row[0].encode()))
    words = [text for text, _, _ in rows]
    roman = [latin for _, latin, language_id in rows if language_id == ASSAMESE]
    english = [text for text, _, language_id in rows if language_id == ENGLISH]
    search_all = partial(search, language_id=None, fuzzy=True, limit=20)
    return {
        "looked up": [partial(look_up, query=word, language_id=choose_language(word)) for word in words],
        "searched": [partial(search_all, text=word) for word in words],
        "begun": [build_suggestion(word) for pair in zip(words, roman, english, strict=False) for word in pair],
        "misspelled": [partial(look_up, query=misspell(word)) for word in words],
        "misspelled and searched": [partial(search_all, text=misspell(word)) for word in words],
        "in Roman letters": [partial(look_up, query=word) for word in roman],
        "searched in Roman letters": [partial(search_all, text=misspell(word)) for word in roman],
        "English": [partial(look_up, query=word) for word in english],
        "English misspelled": [partial(look_up, query=misspell(word)) for word in english],
    }


def choose_language(word: str) -> int:
    return LANGUAGES[crc32(word.encode()) % len(LANGUAGES)]


def build_suggestion(word: str) -> Question:
    letters = 2 + crc32(word.encode()) // 7 % 4
    return partial(suggest, text=word[:letters], language=LanguageParam(str(choose_language(word))), limit=10)


def misspell(word: str) -> str:
    """Change a letter, leave one out, or exchange two."""
    checksum = crc32(word.encode())
    place = checksum // 3 % max(1, len(word) - 1)
    start, end = word[:place], word[place:]
    return (start + ("k" if word.isascii() else "ক") + end[1:], start + end[1:], start + end[1:2] + end[:1] + end[2:])[
        checksum % 3
    ]


def choose_questions(accelerator: str, by_kind: dict[str, list[Question]], count: int) -> Sequence[Question]:
    """Return questions of each kind in turn; a kind that is named twice gives different ones."""
    left = {kind: iter(by_kind[kind]) for kind in KINDS[accelerator]}
    return [next(left[kind]) for kind in islice(cycle(KINDS[accelerator]), count)]


@pytest.mark.parametrize("count", QUESTIONS)
def test_answers_are_the_same_without_an_accelerator(  # noqa: PLR0913, PLR0917 (fixtures, and the number)
    dictionary: Database,
    file: Path,
    by_kind: dict[str, list[Question]],
    monkeypatch: pytest.MonkeyPatch,
    count: int,
    subtests: pytest.Subtests,
) -> None:
    load_words = completions._load_words  # noqa: SLF001
    # Many begin alike: the words of each beginning, however many they are, are read once.
    monkeypatch.setattr(completions, "MAX_WORDS_PER_PREFIX", 1_000_000)
    for accelerator in AFFECTED_ROWS:
        monkeypatch.setattr(completions, "_load_words", cache(load_words))
        knows = KNOWN.get(accelerator)
        with subtests.test(accelerator):
            questions = choose_questions(accelerator, by_kind, count)
            assert knows is None or dictionary.read_now(knows)
            fast = [ENCODER.encode(dictionary.read_now(question)) for question in questions]

            with disable_accelerator(accelerator, file) as encoder:
                assert knows is None or not dictionary.read_now(knows)
                plain = [encoder.encode(dictionary.read_now(question)) for question in questions]

            assert len(fast) == count
            differing = [question for question, one, other in zip(questions, fast, plain, strict=True) if one != other]
            assert differing == []
