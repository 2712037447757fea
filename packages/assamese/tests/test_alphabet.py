import pytest

from assamese.collation import alphabet_letters, build_alphabet_index


def test_assamese_letters_are_in_the_order_of_assamese_dictionaries() -> None:
    letters = alphabet_letters("as", "Beng")

    assert letters[:4] == ("অ", "আ", "ই", "ঈ")
    assert letters[-3:] == ("স", "হ", "ক্ষ")
    assert letters.index("ৎ") + 1 == letters.index("ত")
    assert letters.index("য") + 1 == letters.index("ৰ")


def test_each_language_has_the_letters_of_its_script(subtests: pytest.Subtests) -> None:
    for language, script, first, last in [
        ("en", "Latn", "A", "Z"),
        ("kha", "Latn", "A", "Z"),
        ("lus", "Latn", "A", "Y"),
        ("sat", "Latn", "A", "Z"),
        ("hi", "Deva", "अ", "ह"),
        ("brx", "Deva", "अ", "ह"),
        ("aho", "Beng", "অ", "ক্ষ"),
        ("bn", "Beng", "অ", "হ"),
        ("or", "Orya", "ଅ", "କ୍ଷ"),
    ]:
        with subtests.test(language):
            letters = alphabet_letters(language, script)

            assert (letters[0], letters[-1]) == (first, last)


def test_letters_of_foreign_words_follow_the_letters_of_the_language() -> None:
    assert " ".join(alphabet_letters("kha", "Latn")) == "A B K D E G Ng H I Ï J L M N Ñ O P R S T U W Y C F Q V X Z"


def test_no_letter_is_a_lone_sign() -> None:
    assert not set("ংঃঁ্") & set(alphabet_letters("as", "Beng"))


def test_a_word_is_listed_under_its_first_letter(subtests: pytest.Subtests) -> None:
    for language, script, word, letter in [
        ("as", "Beng", "পানী", "প"),
        ("as", "Beng", "ক্ষমা", "ক্ষ"),
        ("as", "Beng", "কলা", "ক"),
        ("as", "Beng", "ড়েখুৱা", "ড"),
        ("as", "Beng", "ৰং", "ৰ"),
        ("as", "Beng", "100%", ""),
        ("as", "Beng", "-খন", ""),
        ("as", "Beng", "water", ""),
        ("en", "Latn", "apple", "A"),
        ("en", "Latn", "Éclair", "E"),
        ("en", "Latn", "পানী", ""),
        ("brx", "Deva", "दै", "द"),
        ("kha", "Latn", "ngap", "Ng"),
        ("kha", "Latn", "ka sim", "S"),
        ("kha", "Latn", "ka", "K"),
        ("kha", "Latn", "cinema", "C"),
        ("lus", "Latn", "âwm", "Aw"),
    ]:
        with subtests.test(f"{language}: {word}"):
            assert build_alphabet_index(language, script).find_letter(word) == letter
