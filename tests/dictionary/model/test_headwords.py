from hypothesis import given

from abhidhan.dictionary.model.headwords import has_several_words, parse_headwords
from assamese.normalization import build_punctuation_variants, exact_key, split_query
from assamese.signs import replace_colons
from text_strategies import texts


def look_up(query: str, *headwords: str) -> tuple[str, ...]:
    read = parse_headwords(query, split_query(query))
    return read.choose_texts(set(headwords)) if read else split_query(query)


def test_punctuation_around_a_text_makes_spelling_variants() -> None:
    for text, spellings in [
        ("পানী", ("পানী",)),
        ("100%", ("100%", "100")),
        ("-খন", ("-খন", "খন")),
        ("“100%”!", ("“100%”!", "“100%”", "100%”!", "100%”", "“100%", "100%", "“100", "100")),
        ("?!", ("?!",)),
        ("", ()),
    ]:
        variants = build_punctuation_variants(text)

        assert set(variants) >= set(spellings), text
        assert (variants[:1], variants[-1:]) == (spellings[:1], spellings[-1:]), text


def test_much_punctuation_makes_few_spelling_variants() -> None:
    assert len(build_punctuation_variants("(" * 80 + "word" + ")" * 80)) <= 17


def test_a_query_is_split_into_headwords_that_exist_and_words() -> None:
    for query, headwords, words in [
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
    ]:
        assert look_up(query, *headwords) == words, query


@given(texts)
def test_without_headwords_the_bare_words_are_looked_up(text: str) -> None:
    # A colon between two letters is no punctuation.
    assert list(map(exact_key, look_up(text))) == list(map(exact_key, split_query(replace_colons(text, between=True))))


def test_an_english_to_before_a_verb_is_left_out() -> None:
    for query, headwords, verb, chosen in (
        ("to run", {"run"}, "run", ("run",)),
        ("“To run!”", {"run"}, "run", ("run",)),
        ("to give up", {"give up"}, "give", ("give up", "give", "up")),
        ("to do", {"to do"}, "do", ("to do", "do")),
    ):
        read = parse_headwords(query, split_query(query))

        assert read
        assert (read.find_verb_after_to(headwords), read.choose_texts_after_to(headwords)) == (verb, chosen), query
    for query in ("up to run", "(to)", "today run"):
        read = parse_headwords(query, split_query(query))

        assert not (read and read.find_verb_after_to({"run"})), query


def test_headwords_of_several_words_are_recognized() -> None:
    assert [has_several_words(text) for text in ("লাহে লাহে", "শুভ-দিন")] == [True, True]
    assert [has_several_words(text) for text in ("পানী", "-খন", "’riewspah")] == [False, False, False]
