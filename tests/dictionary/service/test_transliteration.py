import pytest

from abhidhan.dictionary.service.transliteration import transliterate
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import InputError
from assamese.romanize import Scheme
from assamese.transliteration import Direction, Transliteration


def transliterate_text(dictionary: Database, text: str, direction: Direction | None = None) -> Transliteration:
    return dictionary.read_now(lambda reader: transliterate(reader, text, direction, Scheme.XOBDO))


def test_roman_text_is_written_with_words_of_the_dictionary(shared_dictionary: Database) -> None:
    for typed, meant in (
        ("xobdo", "শব্দ"),
        ("pani", "পানী"),
        ("hati", "হাতী"),
        ("lora", "ল’ৰা"),
        ("oxom", "অসম"),
        ("moi bhat khau", "মই ভাত খাওঁ"),
        ("tai gaan gai bhal pai", "তাই গান গাই ভাল পায়"),
        ("pani, hati! (xobdo)", "পানী, হাতী! (শব্দ)"),
    ):
        assert transliterate_text(shared_dictionary, typed).output == meant


def test_chosen_readings_are_no_alternatives(shared_dictionary: Database) -> None:
    for text in ("xobdo", "mor naam, mor"):
        result = transliterate_text(shared_dictionary, text)

        assert not set(result.alternatives[0].candidates) & set(result.output.replace(",", "").split())


def test_roman_text_that_is_too_long_is_rejected(shared_dictionary: Database) -> None:
    with pytest.raises(InputError, match="501 characters"):
        transliterate_text(shared_dictionary, "a" * 501)

    assert transliterate_text(shared_dictionary, "ক" * 501).direction is Direction.TO_ROMAN
    assert transliterate_text(shared_dictionary, "mon", Direction.TO_ROMAN).output == "mon"


def test_only_the_roman_letters_of_a_mixed_word_are_transliterated(shared_dictionary: Database) -> None:
    assert transliterate_text(shared_dictionary, "পpani", Direction.TO_ASSAMESE).output == "পপানী"


def test_iso_15919_is_transliterated_letter_by_letter(shared_dictionary: Database) -> None:
    result = shared_dictionary.read_now(
        lambda reader: transliterate(reader, "yadi ma:u xobdo", Direction.TO_ASSAMESE, Scheme.ISO15919)
    )

    assert result.output == "যদি মউ শব্দ"
    assert [each.word for each in result.alternatives] == ["xobdo"]
