"""Selected fields and languages of an answer equal those of the whole answer."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.dictionary.model.field_selection import (
    IDEA_KEYS,
    MEANING_KEYS,
    WORD_FIELD_NAMES,
    WORD_KEYS,
    FieldSelection,
    parse_idea_fields,
    parse_word_fields,
    select_fields,
    select_idea_fields,
)
from abhidhan.dictionary.model.idea_json import (
    IdeaDetails,
    decode_details,
    encode_idea,
    fragments_for_meanings,
    read_words,
)
from abhidhan.dictionary.model.packed_json import pack, unpack, unpack_languages
from abhidhan.dictionary.model.word_json import LazyMeanings, encode_meaning, encode_selected_members
from abhidhan.records.errors import InputError
from abhidhan.records.ideas import Definition, Example, Idea, IdeaWord, PhotoReference, Relation
from abhidhan.records.lookup_lists import Named
from abhidhan.records.words import Word
from tests.records.test_lazy_json import NAMED, TEXTS

LANGUAGES = st.integers(1, 40)
CHOSEN_LANGUAGES = st.frozensets(LANGUAGES, min_size=1, max_size=5)
WORD = Word(
    id=7,
    word="পানী",
    language_id=2,
    language="Assamese",
    roman="pani",
    roman_generated=True,
    ipa=None,
    ipa_generated=False,
    asm=None,
    variant=None,
    origin=None,
    plural=None,
    definitive=None,
    countable=None,
    frequency=1.5,
    forms_url="/api/words/7/forms",
    audio=(),
    pos=None,
    meanings=LazyMeanings(b"[]"),
)


@st.composite
def words_of_an_idea(draw: st.DrawFn) -> tuple[IdeaWord, ...]:
    """Make words of an idea in the order in which they are kept: by language."""
    numbers = draw(st.lists(st.integers(1, 3000), unique=True, max_size=8))
    languages = sorted(draw(st.lists(LANGUAGES, min_size=len(numbers), max_size=len(numbers))))
    return tuple(
        IdeaWord(number, draw(TEXTS), language_id, draw(TEXTS), draw(st.one_of(st.none(), TEXTS)), draw(NAMED))
        for number, language_id in zip(numbers, languages, strict=True)
    )


@st.composite
def details_of_an_idea(draw: st.DrawFn) -> IdeaDetails:
    return IdeaDetails(
        tuple(draw(st.lists(st.builds(Named, st.integers(1, 9), TEXTS), max_size=3))),
        tuple(draw(st.lists(st.builds(Definition, LANGUAGES, TEXTS), max_size=3))),
        tuple(draw(st.lists(st.builds(Example, LANGUAGES, TEXTS, st.none()), max_size=3))),
        tuple(Relation(Named(1, text), 5, (text,)) for text in draw(st.lists(TEXTS, max_size=3))),
        tuple(draw(st.lists(st.builds(PhotoReference, TEXTS, TEXTS, TEXTS, st.just(1), st.just(2)), max_size=3))),
    )


@given(words_of_an_idea(), CHOSEN_LANGUAGES)
def test_words_of_chosen_languages_are_cut_out_of_packed_json(
    words: tuple[IdeaWord, ...], languages: frozenset[int]
) -> None:
    wanted = tuple(word for word in words if word.language_id in languages)

    assert unpack_languages(pack(msgspec.json.encode(words)), languages) == msgspec.json.encode(wanted)


@given(st.lists(st.integers(1, 120), max_size=300), st.frozensets(st.integers(1, 130), max_size=20))
def test_words_of_chosen_languages_are_found_among_many(languages: list[int], wanted: frozenset[int]) -> None:
    words = [
        IdeaWord(number, "ক" * (number % 7), each, "x", None, None) for number, each in enumerate(sorted(languages))
    ]

    cut = unpack_languages(pack(msgspec.json.encode(words)), wanted)

    assert cut == msgspec.json.encode([word for word in words if word.language_id in wanted])


@given(
    words_of_an_idea(),
    details_of_an_idea(),
    st.frozensets(st.sampled_from(MEANING_KEYS), min_size=1),
    st.one_of(st.none(), CHOSEN_LANGUAGES),
    st.integers(1, 3000),
)
def test_selected_members_of_a_meaning_equal_those_of_the_whole_meaning(
    words: tuple[IdeaWord, ...],
    details: IdeaDetails,
    keys: frozenset[str],
    languages: frozenset[int] | None,
    word_id: int,
) -> None:
    word_id = words[0].id if words else word_id
    idea = encode_idea(3, None, details, words)
    rest = {"pos": b'{"id":3,"value":"x"}', "gender": b"null", "reference": 'a"b', "note": None}
    whole = msgspec.json.decode(unpack(encode_meaning(word_id, 8, 9, idea, **rest)))  # type: ignore[arg-type]  # one table
    selection = FieldSelection(frozenset(), keys, languages)
    read = idea._replace(
        **{piece: None for piece in ("before", "words", "after") if piece not in fragments_for_meanings(selection)}
    )

    selected = encode_selected_members(word_id, 8, 9, read, selection, **rest)  # type: ignore[arg-type]  # the same

    for key in ("definitions", "translations") if languages is not None else ():
        whole[key] = [each for each in whole[key] if languages is not None and each["language_id"] in languages]
    assert selected == msgspec.json.encode({key: value for key, value in whole.items() if key in keys})


@given(words_of_an_idea(), details_of_an_idea(), CHOSEN_LANGUAGES)
def test_an_idea_is_read_in_the_chosen_languages_only(
    words: tuple[IdeaWord, ...], details: IdeaDetails, languages: frozenset[int]
) -> None:
    idea = encode_idea(None, None, details, words)

    chosen = decode_details(idea, languages)

    assert chosen.definitions == tuple(each for each in details.definitions if each.language_id in languages)
    assert (chosen.examples, chosen.relations) == (details.examples, details.relations)
    assert read_words(idea, languages) == tuple(word for word in words if word.language_id in languages)


def test_fields_select_keys_of_words_and_of_their_meanings() -> None:
    for fields, keys, of_meanings in [
        ("word", {"word"}, set()),
        (" id , word,word ", {"id", "word"}, set()),
        ("word,pos", {"word", "pos"}, set()),
        ("meanings", {"meanings"}, set(MEANING_KEYS)),
        ("pos,meanings", {"pos", "meanings"}, set(MEANING_KEYS)),
        ("translations", {"meanings"}, {"translations"}),
        ("word,translations,meanings", {"word", "meanings"}, {"translations"}),
        ("pos,definitions", {"pos", "meanings"}, {"pos", "definitions"}),
        (",".join(WORD_FIELD_NAMES), set(WORD_KEYS), set(MEANING_KEYS)),
    ]:
        assert parse_word_fields(fields, None) == FieldSelection(frozenset(keys), frozenset(of_meanings)), fields


def test_without_fields_everything_is_selected() -> None:
    assert parse_word_fields(None, None) is None
    assert parse_idea_fields(None, None) is None
    assert parse_word_fields(None, frozenset({1})) == FieldSelection(
        frozenset(WORD_KEYS), frozenset(MEANING_KEYS), frozenset({1})
    )
    assert parse_idea_fields(None, frozenset({1})) == FieldSelection(frozenset(IDEA_KEYS), languages=frozenset({1}))


def test_an_unknown_key_is_rejected_with_a_list_of_the_known_ones() -> None:
    for fields in ("", ",", "word,", "Word", "wrong", "word;id", "words", "match", "word,translation"):
        with pytest.raises(InputError) as error:
            parse_word_fields(fields, None)

        (problem,) = error.value.problems
        assert problem.parameter == "fields", fields
        assert all(key in problem.detail for key in WORD_FIELD_NAMES), fields


def test_an_idea_has_its_own_keys() -> None:
    assert parse_idea_fields("words,pos", None) == FieldSelection(frozenset({"words", "pos"}))
    with pytest.raises(InputError, match="words, source"):
        parse_idea_fields("word", None)


@given(st.frozensets(st.sampled_from(WORD_KEYS)))
def test_only_selected_keys_of_a_word_are_written(keys: frozenset[str]) -> None:
    (cut,) = select_fields([WORD], FieldSelection(keys))

    written = msgspec.json.decode(msgspec.json.encode(cut, enc_hook=lambda _: msgspec.Raw(b"[]")))
    assert list(written) == [key for key in WORD_KEYS if key in keys]


def test_only_selected_keys_of_an_idea_are_written() -> None:
    idea = Idea(1, None, None, None, (), (), (), (), (), (), None)

    assert (
        msgspec.json.encode(select_idea_fields(idea, FieldSelection(frozenset({"id", "words"}))))
        == b'{"id":1,"words":[]}'
    )
    assert select_idea_fields(idea, None) is idea
