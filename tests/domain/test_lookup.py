import pytest

from abhidhan.domain.languages import Language
from abhidhan.domain.lookup import loose_keys, sound_keys
from abhidhan.domain.text import keys

ASSAMESE = Language(2, "as", "asm", "Assamese", "অসমীয়া", "Beng", "ltr")
BENGALI = Language(22, "bn", "ben", "Bengali", "বাংলা", "Beng", "ltr")
ENGLISH = Language(1, "en", "eng", "English", "English", "Latn", "ltr")
ALL = (ENGLISH, ASSAMESE, BENGALI)


@pytest.mark.parametrize("text", ["পাৰ", "পার", "par"])
def test_each_language_folds_by_its_own_rules(text: str) -> None:
    assert loose_keys(text, ALL) == {language.id: keys.loose_key(text, language.code) for language in ALL}


def test_roman_input_is_read_in_several_ways_for_indic_scripts_only() -> None:
    of_language = sound_keys("xobdo", ALL)

    assert keys.sound_key("শব্দ", "as") in of_language[ASSAMESE.id]
    assert of_language[ENGLISH.id] == {keys.sound_key("xobdo", "en")}
