"""Lists kept as JSON are the same lists, and are written as they are."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.domain.ideas import IdeaWord, KeptWords
from abhidhan.domain.lazy_json import Kept, as_json
from abhidhan.domain.lists import Named

TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(['"},{"id":7,"word":"', '{"id":1,"word":', "পানী", "\\", '\\"', "}]", "},{"]),
)
NAMED = st.one_of(st.none(), st.builds(Named, st.integers(1, 9), TEXTS))


@st.composite
def words_of_an_idea(draw: st.DrawFn) -> tuple[IdeaWord, ...]:
    numbers = draw(st.lists(st.integers(1, 30), unique=True, max_size=6))
    return tuple(
        IdeaWord(number, draw(TEXTS), 2, draw(TEXTS), draw(st.one_of(st.none(), TEXTS)), draw(NAMED))
        for number in numbers
    )


def kept(words: tuple[IdeaWord, ...]) -> KeptWords:
    return KeptWords(msgspec.json.encode(words))


@given(words_of_an_idea())
def test_a_kept_list_is_the_list_itself(words: tuple[IdeaWord, ...]) -> None:
    assert kept(words) == words
    assert words == kept(words)
    assert list(kept(words)) == list(words)
    assert (len(kept(words)), bool(kept(words))) == (len(words), bool(words))
    assert kept(words)[:2] == words[:2]
    assert hash(kept(words)) == hash(words)
    assert repr(kept(words)) == repr(words)


@given(words_of_an_idea(), st.integers(1, 30))
def test_without_a_word_every_other_word_is_left_whatever_their_texts_are(
    words: tuple[IdeaWord, ...], word_id: int
) -> None:
    left = tuple(word for word in words if word.id != word_id)

    assert kept(words).without(word_id) == left
    assert kept(words).without(word_id).json == msgspec.json.encode(left)


def test_a_kept_list_is_written_as_it_is() -> None:
    names = Kept(b'[{"id":3,"value":"Material Noun"}]', msgspec.json.Decoder(tuple[Named, ...]))

    assert msgspec.json.encode({"names": names}, enc_hook=as_json) == b'{"names":[{"id":3,"value":"Material Noun"}]}'


@pytest.mark.parametrize("other", [(), 3, None, ({},)])
def test_a_kept_list_is_nothing_else(other: object) -> None:
    assert kept((IdeaWord(1, "water", 1, "English", None, None),)) != other
