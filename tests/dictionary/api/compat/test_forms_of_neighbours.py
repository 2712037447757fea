"""Inflected forms of Bengali, Hindi, Nepali and English, as `dic.php` answers them from a small dictionary."""

from collections.abc import Iterator
from typing import Final

import pytest

from abhidhan.exchange.service.bundled_data import read_catalogue_records
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import DefinitionRecord, IdeaRecord, WordRecord
from tests.support.application import Ask, open_application
from tests.support.databases import Databases, open_database
from tests.support.sample import NOW, SOURCE

NOUNS = {
    "as": "জল মাথা গছ মানুহ হাত",
    "bn": "জল মা মাথা বাড়ি ঘর ছেলে মানুষ গাছ বই ভাই রং আমি আমরা হাত",
    "hi": "किताब लड़का लड़की आदमी माता राजा बहू भाई कुआँ रुपया मैं बाल बाला लड़के नदी मामा पानी बात",
    "ne": "घर केटा छोरो मान्छे साथी बिहान राम्रो मेरो म पानी",
    "en": "wife knife mouse teach go leaf leave crisis his bus",
}
VERBS = {"hi": "करना देखना पाना बताना"}

BENGALI, HINDI, NEPALI, ENGLISH, ANY = "bn", "hi", "ne", "en", "0"


def _records() -> Iterator[LocatedRecord | RecordError]:
    yield from read_catalogue_records()
    yield LocatedRecord("test", 1, SOURCE)
    for pos, words_of in (("Common Noun", NOUNS), ("Transitive", VERBS)):
        for language, words in words_of.items():
            for word in words.split():
                records = (WordRecord(language, word),)
                said = (DefinitionRecord("en", f"what {word} means"),)
                key = f"{pos} {language} {word}"
                yield LocatedRecord("test", 1, IdeaRecord("sample", key, pos=pos, words=records, definitions=said))


def _load_neighbours(database: Database) -> None:
    loaded = import_records(database, _records(), now=NOW)
    assert not loaded.errors, loaded.errors


@pytest.fixture(scope="module")
def ask(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Ask the application over that dictionary, once on each engine."""
    with (
        open_database(databases, _load_neighbours) as database,
        open_application(database, tmp_path_factory.mktemp("neighbours") / "home") as ask,
    ):
        yield ask


def look_up(ask: Ask, text: str, language: str) -> tuple[str, list[str]]:
    (item,) = ask("/api/dic.php", {"w": text, "l": language}).json["querywords"]
    return item["match"], [entry["word"] for entry in item["entries"]]


FORMS: Final[tuple[tuple[str, str, list[str]], ...]] = (
    (BENGALI, "জলের", ["জল"]),
    (BENGALI, "মায়ের", ["মা"]),
    (BENGALI, "মাথায়", ["মাথা"]),
    (BENGALI, "বাড়িতে", ["বাড়ি"]),
    (BENGALI, "বাড়িতেই", ["বাড়ি"]),
    (BENGALI, "ছেলেদের", ["ছেলে"]),
    (BENGALI, "মানুষেরা", ["মানুষ"]),
    (BENGALI, "গাছগুলোর", ["গাছ"]),
    (BENGALI, "বইটি", ["বই"]),
    (BENGALI, "ভাইয়েরও", ["ভাই"]),
    (BENGALI, "রঙের", ["রং"]),
    (BENGALI, "আমাদের", ["আমরা"]),
    (HINDI, "किताबें", ["किताब"]),
    (HINDI, "किताबों", ["किताब"]),
    (HINDI, "लड़कों", ["लड़का"]),
    (HINDI, "लड़कियाँ", ["लड़की"]),
    (HINDI, "लड़कियां", ["लड़की"]),
    (HINDI, "आदमियों", ["आदमी"]),
    (HINDI, "माताएँ", ["माता"]),
    (HINDI, "राजाओं", ["राजा"]),
    (HINDI, "बहुओं", ["बहू"]),
    (HINDI, "भाइयों", ["भाई"]),
    (HINDI, "कुएँ", ["कुआँ"]),
    (HINDI, "रुपये", ["रुपया"]),
    (HINDI, "मुझे", ["मैं"]),
    (HINDI, "बालों", ["बाल", "बाला"]),
    (HINDI, "करते", ["करना"]),
    (HINDI, "देखेंगे", ["देखना"]),
    (NEPALI, "घरमा", ["घर"]),
    (NEPALI, "घरको", ["घर"]),
    (NEPALI, "केटाहरू", ["केटा"]),
    (NEPALI, "केटाहरुलाई", ["केटा"]),
    (NEPALI, "छोराले", ["छोरो"]),
    (NEPALI, "मान्छेहरूको", ["मान्छे"]),
    (NEPALI, "साथीसँग", ["साथी"]),
    (NEPALI, "बिहानदेखि", ["बिहान"]),
    (NEPALI, "घरबाट", ["घर"]),
    (NEPALI, "मलाई", ["म"]),
    (ENGLISH, "wives", ["wife"]),
    (ENGLISH, "mice", ["mouse"]),
    (ENGLISH, "went", ["go"]),
    (ENGLISH, "taught", ["teach"]),
    (ENGLISH, "crises", ["crisis"]),
    (ANY, "किताबें", ["किताब"]),
    (ANY, "केटाहरूको", ["केटा"]),
    (ANY, "গাছগুলোর", ["গাছ"]),
    (ANY, "mice", ["mouse"]),
)


def test_a_form_is_found_as_an_inflection_of_its_word(ask: Ask, subtests: pytest.Subtests) -> None:
    for language, form, words in FORMS:
        with subtests.test(language=language, form=form):
            assert look_up(ask, form, language) == ("inflected", words)


def test_a_headword_that_is_also_a_form_is_found_as_itself(ask: Ask, subtests: pytest.Subtests) -> None:
    for language, text in [
        (BENGALI, "মাথা"),
        (HINDI, "लड़के"),
        (HINDI, "पानी"),
        (HINDI, "बाला"),
        (HINDI, "नदी"),
        (NEPALI, "मेरो"),
        (NEPALI, "पानी"),
        (ENGLISH, "his"),
        (ENGLISH, "bus"),
    ]:
        with subtests.test(language=language, text=text):
            assert look_up(ask, text, language) == ("exact", [text])


def test_a_word_that_is_not_a_form_in_its_language_is_not_found_as_one(ask: Ask, subtests: pytest.Subtests) -> None:
    for language, text in [
        (BENGALI, "জলর"),
        (BENGALI, "মানুষবোৰ"),
        (HINDI, "मामी"),
        (HINDI, "किताबको"),
        (HINDI, "पानीता"),
        (NEPALI, "घरों"),
        (NEPALI, "पानीयाँ"),
        (ENGLISH, "goeth"),
    ]:
        with subtests.test(language=language, text=text):
            match, _ = look_up(ask, text, language)

            assert match != "inflected"


def test_a_form_of_both_languages_is_assamese_unless_bengali_is_requested(ask: Ask) -> None:
    for language, name in ((ANY, "Assamese"), (BENGALI, "Bengali")):
        (item,) = ask("/api/dic.php", {"w": "হাতে", "l": language}).json["querywords"]

        assert [(entry["language"], entry["word"]) for entry in item["entries"]] == [(name, "হাত")]


def test_a_form_with_letters_that_bengali_lacks_is_not_a_form_of_a_bengali_word(ask: Ask) -> None:
    (item,) = ask("/api/dic.php", {"w": "ঘৰে"}).json["querywords"]

    assert item["match"] != "inflected"


def test_the_rules_of_assamese_find_no_hindi_word_by_sound(ask: Ask) -> None:
    _, words = look_up(ask, "kitabbur", HINDI)

    assert words == []
