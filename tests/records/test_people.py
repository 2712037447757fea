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


def test_each_role_has_the_permissions_of_the_table() -> None:
    for permission, *allowed in MAY:
        assert [has_permission(role, permission) for role in Role] == allowed, permission


def test_a_disabled_person_has_no_permission() -> None:
    person = Person(1, "somebody", Role.ADMINISTRATOR, None, NOW, disabled=NOW)

    assert not any(person.has_permission(permission) for permission in Permission)


ACCEPTED_NAMES: Final = ("ৰাম", "anil.das", "O'Neil", "user_1", "नीलम", "ক্‌ষ", "9lives")
REJECTED_NAMES: Final = (
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
    # names that cannot be seen
    "\u3164\u3164",
    "\u115f\u1160",
    "\uffa0\uffa0",
    "a\u0301\u0301",
)


def test_usernames_of_every_script_are_accepted() -> None:
    for name in ACCEPTED_NAMES:
        assert clean_username(f" {name} ") == name


def test_deceptive_and_invisible_usernames_are_rejected(subtests: pytest.Subtests) -> None:
    for name in REJECTED_NAMES:
        with subtests.test(ascii(name)), pytest.raises(InputError):
            clean_username(name)


def test_usernames_that_look_alike_have_the_same_key() -> None:
    for one, other in (("Anil", "anil"), ("ｕｓｅｒ", "user"), ("ক্‌ষ", "ক্ষ"), ("STRASSE", "straße")):
        assert username_key(one) == username_key(other)


REJECTED_PASSWORDS: Final = (
    "short",
    "aaaaaaaaaaaa",
    "Password123!",
    "1234567890",
    "somebody.long",
    "x" * 201,
    "tab\tinside it",
    "qwertyuiop1",
)


def test_long_passwords_of_any_script_are_accepted() -> None:
    for password in ("correct horse battery", "মোৰ ডাঙৰ পাছৱৰ্ড", "x7$kQ9!zLmP2"):
        assert check_new_password(password, "somebody")


def test_short_and_easily_guessed_passwords_are_rejected(subtests: pytest.Subtests) -> None:
    for password in REJECTED_PASSWORDS:
        with subtests.test(password), pytest.raises(InputError):
            check_new_password(password, "somebody.long")


def test_a_password_is_the_same_in_both_encodings_of_a_letter() -> None:
    assert check_new_password("ক\u09dc\u09df long enough", "a") == check_new_password(
        "ক\u09a1\u09bc\u09af\u09bc long enough", "a"
    )


REJECTED_EMAILS: Final = (
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
)


def test_an_invalid_email_address_is_rejected(subtests: pytest.Subtests) -> None:
    for email in REJECTED_EMAILS:
        with subtests.test(email), pytest.raises(InputError):
            clean_email(email)


def test_a_blank_email_address_is_none() -> None:
    assert clean_email("  ") is None
    assert clean_email(" anil@example.org ") == "anil@example.org"


def test_an_unknown_role_is_rejected_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="reader, contributor, editor, administrator"):
        parse_role("god")


@given(st.text())
def test_any_username_is_cleaned_or_rejected(text: str) -> None:
    username_key(text)
    try:
        clean = clean_username(text)
    except InputError:
        return
    assert clean_username(clean) == clean
