"""Records with numbers out of range or texts that cannot be stored are rejected and reported."""

import io

import pytest

from abhidhan.exchange.service.importing import import_records
from abhidhan.formats.jsonl import read_jsonl
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import RecordError, check_catalogue_record, parse_inverse_id
from abhidhan.records.kinds import LanguageRecord, ListItemRecord, SourceRecord
from tests.support.sample import NOW

SOURCE = '{"record":"source","code":"s","name":"N","licence":"L"}'
NUMBERS = ("9223372036854775808", "1" + "0" * 30, "-1", "1e400", "1.5", "9" * 5000)
LINES = (
    '{"record":"language","id":NUMBER,"code":"xx","iso639_3":null,"name":"N","native_name":"N","script":"Latn"}',
    '{"record":"list_item","list":"CTX","id":NUMBER,"value":"v"}',
    '{"record":"list_item","list":"CTX","id":777,"value":"w","parent":NUMBER}',
    '{"record":"list_item","list":"RIC","id":778,"value":"r","code":"NUMBER"}',
    '{"record":"idea","source":"s","key":"k","pos":"Adverb","words":[],"created":NUMBER}',
    '{"record":"idea","source":"s","key":"k","pos":"Adverb","words":[{"language":"en","text":"a","position":NUMBER}]}',
    '{"record":"phrase","source":"s","key":"k","language":"as","text":"t","category":"Proverb","added":NUMBER}',
)
NUL = (
    '{"record":"source","code":"a\\u0000","name":"N","licence":"L"}',
    '{"record":"source","code":"ab","name":"N\\u0000","licence":"L"}',
    '{"record":"language","id":0,"code":"z\\u0000","iso639_3":null,"name":"N","native_name":"N","script":"Latn"}',
    '{"record":"list_item","list":"CTX","id":5000,"value":"\\u0000"}',
    '{"record":"forms","language":"en","text":"water\\u0000","forms":[["waters","pl"]]}',
    '{"record":"forms","language":"en","text":"water","forms":[["a\\u0000","pl"]]}',
)


def faults(database: Database, *lines: str) -> list[RecordError]:
    """Import lines, and give what is wrong with them."""
    stream = io.BytesIO("\n".join((SOURCE, *lines)).encode())
    return list(import_records(database, read_jsonl(stream, "test"), now=NOW).errors)


def test_records_with_numbers_out_of_range_or_nul_characters_are_rejected(dictionary: Database) -> None:
    for number in NUMBERS:
        found = faults(dictionary, *(line.replace("NUMBER", number) for line in LINES))

        assert [fault.line for fault in found] == list(range(2, 2 + len(LINES))), number
        assert all(fault.detail.endswith(".") for fault in found)

    found = faults(dictionary, *NUL)

    assert [fault.line for fault in found] == list(range(2, 2 + len(NUL)))
    assert all("control character" in fault.detail for fault in found)


def test_the_message_names_the_range_of_ids_and_valid_records_are_accepted() -> None:
    for number in [2**31, 10**30, -1]:
        with pytest.raises(InputError, match=r"An ID is a whole number from 0 to 2,147,483,647 \(in id\)\."):
            check_catalogue_record(ListItemRecord("CTX", number, "v"))

    check_catalogue_record(SourceRecord("s", "S", "CC0-1.0"))
    check_catalogue_record(LanguageRecord(2**31 - 1, "xx", None, "N", "N", "Latn"))
    check_catalogue_record(ListItemRecord("RIC", 5, "Antonym", "5"))


def test_a_code_that_is_no_inverse_id_is_rejected(subtests: pytest.Subtests) -> None:
    for code in ["1e400", "-1", "9" * 5000, "2147483648", "²", "five"]:
        with subtests.test(code):
            assert parse_inverse_id(code) is None
            with pytest.raises(InputError, match="The code of a relation is the ID of its inverse"):
                check_catalogue_record(ListItemRecord("RIC", 5, "Antonym", code))


def test_no_id_follows_the_greatest_one(dictionary: Database) -> None:
    found = faults(
        dictionary,
        LINES[0].replace("NUMBER", "2147483647"),
        LINES[0].replace("NUMBER", "0").replace('"xx"', '"yy"'),
    )

    assert [fault.detail for fault in found] == ["There is no ID left: the last one, 2,147,483,647, is in use (in id)."]
