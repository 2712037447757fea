from hypothesis import given
from hypothesis import strategies as st

from abhidhan.dictionary.model.field_queries import FieldName, QueryField, parse_fields

POS, CONTEXT, LANGUAGE, HAS = FieldName


def test_fields_are_separated_from_the_words_of_a_query() -> None:
    for text, words, fields in [
        ("পানী", "পানী", []),
        ("pos:noun পানী", "পানী", [QueryField(POS, "noun")]),
        ("hot pos:noun water lang:en", "hot water", [QueryField(POS, "noun"), QueryField(LANGUAGE, "en")]),
        ('pos:"material noun" has:photo', "", [QueryField(POS, "material noun"), QueryField(HAS, "photo")]),
        ("context:“Science and Technology” a", "a", [QueryField(CONTEXT, "Science and Technology")]),
        ("context:„Science and Technology“", "", [QueryField(CONTEXT, "Science and Technology")]),
        ('pos:"material  noun', "", [QueryField(POS, "material noun")]),
        ('pos:"a"b', "b", [QueryField(POS, "a")]),
        ("POS:Noun Lang:AS", "", [QueryField(POS, "Noun"), QueryField(LANGUAGE, "AS")]),
        ("pos: noun", "noun", [QueryField(POS, "")]),
        ("pos:", "", [QueryField(POS, "")]),
        ("pos:a:b", "", [QueryField(POS, "a:b")]),
        ("pos:noun pos:noun pos:verb", "", [QueryField(POS, "noun"), QueryField(POS, "noun"), QueryField(POS, "verb")]),
        ("has:audio *a?", "*a?", [QueryField(HAS, "audio")]),
    ]:
        assert parse_fields(text) == (words, tuple(fields)), text


def test_text_that_only_resembles_a_field_is_searched_as_written() -> None:
    for text in [
        "foo:bar",
        "xpos:noun",
        '"pos:noun"',
        "https://a.example",
        "pos noun",
        "a:pos:noun",
        "pos：noun",
        "(pos:noun)",
    ]:
        assert parse_fields(text) == (text, ()), text


def test_a_value_counts_once() -> None:
    assert parse_fields("pos:noun a pos:noun pos:verb").values(POS) == ("noun", "verb")


@given(st.text())
def test_any_text_can_be_parsed(text: str) -> None:
    words, fields = parse_fields(text)

    assert words == " ".join(words.split())
    assert bool(fields) or words == " ".join(text.split())


QUOTABLE = st.text(
    st.characters(exclude_characters='"“”„«»', exclude_categories=["Zs", "Zl", "Zp", "Cc", "Cs"]), min_size=1
)
WORD = st.sampled_from(["পানী", "water", "a:b", "*", "x?", "foo:bar"])


@given(st.lists(st.tuples(st.sampled_from(FieldName), QUOTABLE)), st.lists(WORD))
def test_quoted_values_are_parsed_back(fields: list[tuple[FieldName, str]], words: list[str]) -> None:
    text = " ".join([*words, *(f'{name}:"{value}"' for name, value in fields)])

    assert parse_fields(text) == (" ".join(words), tuple(QueryField(*each) for each in fields))
