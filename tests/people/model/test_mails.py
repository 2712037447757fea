from datetime import UTC, datetime
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from abhidhan.contributions.service.mail_delivery import NOTICE_LOADERS
from abhidhan.people.model.mail_templates import (
    KIND_NAMES,
    DecisionNotice,
    MailTranslator,
    append_unsubscribe_link,
    break_links,
    clean_line,
    format_decisions,
)
from abhidhan.people.model.mails import (
    RETRY_DELAYS_SECONDS,
    MailSubscription,
    MailTopic,
    build_unsubscribe_token,
    is_signed_for,
    mailbox_key,
    next_sending_time,
    parse_address_token,
    parse_unsubscribe_token,
    retry_delay_seconds,
)
from abhidhan.people.pages.mails import build_translator
from abhidhan.people.store.mails import CONTRIBUTION_TABLES
from abhidhan.records.submission_payloads import Kind
from abhidhan.records.submissions import LOST_PHOTO, MAX_REASON_LENGTH, Status
from abhidhan.records.timestamps import DAY_SECONDS

KEY = "a secret"
CHOICE = MailSubscription(7, MailTopic.DECISIONS, is_active=True, language="en", secret=KEY, agreed=0)
ENGLISH = MailTranslator(str, str)


@given(st.integers(0, 4_000_000_000))
def test_mails_about_decisions_go_out_in_the_morning_of_assam(now: int) -> None:
    morning = next_sending_time(now)

    assert now < morning <= now + DAY_SECONDS
    assert datetime.fromtimestamp(morning, UTC).strftime("%H:%M") == "02:30"


def test_pauses_grow_up_to_a_maximum() -> None:
    pauses = [retry_delay_seconds(tries) for tries in range(1, 9)]

    assert pauses == sorted(pauses)
    assert pauses[-1] == RETRY_DELAYS_SECONDS[-1]


def test_a_link_is_for_one_person_and_one_topic() -> None:
    changes: list[dict[str, Any]] = [{"person_id": 8}, {"topic": MailTopic.CONFIRMATION}, {"secret": "another"}]
    others = [structs.replace(CHOICE, **change) for change in changes]
    link = parse_unsubscribe_token(build_unsubscribe_token(CHOICE))
    assert link is not None

    assert is_signed_for(link, CHOICE)
    assert not any(is_signed_for(link, other) for other in others)
    assert not is_signed_for(link._replace(person_id=8), others[0])


def test_unsubscribe_links_have_the_format_of_older_versions() -> None:
    assert build_unsubscribe_token(CHOICE) == "7-decisions-5cb48ae7c471c73176c2adf1ae01927b"


@given(st.text(max_size=80))
def test_any_other_text_is_an_invalid_unsubscribe_token(text: str) -> None:
    assert parse_unsubscribe_token(text) is None


@given(st.text(max_size=3_000))
def test_texts_of_users_stay_on_one_line(text: str) -> None:
    line = clean_line(text, MAX_REASON_LENGTH)

    assert len(line) <= MAX_REASON_LENGTH
    assert len(line.splitlines()) <= 1
    assert line.encode() or not text.strip()


HOSTILE_REASONS: Final[tuple[str, ...]] = (
    "a\r\n-- \nhttps://evil.example",
    "\u202egnp.exe",
    "\x1b[2J",
    "\ud800",
    "%(count)s",
)


def test_a_hostile_reason_cannot_add_lines_to_a_mail(subtests: pytest.Subtests) -> None:
    for hostile in HOSTILE_REASONS:
        with subtests.test(ascii(hostile)):
            decided = DecisionNotice("word", hostile, Status.REJECTED, hostile, "https://d.example/dic/x")

            text = append_unsubscribe_link(
                format_decisions([decided], 0, ENGLISH, "https://d.example"), ENGLISH, "https://d.example/stop"
            )

            assert len(text.splitlines()) == 12
            assert not {"\x1b", "\u202e", "\ud800", "\r"} & {*text}


def test_a_mail_about_very_many_decisions_lists_some_and_counts_the_others() -> None:
    decided = [DecisionNotice("word", str(number), Status.APPROVED) for number in range(3)]

    text = format_decisions(decided, 12, ENGLISH, "https://d.example")

    assert text.count("- Word") == 3
    assert "and 12 more" in text


def test_every_kind_has_a_name_and_is_read() -> None:
    assert {*KIND_NAMES} == {*map(str, Kind), "photo", "recording"}
    assert {*NOTICE_LOADERS} == {*CONTRIBUTION_TABLES}


def test_a_reason_of_the_programs_own_is_in_the_language_of_the_mail() -> None:
    ours, own = (
        format_decisions(
            [DecisionNotice("photo", "bird", Status.REJECTED, reason)],
            0,
            build_translator("as"),
            "https://dictionary.example",
        )
        for reason in (str(LOST_PHOTO), "Blurred")
    )

    assert "এই ফটোখনৰ ফাইল হেৰাল।" in ours
    assert "Blurred" in own


BROKEN_LINKS: Final[tuple[tuple[str, str], ...]] = (
    ("https://evil.example/x", "https[:]//evil[.]example/x"),
    ("mailto:a@evil.example", "mailto[:]a[@]evil[.]example"),
    ("www.evil.example", "www[.]evil[.]example"),
    ("অসমীয়া.ভাৰত", "অসমীয়া[.]ভাৰত"),
    ("e.g. ঘৰ. মানুহ; 10:30", "e.g. ঘৰ. মানুহ; 10:30"),
)


def test_addresses_in_the_texts_of_users_do_not_become_links() -> None:
    for text, written in BROKEN_LINKS:
        assert break_links(text) == written, text


def test_spellings_of_one_mailbox_are_equal_and_other_mailboxes_differ() -> None:
    one = ["a.b+c@gmail.com", "AB@GMAIL.com", "ab+@gmail.com", "a.b@gmail.com"]
    others = ["ab@mail.example", "a.b@mail.example", "b@gmail.com", "+ab@mail.example", "+cd@mail.example"]

    assert len({mailbox_key(each) for each in one}) == 1
    assert len({mailbox_key(each) for each in [*one, *others]}) == 1 + len(others)
    assert "@" not in mailbox_key(one[0])


@given(st.text(max_size=80))
def test_any_other_text_is_an_invalid_address_token(text: str) -> None:
    assert parse_address_token(text) is None
