import pytest

from abhidhan.dictionary.service.transliteration import transliterate
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import InputError
from assamese.romanize import Scheme
from assamese.transliteration import Direction, Transliteration


def written(dictionary: Database, text: str, direction: Direction | None = None) -> Transliteration:
    return dictionary.read_now(lambda reader: transliterate(reader, text, direction, Scheme.XOBDO))


@pytest.mark.parametrize(
    ("typed", "meant"), [("xobdo", "শব্দ"), ("pani", "পানী"), ("hati", "হাতী"), ("lora", "ল’ৰা"), ("oxom", "অসম")]
)
def test_words_of_the_dictionary_are_read_first(shared_dictionary: Database, typed: str, meant: str) -> None:
    assert written(shared_dictionary, typed).output == meant


def test_the_chosen_reading_is_no_alternative(shared_dictionary: Database) -> None:
    made = written(shared_dictionary, "xobdo")

    assert made.output not in made.alternatives[0].candidates


def test_a_text_too_long_to_be_read_is_refused(shared_dictionary: Database) -> None:
    with pytest.raises(InputError, match="501 characters"):
        written(shared_dictionary, "a" * 501)


def test_the_same_length_is_written_in_roman(shared_dictionary: Database) -> None:
    assert written(shared_dictionary, "ক" * 501).direction is Direction.TO_ROMAN


def test_a_direction_can_be_asked_for(shared_dictionary: Database) -> None:
    assert written(shared_dictionary, "mon", Direction.TO_ROMAN).output == "mon"


@pytest.mark.parametrize(
    ("typed", "meant"), [("moi bhat khau", "মই ভাত খাওঁ"), ("tai gaan gai bhal pai", "তাই গান গাই ভাল পায়")]
)
def test_the_words_of_a_passage_are_read_together(shared_dictionary: Database, typed: str, meant: str) -> None:
    assert written(shared_dictionary, typed).output == meant


def test_punctuation_parts_passages_and_stays(shared_dictionary: Database) -> None:
    assert written(shared_dictionary, "pani, hati! (xobdo)").output == "পানী, হাতী! (শব্দ)"


def test_a_word_that_is_read_in_two_ways_offers_neither_again(shared_dictionary: Database) -> None:
    made = written(shared_dictionary, "mor naam, mor")

    assert not set(made.alternatives[0].candidates) & set(made.output.replace(",", "").split())


def test_letters_of_both_scripts_in_one_word_are_each_read_as_they_are(shared_dictionary: Database) -> None:
    assert written(shared_dictionary, "পpani", Direction.TO_ASSAMESE).output == "পপানী"


def test_a_word_in_iso_15919_is_read_letter_by_letter(shared_dictionary: Database) -> None:
    made = shared_dictionary.read_now(
        lambda reader: transliterate(reader, "yadi ma:u xobdo", Direction.TO_ASSAMESE, Scheme.ISO15919)
    )

    assert made.output == "যদি মউ শব্দ"
    assert [each.word for each in made.alternatives] == ["xobdo"]
