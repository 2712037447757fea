import importlib.util
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from abhidhan.platform.http.preferences import InterfacePreferences, choose_accepted_language, group_digits
from abhidhan.platform.http.urls import restrict_to_local_address, word_address
from tests.support.page_fixtures import Ask, OpenPage

ROOT = Path(__file__).parents[3]


ACCEPT_LANGUAGES = (
    ("", "en"),
    ("as", "as"),
    ("as-IN,en;q=0.5", "as"),
    ("en-GB,as;q=0.9", "en"),
    ("de, as;q=0.4, en;q=0.3", "as"),
    ("as;q=0", "en"),
    ("de,fr", "en"),
    (";;;=,,", "en"),
)


def test_the_language_is_chosen_by_the_header_of_the_browser() -> None:
    for header, language in ACCEPT_LANGUAGES:
        assert choose_accepted_language(header) == language, header


@given(some.text())
def test_any_header_gives_a_language(header: str) -> None:
    assert choose_accepted_language(header) in {"en", "as"}


def test_a_choice_is_saved_and_redirects_to_the_previous_page(ask_page: Ask) -> None:
    answer = ask_page(
        "/preferences", "interface=as", headers={"host": "x", "referer": "http://x/browse?start=w&interface=en"}
    )

    assert answer.status == 303
    assert answer.headers["location"] == "/browse?start=w"
    assert answer.headers["set-cookie"].startswith("interface=as; ")


def test_a_choice_never_redirects_to_another_site(ask_page: Ask) -> None:
    for referer in ("http://evil.example/", "http://[::1", ""):
        answer = ask_page("/preferences", "theme=dark", headers={"host": "x", "referer": referer})
        assert (answer.status, answer.headers["location"]) == (303, "/"), referer


def test_a_page_has_the_chosen_theme(page: OpenPage) -> None:
    assert page("/", headers={"cookie": "a=b; theme=dark"}).one("html").attributes["data-theme"] == "dark"
    assert "data-theme" not in page("/", headers={"cookie": "theme=pink"}).one("html").attributes


def test_the_language_in_the_address_overrides_the_cookie(page: OpenPage) -> None:
    about = page("/about", "interface=as", headers={"cookie": "interface=en"})

    assert about.one("html").attributes["lang"] == "as"


def test_numbers_are_grouped_as_in_india_and_have_the_digits_of_the_language() -> None:
    assert [group_digits(number) for number in (5, 1234, 100000, 1234567)] == ["5", "1,234", "1,00,000", "12,34,567"]
    assert InterfacePreferences("as").number(1234567) == "১২,৩৪,৫৬৭"
    assert InterfacePreferences("en").number(1234567) == "1,234,567"
    assert InterfacePreferences("as").number("2026-11-20") == "২০২৬-১১-২০"


def test_assamese_plural_forms_are_translated() -> None:
    translations = InterfacePreferences("as").translations

    assert translations.ngettext("%(count)s card", "%(count)s cards", 2) == "%(count)sখন কাৰ্ড"


def test_a_redirect_never_leaves_this_site() -> None:
    for address in ("//evil", "/\\evil", "http://x", "", "a", "/a b", "/a\nb", "javascript:x"):
        assert restrict_to_local_address(address) == "/", address


@given(some.text(min_size=1))
def test_the_address_of_any_word_stays_on_this_site_and_in_its_attribute(word: str) -> None:
    address = word_address(word)

    assert address.startswith("/dic/")
    assert not set(address) & set('"<>?# \n\t')


def test_the_compiled_catalogues_match_the_translation_files() -> None:
    pytest.importorskip("babel", reason="Babel compiles the catalogues; it is among the tools for development")
    spec = importlib.util.spec_from_file_location("translations", ROOT / "tools" / "translations.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    wanted = {message.id for message in tool.collect_texts() if message.id}

    catalogues = list(tool.find_catalogues())
    assert catalogues
    for file in catalogues:
        catalog = tool.read_catalogue(file)
        assert tool.compile_catalogue(catalog) == file.with_suffix(".mo").read_bytes(), (
            "run tools/translations.py compile"
        )
        translated = {message.id for message in catalog if message.id and message.string}
        assert wanted <= translated, "run tools/translations.py update, and translate what is new"
