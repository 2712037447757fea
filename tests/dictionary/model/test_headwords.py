import pytest
from hypothesis import given

from abhidhan.dictionary.model.headwords import has_several_words, parse_headwords
from assamese.normalization import build_punctuation_variants, exact_key, split_query
from assamese.signs import replace_colons
from text_strategies import texts


def looked_up(query: str, *headwords: str) -> tuple[str, ...]:
    read = parse_headwords(query, split_query(query))
    return read.choose_texts(set(headwords)) if read else split_query(query)


@pytest.mark.parametrize(
    ("text", "spellings"),
    [
        ("পানী", ("পানী",)),
        ("100%", ("100%", "100")),
        ("-খন", ("-খন", "খন")),
        ("“100%”!", ("“100%”!", "“100%”", "100%”!", "100%”", "“100%", "100%", "“100", "100")),
        ("?!", ("?!",)),
        ("", ()),
    ],
)
def test_a_text_has_spellings_with_the_punctuation_around_it(text: str, spellings: tuple[str, ...]) -> None:
    assert set(build_punctuation_variants(text)) >= set(spellings)
    assert build_punctuation_variants(text)[:1] == spellings[:1]
    assert build_punctuation_variants(text)[-1:] == spellings[-1:]


def test_of_much_punctuation_few_spellings_are_tried() -> None:
    assert len(build_punctuation_variants("(" * 80 + "word" + ")" * 80)) <= 17


@pytest.mark.parametrize(
    ("query", "headwords", "texts"),
    [
        ("ধীৰে ধীৰে", {"ধীৰে ধীৰে"}, ("ধীৰে ধীৰে", "ধীৰে")),
        ("ধীৰে ধীৰে", set(), ("ধীৰে",)),
        ("elder sister!", {"elder sister"}, ("elder sister", "elder", "sister")),
        ("100%", {"100%"}, ("100%",)),
        ("100%", set(), ("100",)),
        ("about 100%!", {"100%"}, ("about", "100%")),
        ("and/or", {"and/or"}, ("and/or", "and", "or")),
        ("this and/or that", {"and/or"}, ("this", "and/or", "and", "or", "that")),
        ("পানী। পানী!", set(), ("পানী",)),
        ("?!", {"?!"}, ("?!",)),
        ("?!", set(), ()),
        ("পানী - মাছ", {"-"}, ("পানী", "মাছ")),
        ("দু:খ", {"দুঃখ"}, ("দুঃখ",)),
        ("দু:খ", {"দু", "দুঃখ", "খ"}, ("দুঃখ",)),
        ("দু:খ", {"দু"}, ("দুঃখ",)),
        ("দু:খ", {"দু:খ", "দুঃখ"}, ("দু:খ",)),
        ("দু:খ!", {"দুঃখ"}, ("দুঃখ",)),
        ("দু:খ কষ্ট", {"দুঃখ কষ্ট", "কষ্ট"}, ("দুঃখ কষ্ট", "দুঃখ", "কষ্ট")),
        ("দু:খ/কষ্ট", {"দুঃখ"}, ("দুঃখ", "কষ্ট")),
        ("পানী:মাছ", {"পানী", "মাছ"}, ("পানী", "মাছ")),
        ("পুন:", {"পুনঃ", "পুন"}, ("পুনঃ",)),
        ("পুন:", {"পুন"}, ("পুন",)),
        ("অাকাশ পানী", {"আকাশ পানী"}, ("আকাশ পানী", "অাকাশ", "পানী")),
    ],
)
def test_what_is_a_headword_as_it_came_is_looked_up_so(query: str, headwords: set[str], texts: tuple[str, ...]) -> None:
    assert looked_up(query, *headwords) == texts


@given(texts)
def test_without_headwords_the_bare_words_are_looked_up(text: str) -> None:
    # A colon between two letters is no punctuation.
    assert list(map(exact_key, looked_up(text))) == list(
        map(exact_key, split_query(replace_colons(text, between=True)))
    )


@pytest.mark.parametrize(
    ("query", "headwords", "verb", "texts"),
    [
        ("to run", {"run"}, "run", ("run",)),
        ("“To run!”", {"run"}, "run", ("run",)),
        ("to give up", {"give up"}, "give", ("give up", "give", "up")),
        ("to do", {"to do"}, "do", ("to do", "do")),
    ],
)
def test_what_stands_behind_a_to_may_be_looked_up_without_it(
    query: str, headwords: set[str], verb: str, texts: tuple[str, ...]
) -> None:
    read = parse_headwords(query, split_query(query))

    assert read
    assert (read.find_verb_after_to(headwords), read.choose_texts_after_to(headwords)) == (verb, texts)


@pytest.mark.parametrize("query", ["up to run", "(to)", "today run"])
def test_a_to_elsewhere_is_a_word_like_others(query: str) -> None:
    read = parse_headwords(query, split_query(query))

    assert not (read and read.find_verb_after_to({"run"}))


@pytest.mark.parametrize(
    ("text", "several"), [("লাহে লাহে", True), ("শুভ-দিন", True), ("পানী", False), ("-খন", False), ("’riewspah", False)]
)
def test_a_headword_of_several_words_is_known(text: str, *, several: bool) -> None:
    assert has_several_words(text) is several
