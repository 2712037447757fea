"""Records: words, meanings and ideas have the same keys always, whichever address answers them."""

from collections.abc import Iterator
from typing import Any, Final

import pytest

from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord
from abhidhan.records.languages import LANGUAGE_IDS
from tests.support.application import Ask
from tests.support.sample import sample_records

Record = dict[str, Any]

WORD: Final = [
    "id",
    "word",
    "language_id",
    "language",
    "roman",
    "roman_generated",
    "ipa",
    "ipa_generated",
    "asm",
    "countable",
    "variant",
    "origin",
    "plural",
    "definitive",
    "frequency",
    "forms_url",
    "audio",
    "pos",
    "meanings",
]
MEANING: Final = [
    "idea_id",
    "sense_id",
    "pos",
    "gender",
    "contexts",
    "definitions",
    "translations",
    "examples",
    "relations",
    "photos",
    "reference",
    "note",
    "licence",
]
TRANSLATION: Final = ["id", "word", "language_id", "language", "roman", "variant"]
IDEA: Final = [
    "id",
    "glyph",
    "pos",
    "gender",
    "contexts",
    "definitions",
    "examples",
    "relations",
    "photos",
    "words",
    "source",
    "licence",
]
KEYS_OF_PARTS: Final = {
    "contexts": ["id", "value"],
    "definitions": ["language_id", "text"],
    "translations": TRANSLATION,
    "examples": ["language_id", "text", "translation"],
    "relations": ["type", "idea_id", "words"],
    "photos": ["url", "thumbnail_url", "credit", "width", "height", "licence"],
}


def words_of(api: Ask) -> list[Record]:
    """Read every word of the sample."""
    words: list[Record] = api("/api/words", "limit=1000").json["data"]
    assert len(words) > 150
    return words


def words_within(answer: object) -> Iterator[Record]:
    """Find the words anywhere within an answer: what has meanings is one."""
    if isinstance(answer, dict) and "meanings" in answer:
        yield answer
    elif isinstance(answer, dict | list):
        for each in answer.values() if isinstance(answer, dict) else answer:
            yield from words_within(each)


def meanings_of(api: Ask) -> Iterator[tuple[Record, Record]]:
    """Read every meaning of every word."""
    return ((word, meaning) for word in words_of(api) for meaning in word["meanings"])


def test_a_word_has_the_same_keys_in_every_answer(api: Ask, subtests: pytest.Subtests) -> None:
    addresses: list[tuple[str, str, list[str]]] = [
        ("/api/words", "limit=1000", []),
        ("/api/words_recent.php", "limit=1000", ["added"]),
        ("/api/search", "q=water&limit=1000", ["match", "score"]),
        ("/api/dic.php", "w=water+pani+went", []),
        ("/api/words/1", "", []),
    ]
    for path, query, more in addresses:
        with subtests.test(path):
            words = list(words_within(api(path, query).json))

            assert words
            for word in words:
                assert list(word) == WORD + more
                for meaning in word["meanings"]:
                    assert list(meaning) == MEANING


def test_a_word_of_an_alphabetical_list_has_three_keys_for_its_part_of_speech(api: Ask) -> None:
    words = list(words_within(api("/api/wordsalpha.php", "start=a&lim=1000").json))

    assert words
    for word in words:
        assert list(word) == _with_codes(WORD)
        for meaning in word["meanings"]:
            assert list(meaning) == [*_with_codes(MEANING), "text"]


def _with_codes(keys: list[str]) -> list[str]:
    place = keys.index("pos") + 1
    return [*keys[:place], "posDesc", "posID", *keys[place:]]


def test_the_parts_of_every_meaning_have_the_same_keys(api: Ask) -> None:
    for _, meaning in meanings_of(api):
        for part, keys in KEYS_OF_PARTS.items():
            assert isinstance(meaning[part], list)
            assert all(list(each) == keys for each in meaning[part])
        for named in (meaning["pos"], meaning["gender"]):
            assert named is None or list(named) == ["id", "value"]


def test_every_idea_has_the_same_keys(api: Ask) -> None:
    for number in range(1, 45):
        idea = api(f"/api/ideas/{number}").json

        assert list(idea) == IDEA
        assert list(idea["source"]) == ["name", "licence", "url", "notice"]
        assert all(list(word) == TRANSLATION for word in idea["words"])


def test_the_part_of_speech_of_a_word_is_that_of_its_first_meaning(api: Ask) -> None:
    for word in words_of(api):
        assert word["pos"] == word["meanings"][0]["pos"]


def test_translations_are_the_other_words_of_the_idea_by_language(api: Ask) -> None:
    records = (placed.record for placed in sample_records() if isinstance(placed, LocatedRecord))
    spellings = (
        [(LANGUAGE_IDS[word.language], word.text) for word in record.words]
        for record in records
        if isinstance(record, IdeaRecord)
    )
    given = {frozenset(of_idea): of_idea for of_idea in spellings}
    ideas: dict[int, list[Record]] = {}
    for word, meaning in meanings_of(api):
        number = meaning["idea_id"]
        known = ideas.setdefault(number, api(f"/api/ideas/{number}").json["words"])

        assert meaning["translations"] == [each for each in known if each["id"] != word["id"]]
    for words in ideas.values():
        shown = [(each["language_id"], each["word"]) for each in words]
        assert shown == sorted(given[frozenset(shown)], key=lambda spelling: spelling[0])


def test_only_assamese_words_are_romanized_and_transcribed_by_rule(api: Ask) -> None:
    for word in words_of(api):
        assert (word["language_id"] == 2) or (word["roman"] is None and not word["roman_generated"])
        assert (word["language_id"] != 2) or (word["roman"] and word["ipa"])
        assert (word["language_id"] == 2) or not word["ipa_generated"]
    by_editors, by_rule = (api("/api/dic.php", {"w": text, "l": 2}).json for text in ("পানী", "মাছ"))

    shown = [each["querywords"][0]["entries"][0] for each in (by_editors, by_rule)]
    assert [(word["roman"], word["roman_generated"]) for word in shown] == [("pa.ni", False), ("mas", True)]
    assert [(word["ipa"], word["ipa_generated"]) for word in shown] == [("pani", True), ("mas", True)]


def test_a_relation_has_the_words_of_its_idea(api: Ask) -> None:
    relations = [relation for _, meaning in meanings_of(api) for relation in meaning["relations"]]

    assert relations
    for relation in relations:
        words = {word["word"] for word in api(f"/api/ideas/{relation['idea_id']}").json["words"]}
        assert relation["words"]
        assert set(relation["words"]) <= words


def test_no_text_of_an_answer_is_blank(api: Ask) -> None:
    def texts(value: object) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for each in value.values():
                yield from texts(each)
        elif isinstance(value, list):
            for each in value:
                yield from texts(each)

    assert all(text.strip() for text in texts(words_of(api)))
