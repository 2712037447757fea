"""`end` of wordsalpha.php with the tail `zz`, which XOBDO's clients add to `start`."""

from collections.abc import Iterator

import pytest

from abhidhan.exchange.service.bundled_data import read_catalogue_records
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord, LanguageRecord, Record, WordRecord
from assamese.collation import sort_key
from assamese.normalization import nfc
from tests.support.application import Ask, open_application
from tests.support.databases import SqliteDatabases, open_database
from tests.support.sample import NOW, SOURCE

LANGUAGES = tuple(
    placed.record
    for placed in read_catalogue_records()
    if isinstance(placed, LocatedRecord) and isinstance(placed.record, LanguageRecord)
)
INDIC = sorted(language.code for language in LANGUAGES if language.script in {"Beng", "Deva"})
LATIN = sorted(language.code for language in LANGUAGES if language.script == "Latn")

EASTERN_NAGARI = (
    ("ক", "কৰ", "কা", "কাং", "কাৎ", "কা ক", "কা-ক", "কা’ক", "কা১", "কাক", "কাৱহ", "কাড়", "কাহ", "কি", "ক্ষ", "খ"),
    "কা",
)
DEVANAGARI = (("क", "कर", "का", "कां", "का क", "का-क", "का’क", "का१", "काक", "काड़", "काह", "कि", "क्ष", "ख"), "का")
SPELLINGS_OF_SCRIPT = {"Beng": EASTERN_NAGARI, "Deva": DEVANAGARI}
OF_WA = (
    "wa",
    "Wa",
    "wã",
    "wa b",
    "wa-b",
    "wa’b",
    "wa·b",
    "wab",
    "waẽ",
    "wañ",
    "waŋ",
    "waz",
    "wazz",
    "wazzo",
    "waʼb",
    "waʔ",
)
NOT_OF_WA = ("v", "w", "wb", "we", "wi", "x")
OWN_SCRIPT = {"mni": ("ꯀꯥ", "ꯀꯥꯀ"), "sat": ("ᱚᱞ", "ᱚᱞᱚ"), "ccp": ("𑄇𑄢", "𑄇𑄢𑄇")}
"""Words in scripts of languages that are listed with Latin letters: a prefix, and what begins with it."""

MIXED = ("a", "ab", "a-ক", "aক", "az", "azz", "b")


def spellings(language: LanguageRecord) -> tuple[str, ...]:
    if language.script in SPELLINGS_OF_SCRIPT:
        return (*SPELLINGS_OF_SCRIPT[language.script][0], *MIXED)
    return (*OF_WA, *NOT_OF_WA, *OWN_SCRIPT.get(language.code, ()))


def make_records() -> Iterator[Record]:
    """Make words in every language."""
    yield SOURCE
    for language in LANGUAGES:
        words = tuple(WordRecord(language.code, text) for text in spellings(language))
        yield IdeaRecord(SOURCE.code, language.code, None, words)


def load_words(database: Database) -> None:
    placed = (LocatedRecord("words", line, record) for line, record in enumerate(make_records(), 1))
    loaded = import_records(database, (*read_catalogue_records(), *placed), now=NOW)
    assert not loaded.errors, loaded.errors


@pytest.fixture(scope="module")
def api(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    home = tmp_path_factory.mktemp("home")
    with open_database(sqlite_databases, load_words) as database, open_application(database, home) as ask:
        yield ask


def list_words(api: Ask, language: str, start: str, end: str) -> list[str]:
    """List the words from `start` to `end` as a client of XOBDO asks for them."""
    answer = api("/api/wordsalpha.php", {"start": start, "end": end, "l": language, "lim": 100})
    assert answer.status == 200
    return [word["word"] for word in answer.json["data"]["words"]]


def sort_texts(language: str, *texts: str) -> list[str]:
    return sorted(texts, key=lambda text: (sort_key(text, language), text))


def find_prefix(language: str) -> tuple[str, list[str]]:
    """Return the prefix of a language of an Indic script, and its words that begin with that."""
    script = next(each.script for each in LANGUAGES if each.code == language)
    texts, prefix = SPELLINGS_OF_SCRIPT[script]
    return prefix, sort_texts(language, *(nfc(text) for text in texts if text.startswith(prefix)))


def test_all_languages_of_indic_scripts_are_tested() -> None:
    assert {"aho", "as", "bn", "bpy", "brx", "der", "hi", "ne", "rah"} <= set(INDIC)


def test_a_latin_tail_ends_a_prefix_in_indic_letters(api: Ask, subtests: pytest.Subtests) -> None:
    for language in INDIC:
        with subtests.test(language=language):
            prefix, expected = find_prefix(language)

            assert list_words(api, language, prefix, f"{prefix}zz") == expected
            assert list_words(api, language, prefix[0], f"{prefix}zz")[-len(expected) :] == expected


def test_a_prefix_may_end_with_a_sign(api: Ask, subtests: pytest.Subtests) -> None:
    for language in INDIC:
        prefix, _ = find_prefix(language)
        with subtests.test(language=language):
            assert list_words(api, language, f"{prefix}-", f"{prefix}-zz") == [f"{prefix}-{prefix[0]}"]
            for sign in (" ", "-", "’"):
                assert f"{prefix}{sign}{prefix[0]}" in list_words(api, language, prefix, f"{prefix}{sign}zz"), sign


def test_following_next_to_an_end_with_a_tail_returns_every_word_once(api: Ask, subtests: pytest.Subtests) -> None:
    for language in INDIC:
        with subtests.test(language=language):
            prefix, expected = find_prefix(language)
            read: list[str] = []
            start: str | None = prefix
            while start is not None:
                query = {"start": start, "end": f"{prefix}zz", "l": language, "lim": 2}
                data = api("/api/wordsalpha.php", query).json["data"]
                read += [word["word"] for word in data["words"]]
                start = data["next"]

            assert read == expected


def test_a_latin_prefix_finds_words_of_indic_languages(api: Ask) -> None:
    for language in INDIC:
        expected = sort_texts(language, *(text for text in MIXED if text.startswith("a")))
        assert list_words(api, language, "a", "azz") == expected, language


def test_a_start_after_an_end_with_a_tail_is_400(api: Ask, subtests: pytest.Subtests) -> None:
    for language in INDIC:
        with subtests.test(language=language):
            prefix, _ = find_prefix(language)
            after = chr(ord(prefix[0]) + 1)

            answer = api("/api/wordsalpha.php", {"start": after, "end": f"{prefix}zz", "l": language})

            assert (answer.status, answer.json["errors"][0]["parameter"]) == (400, "end")


def test_a_tail_ends_a_latin_prefix_with_letters_after_z(api: Ask) -> None:
    for language in LATIN:
        assert list_words(api, language, "wa", "wazz") == sort_texts(language, *OF_WA), language


def test_a_list_that_continues_at_the_tail_ends_with_the_letters_after_z(api: Ask) -> None:
    assert list_words(api, "lus", "wazz", "wazz")[-2:] == sort_texts("lus", "waʼb", "waʔ")


def test_a_list_that_begins_before_a_latin_prefix_ends_with_the_words_of_the_prefix(api: Ask) -> None:
    found = list_words(api, "en", "w", "wazz")

    assert found[-1] == "wazzo"
    assert {"waʼb", "waʔ"}.isdisjoint(found)


def test_a_tail_alone_is_an_end_like_any_other(api: Ask) -> None:
    assert list_words(api, "en", "we", "zz") == ["we", "wi", "x"]
    assert api("/api/wordsalpha.php", {"start": "ক", "end": "zz", "l": "rah"}).status == 400


def test_a_latin_start_after_an_end_with_a_tail_is_400(api: Ask) -> None:
    assert api("/api/wordsalpha.php", {"start": "x", "end": "wazz", "l": "lus"}).status == 400


def test_a_latin_tail_ends_a_prefix_in_any_other_script(api: Ask) -> None:
    for language, (prefix, longer) in OWN_SCRIPT.items():
        assert list_words(api, language, prefix, f"{prefix}zz") == [prefix, longer]
