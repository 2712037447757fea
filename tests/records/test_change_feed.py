"""Tokens, sets of IDs, and what an edit has changed of what the API shows."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.records.change_feed import (
    Became,
    ChangedRecord,
    ChangedRun,
    FeedPosition,
    Followed,
    StoredRun,
    TransactionChanges,
    affected_records,
    build_page,
    contains_position,
    decode_token,
    encode_token,
    position_after,
    renamed_values,
)
from abhidhan.records.errors import InputError
from abhidhan.records.history import (
    CardSetState,
    CardState,
    Change,
    IdeaState,
    ListItemState,
    PhraseState,
    RecordRef,
    RecordState,
    SenseState,
    WordState,
)
from abhidhan.records.id_bitmap import IDS_PER_PAGE, IdRun, IdSet

IDEA = IdeaState(None, None, None, 0)
WORD = WordState(2, "পানী", 0)
CHANGED, DELETED = Became.CHANGED, Became.DELETED

ids = st.integers(1, 3 * IDS_PER_PAGE) | st.integers(1, 40) | st.integers(2**31 - 20, 2**31 - 1)
positions = st.builds(
    FeedPosition, st.integers(0, 2**63 - 1), st.integers(1, 2**31 - 1), st.integers(0, 2**40), st.integers(0, 2**31 - 1)
)


# --- sets of IDs ------------------------------------------------------------------------------------------------------


@given(st.sets(ids), st.sets(ids))
def test_a_set_of_ids_is_listed_in_order(added: set[int], discarded: set[int]) -> None:
    kept = IdSet(added)
    for record_id in discarded:
        kept.discard(record_id)

    assert list(kept) == sorted(added - discarded)
    assert bool(kept) == bool(added - discarded)


@given(st.lists(st.tuples(st.integers(1, 3 * IDS_PER_PAGE), st.integers(0, 2 * IDS_PER_PAGE)), max_size=5))
def test_adjacent_runs_are_joined(given_runs: list[tuple[int, int]]) -> None:
    kept = IdSet()
    for first, more in given_runs:
        kept.add_run(IdRun(first, first + more))

    runs = list(kept.iter_runs())
    wanted = {each for first, more in given_runs for each in range(first, first + more + 1)}
    assert [each for run in runs for each in range(run.first, run.last + 1)] == sorted(wanted)
    assert all(earlier.last + 1 < later.first for earlier, later in pairwise(runs))


# --- what an edit has changed -----------------------------------------------------------------------------------------


Noted = list[tuple[Followed, int, Became]]
EDITS: tuple[tuple[str, RecordState | None, RecordState | None, Noted], ...] = (
    ("word:3", None, WORD, [(Followed.WORD, 3, CHANGED)]),
    ("word:3", WORD, None, [(Followed.WORD, 3, DELETED)]),
    ("word:3", None, None, [(Followed.WORD, 3, DELETED)]),
    ("idea:3", None, IDEA, [(Followed.IDEA, 3, CHANGED)]),
    ("idea:3", IDEA, None, [(Followed.IDEA, 3, DELETED)]),
    ("phrase:3", PhraseState(2, "নগৈ", 0), None, [(Followed.PHRASE, 3, DELETED)]),
    ("card:3", None, CardState(1, 1, "পানী", "water"), [(Followed.CARD, 3, CHANGED)]),
    ("card_set:3", None, CardSetState("Animals", 2, 1), []),
    ("sense:5", None, SenseState(3, 88, 1, 0), [(Followed.WORD, 3, CHANGED)]),
    ("sense:5", SenseState(3, 88, 1, 0), SenseState(4, 88, 1, 0), [(Followed.WORD, 3, CHANGED)] * 2),
    ("list_item:CTX-4", ListItemState("CTX", 4, "Water", 1), ListItemState("CTX", 4, "Waters", 1), []),
)


def test_an_edit_is_noted_for_the_record_itself_and_for_the_words_of_a_link(subtests: pytest.Subtests) -> None:
    for name, before, after, expected in EDITS:
        with subtests.test(f"{name} {type(before).__name__} {type(after).__name__}"):
            runs = affected_records([Change(RecordRef.parse(name), before, after)], []).iter_runs()

            noted = [(kind, each, became) for kind, run, became in runs for each in range(run.first, run.last + 1)]
            assert noted == [(kind, 3 + place, became) for place, (kind, _, became) in enumerate(expected)]


def test_a_deleted_record_is_not_also_changed_and_a_restored_record_is_not_deleted() -> None:
    gone = Change(RecordRef("word", "3"), WORD, None)
    link = Change(RecordRef("sense", "5"), SenseState(3, 88, 1, 0), None)
    noted = affected_records([link, gone], [88])
    assert list(noted.iter_runs()) == [
        ChangedRun(Followed.IDEA, IdRun(88, 88), CHANGED),
        ChangedRun(Followed.WORD, IdRun(3, 3), DELETED),
    ]

    noted.apply_run(ChangedRun(Followed.WORD, IdRun(2, 4), CHANGED))
    assert [run for run in noted.iter_runs() if run.kind is Followed.WORD] == [
        ChangedRun(Followed.WORD, IdRun(2, 4), CHANGED)
    ]


def test_only_a_new_name_of_a_list_value_is_noted() -> None:
    water, waters = ListItemState("CTX", 4, "Water", 1), ListItemState("CTX", 4, "Waters", 1)
    moved = ListItemState("CTX", 4, "Water", 2)
    name = RecordRef("list_item", "CTX-4")

    assert renamed_values([Change(name, water, waters)]) == {("CTX", 4)}
    assert renamed_values([Change(name, water, moved), Change(name, None, water)]) == frozenset()
    assert not TransactionChanges()


# --- following --------------------------------------------------------------------------------------------------------


@given(
    st.lists(st.tuples(st.integers(0, 4), st.sampled_from(Followed), st.sampled_from(Became)), max_size=6),
    st.integers(1, 5),
)
def test_pages_of_any_length_contain_the_same_records(lengths: list[tuple[int, Followed, Became]], limit: int) -> None:
    runs = [StoredRun(1, 1, 0, Followed.WORD, 1, 0, CHANGED)]
    runs += [
        StoredRun(2 + place // 2, 2 + place, 7, kind, 10 * place + 1, 10 * place + length, became)
        for place, (length, kind, became) in enumerate(lengths)
        if length
    ]
    whole = build_page(runs, position_after(runs[0]), 1000)
    position, more = position_after(runs[0]), True
    read: list[ChangedRecord] = []
    while more:
        first = next(place for place, run in enumerate(runs) if contains_position(run, position))
        page = build_page(runs[first:], position, limit)
        read += page.records
        position, more = decode_token(page.next), page.more

    assert tuple(read) == whole.records
    assert len(read) == sum(length for length, _, _ in lengths)
    assert encode_token(position) == whole.next
    assert build_page(runs[-1:], position, limit) == (type(whole))((), encode_token(position), more=False)


# --- tokens -----------------------------------------------------------------------------------------------------------


@given(positions)
def test_a_token_is_decoded_to_the_same_position(position: FeedPosition) -> None:
    assert decode_token(encode_token(position)) == position


@given(positions, st.integers(0, 37), st.characters())
def test_a_token_with_a_changed_letter_is_rejected(position: FeedPosition, place: int, letter: str) -> None:
    token = encode_token(position)
    spoilt = token[:place] + letter + token[place + 1 :]

    if spoilt != token:
        with pytest.raises(InputError):
            decode_token(spoilt)


@given(st.text() | st.text("abcXYZ019-_", min_size=30, max_size=45))
def test_any_other_text_is_rejected_as_a_token(text: str) -> None:
    with pytest.raises(InputError) as refused:
        decode_token(text)

    assert refused.value.problems[0].parameter == "since"
