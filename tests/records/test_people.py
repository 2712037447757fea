from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.records.errors import InputError
from abhidhan.records.people import (
    Permission,
    Person,
    Role,
    check_new_password,
    clean_email,
    clean_username,
    has_permission,
    parse_role,
    username_key,
)

NOW: Final = 1_790_000_000

MAY: Final = (
    # permission, reader, contributor, editor, administrator
    (Permission.SUBMIT_PHOTO, True, True, True, True),
    (Permission.SUBMIT_ENTRY, False, True, True, True),
    (Permission.REVIEW, False, False, True, True),
    (Permission.EDIT, False, False, True, True),
    (Permission.MANAGE_PEOPLE, False, False, False, True),
)


@pytest.mark.parametrize(("permission", "reader", "contributor", "editor", "administrator"), MAY)
def test_each_role_may_what_the_table_says(
    permission: Permission,
    reader: bool,  # noqa: FBT001 (a column of the table)
    contributor: bool,  # noqa: FBT001
    editor: bool,  # noqa: FBT001
    administrator: bool,  # noqa: FBT001
) -> None:
    expected = dict(zip(Role, (reader, contributor, editor, administrator), strict=True))

    assert {role: has_permission(role, permission) for role in Role} == expected


def test_a_disabled_person_may_nothing() -> None:
    person = Person(1, "somebody", Role.ADMINISTRATOR, None, NOW, disabled=NOW)

    assert not any(person.has_permission(permission) for permission in Permission)


@pytest.mark.parametrize("name", ["ৰাম", "anil.das", "O'Neil", "user_1", "नीलम", "ক্‌ষ", "9lives"])
def test_names_of_every_script_are_taken(name: str) -> None:
    assert clean_username(f" {name} ") == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a",
        "x" * 41,
        "two words",
        "_hidden",
        "<b>bold</b>",
        "ab।",
        "a\x00b",
        "а" + "dmin",
        "ক" + "ka",
        "a/b",
        "\ud800\ud801",
    ],
)
def test_names_that_could_deceive_or_break_something_are_refused(name: str) -> None:
    with pytest.raises(InputError):
        clean_username(name)


@pytest.mark.parametrize(
    ("one", "other"), [("Anil", "anil"), ("ｕｓｅｒ", "user"), ("ক্‌ষ", "ক্ষ"), ("STRASSE", "straße")]
)
def test_names_that_look_alike_are_the_same(one: str, other: str) -> None:
    assert username_key(one) == username_key(other)


@pytest.mark.parametrize("password", ["correct horse battery", "মোৰ ডাঙৰ পাছৱৰ্ড", "x7$kQ9!zLmP2"])
def test_long_passwords_of_any_script_are_taken(password: str) -> None:
    assert check_new_password(password, "somebody")


@pytest.mark.parametrize(
    "password",
    [
        "short",
        "aaaaaaaaaaaa",
        "Password123!",
        "1234567890",
        "somebody.long",
        "x" * 201,
        "tab\tinside it",
        "qwertyuiop1",
    ],
)
def test_passwords_that_are_guessed_first_are_refused(password: str) -> None:
    with pytest.raises(InputError):
        check_new_password(password, "somebody.long")


def test_a_password_typed_in_either_form_of_a_letter_is_the_same() -> None:
    assert check_new_password("ক\u09dc\u09df long enough", "a") == check_new_password(
        "ক\u09a1\u09bc\u09af\u09bc long enough", "a"
    )


@pytest.mark.parametrize(
    "email",
    [
        "a@b",
        "no at",
        "two@@x.org",
        "a b@x.org",
        "<a@x.org>",
        "a@x.org\nBcc: b@x.org",
        "a" * 250 + "@x.org",
        "=?utf-8?q?v=69ctim?=@x.org",
        "a@=?utf-8?q?x?=.org",
        "a@b..org",
        "a@.b.org",
    ],
)
def test_what_is_no_address_is_refused(email: str) -> None:
    with pytest.raises(InputError):
        clean_email(email)


def test_a_blank_address_is_none() -> None:
    assert clean_email("  ") is None
    assert clean_email(" anil@example.org ") == "anil@example.org"


def test_an_unknown_role_is_told_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="reader, contributor, editor, administrator"):
        parse_role("god")


@given(st.text())
def test_no_text_breaks_the_cleaning_of_names(text: str) -> None:
    username_key(text)
    try:
        clean = clean_username(text)
    except InputError:
        return
    assert clean_username(clean) == clean


@pytest.mark.parametrize("username", ["\u3164\u3164", "\u115f\u1160", "\uffa0\uffa0", "a\u0301\u0301"])
def test_a_name_that_cannot_be_seen_is_none(username: str) -> None:
    with pytest.raises(InputError):
        clean_username(username)
