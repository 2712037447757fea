import pytest

from abhidhan.dictionary.service import lookup_lists
from abhidhan.dictionary.service.lookup_lists import LanguageParam, find_language_id
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import InputError
from abhidhan.records.lookup_lists import ListName


def test_languages_count_their_words(shared_dictionary: Database) -> None:
    counted = {language.code: language.words for language in shared_dictionary.read_now(lookup_lists.list_languages)}

    assert counted["nag"] == 2
    assert counted["apt"] == 0


def test_items_stand_in_the_order_of_their_list(shared_dictionary: Database) -> None:
    items = shared_dictionary.read_now(lambda reader: lookup_lists.list_items(reader, ListName.PARTS_OF_SPEECH))

    assert [item.id for item in items] == list(range(1, 23))


def test_a_list_is_named_in_small_or_capital_letters() -> None:
    assert lookup_lists.find_list("pos") is ListName.PARTS_OF_SPEECH


@pytest.mark.parametrize("zero", ["0", "00"])
def test_zero_stands_for_all_languages(shared_dictionary: Database, zero: str) -> None:
    assert shared_dictionary.read_now(lambda reader: find_language_id(reader, LanguageParam(zero, "l"))) == 0


@pytest.mark.parametrize("name", ["33", "xx", "-1", "all"])
def test_an_unknown_language_is_told_by_its_parameter(shared_dictionary: Database, name: str) -> None:
    with pytest.raises(InputError) as told:
        shared_dictionary.read_now(lambda reader: find_language_id(reader, LanguageParam(name, "lang")))

    assert told.value.problems[0].parameter == "lang"


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("0", None),
        ("", None),
        ("3", (3,)),
        ("N.mat", (3,)),
        ("n.MAT", (3,)),
        ("pfx", (19,)),
        ("OTH", (21,)),
        ("U", (0, 22)),
        ("22", (0, 22)),
    ],
)
def test_parts_of_speech_are_named_by_id_or_code(
    shared_dictionary: Database, name: str, ids: tuple[int, ...] | None
) -> None:
    assert shared_dictionary.read_now(lambda reader: lookup_lists.find_pos_ids(reader, "p", name)) == ids


@pytest.mark.parametrize("name", ["23", "-1", "Noun", "N.", "Common Noun", "٣"])
def test_an_unknown_part_of_speech_is_told(shared_dictionary: Database, name: str) -> None:
    with pytest.raises(InputError, match="type=POS"):
        shared_dictionary.read_now(lambda reader: lookup_lists.find_pos_ids(reader, "p", name))
