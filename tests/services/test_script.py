import pytest

from abhidhan.domain.script import Direction, Transliteration
from abhidhan.domain.text.romanize import Scheme
from abhidhan.errors import InputError
from abhidhan.services.dictionary.script import transliterate
from abhidhan.storage.engine.database import Database


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
