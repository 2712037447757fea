"""Parts of speech: their codes, and what names stand for."""

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


PARTS_OF_SPEECH: tuple[tuple[str, tuple[int, ...] | None], ...] = (
    ("3", (3,)),
    ("N.mat", (3,)),
    ("n.mat", (3,)),
    ("clt", (1001,)),
    ("OTH", (16, 21)),
    ("u", (0, 1002)),
    ("1002", (0, 1002)),
    ("22", None),
    ("Material Noun", None),
)


def test_a_part_of_speech_is_selected_by_id_or_code() -> None:
    for name, numbers in PARTS_OF_SPEECH:
        assert find_parts_of_speech(ITEMS, name) == numbers, name


def test_two_codes_are_valid_in_every_list() -> None:
    assert [find_parts_of_speech([], name) for name in ("U", "OTH", "N")] == [(0,), (), None]


def test_a_part_of_speech_without_a_code_is_other() -> None:
    assert [part_of_speech_code(item) for item in ITEMS] == ["N.mat", "OTH", "OTH", "CLT", "U"]


def test_the_codes_of_older_files_match_the_bundled_list() -> None:
    packaged = [getattr(one, "record", None) for one in read_catalogue_records()]
    values = [one for one in packaged if isinstance(one, ListItemRecord) and one.list == ListName.PARTS_OF_SPEECH]

    assert {one.value.casefold(): one.short for one in values} == PART_OF_SPEECH_CODES
    assert len({code.casefold() for code in PART_OF_SPEECH_CODES.values()}) == len(PART_OF_SPEECH_CODES) == 22


def test_the_general_parts_of_speech_are_inflected_by_their_major_class() -> None:
    kinds = [[kind.name for kind in find_word_kinds([(name, name)])] for name in ("Noun", "Verb", "Adjective")]
    assert kinds == [["OTHER_NOUN"], ["OTHER_VERB"], []]
