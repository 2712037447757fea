"""A word that is written at once is the same bytes as its values written one by one, and is read as it was."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.dictionary.model.cascade import FoundWord, SearchMatch
from abhidhan.dictionary.model.idea_json import IdeaDetails, encode_idea
from abhidhan.dictionary.model.word_json import (
    EncodedWord,
    EncodedWords,
    add_members,
    build_list_decoder,
    encode_meaning,
    encode_word,
    join_words,
)
from abhidhan.records.ideas import Definition, IdeaWord
from abhidhan.records.lazy_json import to_raw_json
from abhidhan.records.lookup_lists import Named
from abhidhan.records.recordings import Audio, encode_audio
from abhidhan.records.words import Meaning, Word

TEXTS = st.one_of(st.text(max_size=9), st.sampled_from(["", "পানী", '"},{"id":7,"word":"', "\\", "\x01\x06", "null"]))
MAYBE = st.one_of(st.none(), TEXTS)
NAMED = st.one_of(st.none(), st.builds(Named, st.integers(1, 9), TEXTS))
AUDIO = st.lists(st.builds(Audio, TEXTS, MAYBE, MAYBE, MAYBE, st.integers(0, 9000)), max_size=2)
FREQUENCIES = st.one_of(st.none(), st.floats(0, 1e6))


@st.composite
def words_with_meanings(draw: st.DrawFn) -> tuple[EncodedWord, Word]:
    """Draw a word as it is written, and as its values."""
    word_id, name = draw(st.integers(1, 99)), draw(TEXTS)
    meanings = [draw(written_meanings(word_id)) for _ in range(draw(st.integers(0, 2)))]
    roman, rule_roman, ipa, rule_ipa = (draw(MAYBE) for _ in range(4))
    variant, pos = draw(NAMED), draw(NAMED)
    audio, frequency = draw(AUDIO), draw(FREQUENCIES)
    countable = draw(st.sampled_from((None, True, False)))
    same: dict[str, Any] = {key: draw(MAYBE) for key in ("asm", "origin", "plural", "definitive")}
    written = encode_word(
        word_id,
        name,
        2,
        language=msgspec.json.encode("Assamese"),
        roman=roman,
        rule_roman=rule_roman,
        ipa=ipa,
        rule_ipa=rule_ipa,
        variant=msgspec.json.encode(variant),
        frequency=frequency,
        audio=encode_audio(audio),
        countable=countable,
        pos=msgspec.json.encode(pos),
        meanings=[json for json, _ in meanings],
        **same,
    )
    word = Word(
        id=word_id,
        word=name,
        language_id=2,
        language="Assamese",
        roman=roman or rule_roman,
        roman_generated=roman is None and rule_roman is not None,
        ipa=ipa or rule_ipa,
        ipa_generated=ipa is None and rule_ipa is not None,
        variant=variant,
        frequency=frequency,
        forms_url=f"/api/words/{word_id}/forms",
        audio=tuple(audio),
        countable=countable,
        pos=pos,
        meanings=tuple(meaning for _, meaning in meanings),
        **same,
    )
    return written, word


@st.composite
def written_meanings(draw: st.DrawFn, word_id: int) -> tuple[bytes, Meaning]:
    """Draw a meaning of a word as it is written, and as its values."""
    numbers = draw(st.lists(st.integers(1, 120), unique=True, max_size=4))
    words = [IdeaWord(number, draw(TEXTS), 3, "Bodo", draw(MAYBE), draw(NAMED)) for number in numbers]
    definitions = tuple(draw(st.lists(st.builds(Definition, st.just(1), TEXTS), max_size=1)))
    reference, note = draw(MAYBE), draw(MAYBE)
    idea = encode_idea(1, None, IdeaDetails(definitions=definitions), words)
    json = encode_meaning(word_id, 6, 5, idea, pos=b"null", gender=b"null", reference=reference, note=note)
    translations = tuple(word for word in words if word.id != word_id)
    return json, Meaning(5, 6, None, None, (), definitions, translations, (), (), (), reference, note)


@given(st.lists(words_with_meanings(), max_size=3))
def test_encoded_words_equal_the_json_of_their_values(
    drawn: list[tuple[EncodedWord, Word]],
) -> None:
    written, words = EncodedWords([word for word, _ in drawn]), [word for _, word in drawn]

    assert msgspec.json.encode(written, enc_hook=to_raw_json) == msgspec.json.encode(words)
    assert len(written) == len(words)
    assert written == words


def test_encoded_words_are_counted_without_decoding() -> None:
    assert len(EncodedWords([EncodedWord(1, 2, "x", b"no JSON"), EncodedWord(2, 2, "y", b"at all")])) == 2


@given(words_with_meanings())
def test_the_match_and_score_follow_the_members_of_a_word(drawn: tuple[EncodedWord, Word]) -> None:
    written, word = drawn
    found = FoundWord(**msgspec.structs.asdict(word), match=SearchMatch.FUZZY, score=0.5)

    json = join_words([add_members(written.packed, b'"match":"fuzzy","score":0.5')])

    assert json == msgspec.json.encode([found])
    assert build_list_decoder(FoundWord)(json) == (found,)
