"""Lists kept as JSON behave like the lists, and are written unchanged."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.dictionary.model.packed_json import pack, remove_word, unpack
from abhidhan.dictionary.model.word_json import EncodedWord
from abhidhan.records.ideas import Definition, IdeaWord, LazyWords, Relation, drop_word
from abhidhan.records.lazy_json import LazyList, to_raw_json
from abhidhan.records.lookup_lists import Named
from abhidhan.records.words import Meaning

TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(['"},{"id":7,"word":"', '{"id":1,"word":', "পানী", "\\", '\\"', "}]", "},{", '"definitions":[{']),
)
NAMED = st.one_of(st.none(), st.builds(Named, st.integers(1, 9), TEXTS))


@st.composite
def words_of_an_idea(draw: st.DrawFn) -> tuple[IdeaWord, ...]:
    numbers = draw(st.lists(st.integers(1, 30), unique=True, max_size=6))
    return tuple(
        IdeaWord(number, draw(TEXTS), 2, draw(TEXTS), draw(st.one_of(st.none(), TEXTS)), draw(NAMED))
        for number in numbers
    )


def make_lazy_words(words: tuple[IdeaWord, ...]) -> LazyWords:
    return LazyWords(msgspec.json.encode(words))


@given(words_of_an_idea())
def test_a_lazy_list_behaves_like_the_list(words: tuple[IdeaWord, ...]) -> None:
    assert make_lazy_words(words) == words
    assert words == make_lazy_words(words)
    assert list(make_lazy_words(words)) == list(words)
    assert (len(make_lazy_words(words)), bool(make_lazy_words(words))) == (len(words), bool(words))
    assert make_lazy_words(words)[:2] == words[:2]
    assert hash(make_lazy_words(words)) == hash(words)
    assert repr(make_lazy_words(words)) == repr(words)


@given(words_of_an_idea(), st.integers(1, 30))
def test_removing_a_word_keeps_every_other_word(words: tuple[IdeaWord, ...], word_id: int) -> None:
    left = tuple(word for word in words if word.id != word_id)

    assert drop_word(msgspec.json.encode(words), word_id) == msgspec.json.encode(left)


@given(words_of_an_idea())
def test_packed_words_are_unpacked_unchanged(words: tuple[IdeaWord, ...]) -> None:
    json = msgspec.json.encode(words)

    assert unpack(pack(json)) == json


@given(words_of_an_idea(), st.integers(1, 30))
def test_a_word_is_removed_from_packed_words_too(words: tuple[IdeaWord, ...], word_id: int) -> None:
    json = msgspec.json.encode(words)

    assert unpack(remove_word(pack(json), word_id)) == drop_word(json, word_id)


def test_packed_words_take_less_than_a_third_of_the_space() -> None:
    words = [IdeaWord(place, "abcdefgh", 3, "Bodo", None, None) for place in range(1000, 1100)]
    json = msgspec.json.encode(words)

    assert len(pack(json)) * 3 < len(json)


def test_a_lazy_list_is_encoded_unchanged() -> None:
    names = LazyList(b'[{"id":3,"value":"Material Noun"}]', msgspec.json.Decoder(tuple[Named, ...]).decode)

    assert (
        msgspec.json.encode({"names": names}, enc_hook=to_raw_json) == b'{"names":[{"id":3,"value":"Material Noun"}]}'
    )


@st.composite
def meanings(draw: st.DrawFn) -> Meaning:
    definitions = draw(st.lists(st.builds(Definition, st.just(1), TEXTS), max_size=1))
    translations = draw(st.one_of(st.just(()), words_of_an_idea()))
    relations = draw(st.lists(st.builds(Relation, st.builds(Named, st.just(1), TEXTS), st.just(3), st.just(()))))
    return Meaning(1, 2, None, None, [], definitions, translations, [], relations, [], draw(TEXTS), None)


@given(st.lists(meanings(), max_size=3))
def test_an_entry_without_content_is_recognised_without_decoding(of_word: list[Meaning]) -> None:
    says_something = any(meaning.definitions or meaning.translations for meaning in of_word)

    assert EncodedWord(1, 1, "x", msgspec.json.encode(of_word)).is_stub != says_something


def test_a_lazy_list_differs_from_other_values() -> None:
    others: tuple[object, ...] = ((), 3, None, ({},))
    for other in others:
        assert make_lazy_words((IdeaWord(1, "water", 1, "English", None, None),)) != other
