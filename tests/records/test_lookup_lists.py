"""Parts of speech: their codes, and what names stand for."""

import pytest

from abhidhan.exchange.service.bundled_data import read_catalogue_records
from abhidhan.records.kinds import ListItemRecord
from abhidhan.records.lookup_lists import (
    PART_OF_SPEECH_CODES,
    ListItem,
    ListName,
    find_parts_of_speech,
    part_of_speech_code,
)
from assamese.inflected_forms import find_word_kinds

ITEMS = [
    ListItem("POS", 3, "Material Noun", "Noun", None, 1, "N.mat"),
    ListItem("POS", 16, "Particle", None, None, 2),
    ListItem("POS", 21, "Other", "Others", None, 3, "OTH"),
    ListItem("POS", 1001, "Clitic", None, None, 4, "CLT"),
    ListItem("POS", 1002, "Unassigned", "Others", None, 5, "U"),
]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("3", (3,)),
        ("N.mat", (3,)),
        ("n.mat", (3,)),
        ("clt", (1001,)),
        ("OTH", (16, 21)),
        ("u", (0, 1002)),
        ("1002", (0, 1002)),
        ("22", None),
        ("Material Noun", None),
    ],
)
def test_a_part_of_speech_is_named_by_id_or_code(name: str, found: tuple[int, ...] | None) -> None:
    assert find_parts_of_speech(ITEMS, name) == found


@pytest.mark.parametrize(("name", "found"), [("U", (0,)), ("OTH", ()), ("N", None)])
def test_two_codes_mean_something_in_every_list(name: str, found: tuple[int, ...] | None) -> None:
    assert find_parts_of_speech([], name) == found


def test_a_value_without_a_code_is_other() -> None:
    assert [part_of_speech_code(item) for item in ITEMS] == ["N.mat", "OTH", "OTH", "CLT", "U"]


def test_the_codes_of_older_files_are_those_of_the_list() -> None:
    packaged = [getattr(one, "record", None) for one in read_catalogue_records()]
    values = [one for one in packaged if isinstance(one, ListItemRecord) and one.list == ListName.PARTS_OF_SPEECH]

    assert {one.value.casefold(): one.short for one in values} == PART_OF_SPEECH_CODES
    assert len({code.casefold() for code in PART_OF_SPEECH_CODES.values()}) == len(PART_OF_SPEECH_CODES) == 22


@pytest.mark.parametrize(
    ("value", "major", "kind"),
    [("Noun", "Noun", "OTHER_NOUN"), ("Verb", "Verb", "OTHER_VERB"), ("Adjective", "Adjective", None)],
)
def test_the_general_values_are_inflected_by_their_major_class(value: str, major: str, kind: str | None) -> None:
    assert {each.name for each in find_word_kinds([(value, major)])} == ({kind} if kind else set())
