"""One place for each record: every shape of a kind has every field that its file names."""

from typing import Final

import msgspec
import pytest

from abhidhan.records.errors import InputError
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


def test_files_requests_and_imports_have_every_field_of_a_kind() -> None:
    for fields, shape in NAMED:
        assert set(list_field_names(fields)) <= set(shape.__struct_fields__), shape
    for fields, shape in STORED:
        assert set(list_columns(fields)) <= set(shape.__struct_fields__), shape


def test_every_field_of_a_state_can_be_changed() -> None:
    assert CHANGES_TYPES
    for state, changes in CHANGES_TYPES.items():
        assert set(list_columns(changes.fields)) <= set(state.__struct_fields__), state
        assert set(list_field_names(changes.fields)) == set(changes.__struct_fields__), state


def test_a_number_is_parsed_and_formatted_in_the_same_spelling() -> None:
    kind = Number(1000)
    for text, number in (("", None), ("0", 0.0), ("12.5", 12.5), ("1e-05", 0.00001), ("7", 7.0)):
        assert kind.parse("share", text) == number, text
        assert kind.format(number) == text


def test_a_text_that_is_not_a_number_is_rejected_with_the_allowed_range() -> None:
    for text in ("many", "nan", "inf", "-1", "1,5", "১২", "0x1"):
        with pytest.raises(InputError, match="`share` must be a number from 0 to 1,000"):
            Number(1000).parse("share", text)
