import icu
import pytest

from abhidhan.dictionary.service.browse import (
    AlphabetRange,
    RecentWord,
    get_idea,
    list_alphabetically,
    list_page,
    list_recent,
)
from abhidhan.dictionary.service.lookup_lists import ALL_LANGUAGES_PARAM, LanguageParam
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import InputError, NotFoundError
from abhidhan.records.paging import AlphabeticalPage, Page
from abhidhan.records.words import Word
from assamese.collation import sort_key

ASSAMESE = LanguageParam("as")


def keep(word: RecentWord) -> RecentWord:
    return word


def list_words(dictionary: Database, start: str, most: int = 50, **rest: object) -> AlphabeticalPage[Word]:
    stretch = AlphabetRange(start, **rest)  # type: ignore[arg-type]
    return dictionary.read_now(lambda reader: list_alphabetically(reader, stretch, most))


def spellings(page: AlphabeticalPage[Word]) -> list[str]:
    return [word.word for word in page.items]


def test_assamese_words_are_sorted_as_by_icu(shared_dictionary: Database) -> None:
    words = spellings(list_words(shared_dictionary, "অ", 1000, language_id=2))

    collator = icu.Collator.createInstance(icu.Locale("as"))
    assert words == sorted(words, key=lambda word: (collator.getSortKey(word), word))
    assert words[-1] == "ক্ষমা"


def test_a_list_begins_at_the_first_word_with_the_prefix(shared_dictionary: Database) -> None:
    assert spellings(list_words(shared_dictionary, "পা", 3, language_id=2)) == ["পাখি", "পাখী", "পানী"]


def test_the_letter_of_ksha_is_not_the_letter_ka(shared_dictionary: Database) -> None:
    of_ka = spellings(list_words(shared_dictionary, "ক", end="ক", language_id=2))

    assert "কলা" in of_ka
    assert "ক্ষমা" not in of_ka
    assert spellings(list_words(shared_dictionary, "ক্ষ", language_id=2)) == ["ক্ষমা"]


def test_the_end_includes_every_word_that_begins_with_it(shared_dictionary: Database) -> None:
    words = spellings(list_words(shared_dictionary, "মন", end="মা", language_id=2))

    assert words == ["মন", "মহ", "মা", "মাছ"]


def test_following_next_gives_every_word_once(shared_dictionary: Database) -> None:
    def follow(limit: int, pos_ids: tuple[int, ...] | None) -> list[str]:
        words: list[str] = []
        start: str | None = "অ"
        while start is not None:
            page = list_words(shared_dictionary, start, limit, language_id=2, pos_ids=pos_ids)
            words += spellings(page)
            start = page.next
        return words

    assert follow(7, None) == spellings(list_words(shared_dictionary, "অ", 1000, language_id=2))
    assert follow(2, (3,)) == ["খোৱা পানী", "গৰম পানী", "চাহ", "জল", "পানী", "ভাত"]


def test_only_meanings_of_the_part_of_speech_are_listed(shared_dictionary: Database) -> None:
    (word,) = [
        word for word in list_words(shared_dictionary, "কলা", language_id=2, pos_ids=(5,)).items if word.word == "কলা"
    ]

    assert [meaning.pos.value for meaning in word.meanings if meaning.pos] == ["Abstract Noun"]
    assert word.pos
    assert word.pos.value == "Abstract Noun"


def test_words_of_several_parts_of_speech_are_listed_in_one_order(shared_dictionary: Database) -> None:
    both = spellings(list_words(shared_dictionary, "অ", 1000, language_id=2, pos_ids=(10, 14)))
    first = list_words(shared_dictionary, "অ", 3, language_id=2, pos_ids=(10, 14))

    assert both == sorted(["কাইলৈ", "কালি", "ধন্যবাদ", "হঠাৎ"], key=lambda word: (sort_key(word, "as"), word))
    assert (spellings(first), first.next) == (both[:3], both[3])
    assert spellings(list_words(shared_dictionary, "অ", language_id=2, pos_ids=())) == []


def test_the_script_of_the_start_determines_the_language(shared_dictionary: Database) -> None:
    for start, language_id in [("ক", 2), ("a", 1), ("अ", 21), ("123", 2)]:
        assert list_words(shared_dictionary, start).language_id == language_id, start


def test_an_end_before_the_start_is_rejected(shared_dictionary: Database) -> None:
    with pytest.raises(InputError, match="swap"):
        list_words(shared_dictionary, "ম", end="ক", language_id=2)


def test_the_newest_words_come_first(shared_dictionary: Database) -> None:
    def list_newest(language: LanguageParam) -> list[RecentWord]:
        return list(shared_dictionary.read_now(lambda reader: list_recent(reader, language, 5, convert=keep)))

    words = list_newest(ALL_LANGUAGES_PARAM)

    assert [word.id for word in words] == sorted((word.id for word in words), reverse=True)
    assert {word.added for word in words} == {1_790_000_000}
    assert sorted(word.word for word in list_newest(LanguageParam("nag"))) == ["mon", "pani"]


def test_pages_follow_each_other_without_a_gap(shared_dictionary: Database) -> None:
    def page(limit: int, offset: int) -> Page[Word]:
        return shared_dictionary.read_now(lambda reader: list_page(reader, None, ASSAMESE, limit, offset))

    pages, both = [page(10, 0), page(10, 10)], page(20, 0)

    assert (*pages[0].items, *pages[1].items) == both.items
    assert both.total == pages[0].total > 40


def test_a_word_comes_before_longer_words_that_begin_with_it(shared_dictionary: Database) -> None:
    page = shared_dictionary.read_now(lambda reader: list_page(reader, "মা", ASSAMESE, 10, 0))

    assert [word.word for word in page.items] == ["মা", "মাছ"]
    assert page.total == 2


def test_an_idea_is_read_with_its_words_and_an_unknown_one_is_rejected(shared_dictionary: Database) -> None:
    idea = shared_dictionary.read_now(lambda reader: get_idea(reader, 1))

    assert idea.glyph == "💧"
    assert [word.word for word in idea.words][:2] == ["water", "পানী"]
    assert idea.source
    assert idea.source.notice == "Only for tests."
    with pytest.raises(NotFoundError):
        shared_dictionary.read_now(lambda reader: get_idea(reader, 999_999))
