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


def test_a_language_is_found_by_id_or_code_only() -> None:
    for name in ("2", "as", "AS", "asm"):
        language = CATALOGUE.find_language(name)
        assert language, name
        assert language.id == 2
    for name in ("", "3", "Assamese", "২", "²", "9" * 5000, "-2", "2.0"):
        assert CATALOGUE.find_language(name) is None, name[:10]


def test_the_ids_of_different_lists_are_independent() -> None:
    assert CATALOGUE.list_value(ListName.PARTS_OF_SPEECH, 3) == Named(3, "Material Noun")
    assert CATALOGUE.list_value(ListName.CONTEXTS, 3) == Named(3, "Water")
    assert CATALOGUE.list_value(ListName.GENDERS, 3) is None
    assert CATALOGUE.list_value(ListName.GENDERS, None) is None


def test_an_item_is_found_by_its_value_in_any_letter_case() -> None:
    item = CATALOGUE.find_item("CTX", "water")

    assert item
    assert item.id == 3


def test_each_licence_is_named_once() -> None:
    assert CATALOGUE.licences == "Apache-2.0; CC0-1.0"
