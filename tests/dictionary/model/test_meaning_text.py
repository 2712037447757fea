"""A meaning in one line: its language, its content, and what is omitted."""

import msgspec

from abhidhan.dictionary.model.idea_json import (
    HeadwordKey,
    IdeaDetails,
    IdeaJSON,
    build_default_lines,
    describe_meaning,
    encode_idea,
    get_cached_line,
)
from abhidhan.records.ideas import Definition, IdeaWord
from assamese.normalization import exact_key

LANGUAGES = {"en": 1, "as": 2, "mjw": 10, "nag": 14, "bn": 22}


def idea(words: str, **definitions: str) -> IdeaJSON:
    """Make an idea of words as `en: water, aqua; as: পানী`, in the order of the IDs of languages."""
    spelled = [
        (LANGUAGES[code.strip()], text) for code, _, texts in map(split_words, words.split(";")) for text in texts
    ]
    made = [
        IdeaWord(number, text, language_id, "Any", None, None)
        for number, (language_id, text) in enumerate(sorted(spelled, key=lambda one: one[0]), 1)
    ]
    defined = tuple(Definition(LANGUAGES[code], text) for code, text in definitions.items())
    written = encode_idea(1, None, IdeaDetails(definitions=defined), made)
    return written._replace(lines=build_default_lines(written))


def split_words(text: str) -> tuple[str, str, list[str]]:
    code, colon, texts = text.partition(":")
    return code, colon, [text.strip() for text in texts.split(",")]


def describe(idea: IdeaJSON, language: str, word: str, languages: str = "") -> str:
    """Return the text of an idea for a word, which the line stored with the idea must equal, if there is one."""
    headword = HeadwordKey(LANGUAGES[language], exact_key(word))
    wanted = tuple(LANGUAGES[code] for code in languages.split(",") if code)
    text = msgspec.json.decode(describe_meaning(idea, headword, wanted), type=str)
    kept = b"" if wanted else get_cached_line(idea, headword.language_id)
    assert not kept or msgspec.json.decode(kept) == text
    return text


WATER = "en: water; as: পানী, জল; bn: জল"


def test_a_meaning_is_described_in_the_first_language_that_has_words_or_a_definition() -> None:
    for language, word, languages, text in [
        ("as", "পানী", "", "water – A clear liquid"),
        ("bn", "জল", "", "water – A clear liquid"),
        ("en", "water", "", "পানী, জল"),
        ("as", "পানী", "as", "জল"),
        ("as", "পানী", "mjw,bn,as", "জল"),
        ("as", "পানী", "mjw", "water, জল"),
        ("en", "water", "en,as", "A clear liquid"),
    ]:
        assert describe(idea(WATER, en="A clear liquid"), language, word, languages) == text, f"{word}, {languages}"


def test_a_meaning_without_words_in_the_language_is_described_in_others() -> None:
    for words, definitions, text in [
        ("as: পানী; bn: জল; mjw: lang", {}, "lang, জল"),
        ("as: পানী; mjw: a, b, c, d, e, f", {}, "a, b, c, d, e"),
        ("as: পানী", {"bn": "তৰল", "as": "জীৱৰ বাবে"}, "তৰল"),
        ("as: পানী", {}, "—"),
        ("as: পানী, জল", {}, "—"),
        ("as: পানী", {"en": "A clear liquid"}, "A clear liquid"),
    ]:
        assert describe(idea(words, **definitions), "as", "পানী") == text, words


def test_a_description_repeats_neither_the_headword_nor_itself() -> None:
    for words, definitions, word, text in [
        ("nag: hotel; en: Hotel, inn", {}, "hotel", "inn"),
        ("nag: hotel; en: Hotel", {}, "hotel", "—"),
        ("nag: hotel; en: Hotel; as: হোটেল", {}, "hotel", "হোটেল"),
        ("nag: hotel; en: HOTEL", {"en": "hotel"}, "hotel", "—"),
        ("nag: hotel; en: hotel", {"en": "hotel", "as": "থকা ঠাই"}, "hotel", "থকা ঠাই"),
        ("nag: don't; en: don’t, do not", {}, "don't", "do not"),
        ("nag: pani; en: Water, water, WATER", {}, "pani", "Water"),
    ]:
        assert describe(idea(words, **definitions), "nag", word) == text, words


def test_white_space_in_a_description_becomes_one_space() -> None:
    for definition, text in [
        ("A clear\nliquid", "A clear liquid"),
        ("A\u00a0clear  liquid ", "A clear liquid"),
        ('A "clear" \\ liquid', 'A "clear" \\ liquid'),
        ("স্বচ্ছ ক’লা", "স্বচ্ছ ক’লা"),
    ]:
        assert describe(idea("as: পানী; en: water", en=definition), "as", "পানী") == f"water – {text}", definition


def test_a_default_line_is_cached_unless_a_word_needs_its_own() -> None:
    assert get_cached_line(idea(WATER), 2) == b'"water"'
    assert get_cached_line(idea(WATER), 1) == '"পানী, জল"'.encode()
    assert get_cached_line(idea("en: Hotel; nag: hotel; as: হোটেল"), 14) == b""
    assert get_cached_line(idea("as: পানী; bn: জল"), 2) == b""
    assert build_default_lines(encode_idea(None, None, IdeaDetails(), [])) == b'\x01"\xe2\x80\x94"'
