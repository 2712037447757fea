from hypothesis import given
from hypothesis import strategies as some

from abhidhan.dictionary.model.collapsed_senses import (
    MAX_LANGUAGES_SHOWN,
    choose_visible_entries,
    choose_visible_languages,
    count_listed_senses,
    count_open_senses,
    sort_languages,
)
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.language_preferences import (
    MAX_LANGUAGES,
    LanguagePreferences,
    format_codes,
    parse_codes,
    resolve_languages,
    update_codes,
)
from abhidhan.records.languages import Language

CODES = ("en", "as", "bn", "hi", "brx", "nag", "ur", "ne")
CATALOGUE = Catalogue(
    [Language(number, code, None, code, code, "Latn", "ltr") for number, code in enumerate(CODES, 1)],
    [],
    [],
)


def test_by_default_the_interface_language_precedes_the_configured_languages() -> None:
    assert resolve_languages(LanguagePreferences(interface="as"), CATALOGUE) == (2, 1)
    assert resolve_languages(LanguagePreferences(interface="en"), CATALOGUE) == (1, 2)
    assert resolve_languages(LanguagePreferences(interface="en", defaults=("brx", "as", "xx")), CATALOGUE) == (1, 5, 2)


def test_chosen_languages_keep_their_order_and_unknown_ones_are_skipped() -> None:
    assert resolve_languages(LanguagePreferences(("hi", "xx", "as")), CATALOGUE) == (4, 2)
    assert resolve_languages(LanguagePreferences(("xx",)), CATALOGUE) == resolve_languages(
        LanguagePreferences(), CATALOGUE
    )


@given(some.text())
def test_any_cookie_is_parsed_to_codes_that_can_be_formatted_again(text: str) -> None:
    codes = parse_codes(text)

    assert len(codes) <= MAX_LANGUAGES
    assert parse_codes(format_codes(codes)) == codes


def test_languages_are_added_moved_and_removed() -> None:
    assert update_codes(LanguagePreferences(interface="as"), add="hi") == ("as", "en", "hi")
    assert update_codes(LanguagePreferences(("as", "en", "hi")), move_up="hi") == ("as", "hi", "en")
    assert update_codes(LanguagePreferences(("as", "en")), move_up="as") == ("as", "en")
    assert update_codes(LanguagePreferences(("as", "en")), remove="as") == ("en",)
    assert update_codes(LanguagePreferences(("as",)), add="<b>") == ("as",)
    full = tuple(f"q{letter}a" for letter in "abcdefghij")
    assert update_codes(LanguagePreferences(full), add="hi") == full


def test_a_sense_with_many_languages_shows_those_of_the_reader() -> None:
    counts = dict.fromkeys(range(1, MAX_LANGUAGES_SHOWN + 2), 1)

    assert choose_visible_languages(counts, (3, 99, 1)) == {1, 3}
    assert choose_visible_languages(dict.fromkeys(range(MAX_LANGUAGES_SHOWN), 1), (3,)) == set(
        range(MAX_LANGUAGES_SHOWN)
    )
    assert sort_languages([5, 3, 1, 2], (3, 1, 3)) == [3, 1, 2, 5]


def test_the_first_of_many_senses_and_the_entries_of_the_reader_are_open() -> None:
    assert count_open_senses([2, 1]) == [2, 1]
    assert count_open_senses([0, 4, 3]) == [0, 1, 0]
    assert count_listed_senses([70, 5]) == [60, 1]
    assert count_listed_senses([5, 0]) == [5, 0]
    assert choose_visible_entries([9, 1, 8, 7], {7}) == [True, False, False, True]
