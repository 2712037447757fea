"""One place for each record: every shape of a kind has every field that its file names."""

from typing import Final

import msgspec
import pytest

from abhidhan.records.errors import InputError
from abhidhan.records.history import State
from abhidhan.records.input_validation import CHANGES_TYPES
from abhidhan.records.kinds import CardRecord, CardSetRecord, IdeaRecord, ListItemRecord, PhraseRecord, WordRecord
from abhidhan.records.kinds.card import CARD_FIELDS, CARD_SET_FIELDS, NewCard, NewCardSet
from abhidhan.records.kinds.catalogue import LIST_ITEM_FIELDS
from abhidhan.records.kinds.entry import NewIdea
from abhidhan.records.kinds.field_types import Number
from abhidhan.records.kinds.fields import Fields, list_columns, list_field_names
from abhidhan.records.kinds.idea import IDEA_FIELDS
from abhidhan.records.kinds.phrase import PHRASE_FIELDS, NewPhrase
from abhidhan.records.kinds.word import ALL_WORD_FIELDS, REMARK_FIELDS, WORD_DETAIL_FIELDS, NewWord
from abhidhan.records.submission_payloads import CardData, CardSetData, IdeaData, ProverbData, WordData

Shape = type[msgspec.Struct]

NAMED: Final[tuple[tuple[Fields, Shape], ...]] = (
    (Fields((*WORD_DETAIL_FIELDS, *REMARK_FIELDS)), WordRecord),
    (Fields((*ALL_WORD_FIELDS, *REMARK_FIELDS)), WordData),
    (IDEA_FIELDS, IdeaRecord),
    (IDEA_FIELDS, IdeaData),
    (PHRASE_FIELDS, PhraseRecord),
    (PHRASE_FIELDS, ProverbData),
    (CARD_FIELDS, CardRecord),
    (CARD_FIELDS, CardData),
    (CARD_SET_FIELDS, CardSetRecord),
    (CARD_SET_FIELDS, CardSetData),
    (LIST_ITEM_FIELDS, ListItemRecord),
)
STORED: Final[tuple[tuple[Fields, Shape], ...]] = (
    (Fields((*ALL_WORD_FIELDS, *REMARK_FIELDS)), NewWord),
    (IDEA_FIELDS, NewIdea),
    (PHRASE_FIELDS, NewPhrase),
    (CARD_FIELDS, NewCard),
    (CARD_SET_FIELDS, NewCardSet),
)


@pytest.mark.parametrize(("fields", "shape"), NAMED)
def test_files_and_requests_name_every_field(fields: Fields, shape: Shape) -> None:
    assert set(list_field_names(fields)) <= set(shape.__struct_fields__)


@pytest.mark.parametrize(("fields", "shape"), STORED)
def test_what_an_import_stores_has_every_column(fields: Fields, shape: Shape) -> None:
    assert set(list_columns(fields)) <= set(shape.__struct_fields__)


@pytest.mark.parametrize("state", CHANGES_TYPES)
def test_every_field_of_a_state_can_be_changed(state: type[State]) -> None:
    changes = CHANGES_TYPES[state]

    assert set(list_columns(changes.fields)) <= set(state.__struct_fields__)
    assert set(list_field_names(changes.fields)) == set(changes.__struct_fields__)


@pytest.mark.parametrize(("text", "number"), [("", None), ("0", 0.0), ("12.5", 12.5), ("1e-05", 0.00001), ("7", 7.0)])
def test_a_number_is_read_as_it_was_written(text: str, number: float | None) -> None:
    kind = Number(1000)

    assert kind.parse("share", text) == number
    assert kind.format(number) == text


@pytest.mark.parametrize("text", ["many", "nan", "inf", "-1", "1,5", "১২", "0x1"])
def test_what_is_no_number_is_refused_with_what_would_be_right(text: str) -> None:
    with pytest.raises(InputError, match="`share` must be a number from 0 to 1,000"):
        Number(1000).parse("share", text)
