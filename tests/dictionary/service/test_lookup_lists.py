import pytest

from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import InputError
from abhidhan.records.lookup_lists import ListName


def test_languages_have_the_number_of_their_words(shared_dictionary: Database) -> None:
    counted = {language.code: language.words for language in shared_dictionary.read_now(lookup_lists.list_languages)}

    assert counted["nag"] == 2
    assert counted["apt"] == 0


def test_items_are_in_the_order_of_their_list(shared_dictionary: Database) -> None:
    items = shared_dictionary.read_now(lambda reader: lookup_lists.list_items(reader, ListName.PARTS_OF_SPEECH))

    assert [item.id for item in items] == list(range(1, 23))


def test_a_list_name_may_be_in_small_letters() -> None:
    assert lookup_lists.find_list("pos") is ListName.PARTS_OF_SPEECH


def test_zero_selects_all_languages_and_an_unknown_language_is_rejected(shared_dictionary: Database) -> None:
    def find_language(name: str) -> int:
        return shared_dictionary.read_now(lambda reader: find_language_id(reader, LanguageParam(name, "lang")))

    assert [find_language(name) for name in ("0", "00")] == [0, 0]
    for name in ("33", "xx", "-1", "all"):
        with pytest.raises(InputError) as error:
            find_language(name)

        assert error.value.problems[0].parameter == "lang"


def test_parts_of_speech_are_selected_by_id_or_code(shared_dictionary: Database) -> None:
    def find_pos(name: str) -> tuple[int, ...] | None:
        return shared_dictionary.read_now(lambda reader: lookup_lists.find_pos_ids(reader, "p", name))

    assert [find_pos(name) for name in ("0", "")] == [None, None]
    assert [find_pos(name) for name in ("3", "N.mat", "n.MAT")] == [(3,)] * 3
    assert [find_pos(name) for name in ("pfx", "OTH", "U", "22")] == [(19,), (21,), (0, 22), (0, 22)]
    for name in ("23", "-1", "Noun", "N.", "Common Noun", "٣"):
        with pytest.raises(InputError, match="type=POS"):
            find_pos(name)
