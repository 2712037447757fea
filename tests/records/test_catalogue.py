import pytest

from abhidhan.records.catalogue import Catalogue
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListItem, ListName, Named
from abhidhan.records.sources import Source

CATALOGUE = Catalogue(
    [Language(2, "as", "asm", "Assamese", "অসমীয়া", "Beng", "ltr")],
    [ListItem("POS", 3, "Material Noun", "Noun", None, 1), ListItem("CTX", 3, "Water", None, 1, 2)],
    [
        Source(number, code, code, licence, None, None, None)
        for number, code, licence in ((1, "a", "CC0-1.0"), (2, "b", "Apache-2.0"), (3, "c", "CC0-1.0"))
    ],
)


@pytest.mark.parametrize("name", ["2", "as", "AS", "asm"])
def test_a_language_is_found_by_id_or_code(name: str) -> None:
    language = CATALOGUE.find_language(name)

    assert language
    assert language.id == 2


@pytest.mark.parametrize("name", ["", "3", "Assamese", "২", "²", "9" * 5000, "-2", "2.0"])
def test_another_name_is_no_language(name: str) -> None:
    assert CATALOGUE.find_language(name) is None


def test_lists_keep_their_ids_apart() -> None:
    assert CATALOGUE.list_value(ListName.PARTS_OF_SPEECH, 3) == Named(3, "Material Noun")
    assert CATALOGUE.list_value(ListName.CONTEXTS, 3) == Named(3, "Water")
    assert CATALOGUE.list_value(ListName.GENDERS, 3) is None
    assert CATALOGUE.list_value(ListName.GENDERS, None) is None


def test_an_item_is_found_by_its_value_letter_case_aside() -> None:
    item = CATALOGUE.find_item("CTX", "water")

    assert item
    assert item.id == 3


def test_each_licence_is_named_once() -> None:
    assert CATALOGUE.licences == "Apache-2.0; CC0-1.0"
