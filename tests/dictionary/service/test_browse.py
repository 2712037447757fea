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


def itself(word: RecentWord) -> RecentWord:
    return word


def listed(dictionary: Database, start: str, most: int = 50, **rest: object) -> AlphabeticalPage[Word]:
    stretch = AlphabetRange(start, **rest)  # type: ignore[arg-type]
    return dictionary.read_now(lambda reader: list_alphabetically(reader, stretch, most))


def spellings(found: AlphabeticalPage[Word]) -> list[str]:
    return [word.word for word in found.items]


def test_words_are_listed_in_the_order_that_icu_gives_assamese(shared_dictionary: Database) -> None:
    words = spellings(listed(shared_dictionary, "অ", 1000, language_id=2))

    collator = icu.Collator.createInstance(icu.Locale("as"))
    assert words == sorted(words, key=lambda word: (collator.getSortKey(word), word))
    assert words[-1] == "ক্ষমা"


def test_a_prefix_begins_at_the_first_word_with_it(shared_dictionary: Database) -> None:
    assert spellings(listed(shared_dictionary, "পা", 3, language_id=2)) == ["পাখি", "পাখী", "পানী"]


def test_the_letter_of_ksha_is_not_the_letter_ka(shared_dictionary: Database) -> None:
    of_ka = spellings(listed(shared_dictionary, "ক", end="ক", language_id=2))

    assert "কলা" in of_ka
    assert "ক্ষমা" not in of_ka
    assert spellings(listed(shared_dictionary, "ক্ষ", language_id=2)) == ["ক্ষমা"]


def test_the_end_includes_every_word_that_begins_with_it(shared_dictionary: Database) -> None:
    assert spellings(listed(shared_dictionary, "মন", end="মা", language_id=2)) == ["মন", "মহ", "ম’হ", "মা", "মাছ"] or (
        spellings(listed(shared_dictionary, "মন", end="মা", language_id=2))
        == sorted(["মন", "মহ", "ম’হ", "মা", "মাছ"], key=lambda word: sort_key(word, "as"))[1:]
    )


def test_following_next_gives_every_word_once(shared_dictionary: Database) -> None:
    walked: list[str] = []
    start: str | None = "অ"
    while start is not None:
        found = listed(shared_dictionary, start, 7, language_id=2)
        walked += spellings(found)
        start = found.next

    assert walked == spellings(listed(shared_dictionary, "অ", 1000, language_id=2))


def test_following_next_gives_every_word_of_a_part_of_speech_once(shared_dictionary: Database) -> None:
    walked: list[str] = []
    start: str | None = "অ"
    while start is not None:
        found = listed(shared_dictionary, start, 2, language_id=2, pos_ids=(3,))
        walked += spellings(found)
        start = found.next

    assert walked == ["খোৱা পানী", "গৰম পানী", "চাহ", "জল", "পানী", "ভাত"]


def test_only_meanings_of_the_part_of_speech_are_answered(shared_dictionary: Database) -> None:
    (word,) = [word for word in listed(shared_dictionary, "কলা", language_id=2, pos_ids=(5,)).items if word.word == "কলা"]

    assert [meaning.pos.value for meaning in word.meanings if meaning.pos] == ["Abstract Noun"]
    assert word.pos
    assert word.pos.value == "Abstract Noun"


def test_words_of_several_parts_of_speech_are_listed_in_one_order(shared_dictionary: Database) -> None:
    both = spellings(listed(shared_dictionary, "অ", 1000, language_id=2, pos_ids=(10, 14)))
    first = listed(shared_dictionary, "অ", 3, language_id=2, pos_ids=(10, 14))

    assert both == sorted(["কাইলৈ", "কালি", "ধন্যবাদ", "হঠাৎ"], key=lambda word: (sort_key(word, "as"), word))
    assert (spellings(first), first.next) == (both[:3], both[3])
    assert spellings(listed(shared_dictionary, "অ", language_id=2, pos_ids=())) == []


@pytest.mark.parametrize(("start", "language_id"), [("ক", 2), ("a", 1), ("अ", 21), ("123", 2)])
def test_the_script_of_the_start_tells_the_language(shared_dictionary: Database, start: str, language_id: int) -> None:
    assert listed(shared_dictionary, start).language_id == language_id


def test_an_end_before_the_start_is_refused(shared_dictionary: Database) -> None:
    with pytest.raises(InputError, match="swap"):
        listed(shared_dictionary, "ম", end="ক", language_id=2)


def test_the_newest_words_come_first(shared_dictionary: Database) -> None:
    words = shared_dictionary.read_now(lambda reader: list_recent(reader, ALL_LANGUAGES_PARAM, 5, convert=itself))

    assert [word.id for word in words] == sorted((word.id for word in words), reverse=True)
    assert {word.added for word in words} == {1_790_000_000}


def test_the_newest_words_of_one_language(shared_dictionary: Database) -> None:
    words = shared_dictionary.read_now(lambda reader: list_recent(reader, LanguageParam("nag"), 5, convert=itself))

    assert sorted(word.word for word in words) == ["mon", "pani"]


def test_pages_follow_each_other_without_a_gap(shared_dictionary: Database) -> None:
    def page(limit: int, offset: int) -> Page[Word]:
        return shared_dictionary.read_now(lambda reader: list_page(reader, None, ASSAMESE, limit, offset))

    pages, both = [page(10, 0), page(10, 10)], page(20, 0)

    assert (*pages[0].items, *pages[1].items) == both.items
    assert both.total == pages[0].total > 40


def test_the_word_itself_stands_before_those_that_begin_with_it(shared_dictionary: Database) -> None:
    page = shared_dictionary.read_now(lambda reader: list_page(reader, "মা", ASSAMESE, 10, 0))

    assert [word.word for word in page.items] == ["মা", "মাছ"]
    assert page.total == 2


def test_an_idea_is_read_with_its_words(shared_dictionary: Database) -> None:
    idea = shared_dictionary.read_now(lambda reader: get_idea(reader, 1))

    assert idea.glyph == "💧"
    assert [word.word for word in idea.words][:2] == ["water", "পানী"]
    assert idea.source
    assert idea.source.notice == "Only for tests."


def test_an_unknown_idea_is_told(shared_dictionary: Database) -> None:
    with pytest.raises(NotFoundError):
        shared_dictionary.read_now(lambda reader: get_idea(reader, 999_999))
