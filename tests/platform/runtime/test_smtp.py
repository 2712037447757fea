import asyncio
from collections.abc import Iterator

import pytest

from abhidhan.platform.runtime.smtp import Mailer, MailServer, MessageRejectedError, parse_mail_server
from abhidhan.records.errors import SettingError, UnavailableError
from tests.support.mail_server import SmallMailServer, running_mail_server


@pytest.fixture
def mail_server() -> Iterator[SmallMailServer]:
    """Run a mail server."""
    with running_mail_server() as server:
        yield server


def test_a_message_is_delivered_to_the_mail_server(mail_server: SmallMailServer) -> None:
    address = parse_mail_server(mail_server.address)

    asyncio.run(Mailer(address, "Abhidhan <a@example.org>").send("b@example.org", "অভিধান", "A link:\nhttps://x"))

    assert "To: b@example.org" in mail_server.lines
    assert "From: Abhidhan <a@example.org>" in mail_server.lines
    assert "https://x" in mail_server.lines


def test_a_password_is_never_sent_without_encryption(mail_server: SmallMailServer) -> None:
    address = parse_mail_server(f"smtp://user:secret@127.0.0.1:{mail_server.server_address[1]}")

    with pytest.raises(UnavailableError, match="encryption"):
        Mailer(address, "a@example.org").send_now("b@example.org", "x", "y")
    assert not [line for line in mail_server.lines if "AUTH" in line or "secret" in line]


def test_the_error_for_a_rejected_recipient_does_not_contain_the_address(mail_server: SmallMailServer) -> None:
    mail_server.refusal = "550 5.1.1"

    with pytest.raises(UnavailableError, match="550") as refused:
        Mailer(parse_mail_server(mail_server.address), "a@example.org").send_now("b@example.org", "x", "y")

    assert "b@example.org" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_no_message_is_sent_to_an_address_with_an_encoded_word(mail_server: SmallMailServer) -> None:
    mailer = Mailer(parse_mail_server(mail_server.address), "a@example.org")

    with pytest.raises(MessageRejectedError, match="encoded word"):
        mailer.send_now("=?utf-8?q?v=69ctim?=@example.org", "x", "y")

    assert mail_server.lines == []


def test_a_message_is_sent_to_the_address_exactly_as_written(mail_server: SmallMailServer) -> None:
    mailer = Mailer(parse_mail_server(mail_server.address), "a@example.org")
    for recipient in ("o'neil@example.org", "a.b+c@example.org", "a..b@example.org"):
        mailer.send_now(recipient, "x", "y")

        assert f"rcpt TO:<{recipient}>" in mail_server.lines
        assert f"To: {recipient}" in mail_server.lines


def test_long_headers_are_not_broken_and_line_breaks_are_rejected(mail_server: SmallMailServer) -> None:
    mailer = Mailer(parse_mail_server(mail_server.address), "a@example.org")
    stop = f"<https://example.org/{'x' * 150}>"

    mailer.send_now("b@example.org", "অভিধান " * 30, "পানী", {"List-Unsubscribe": stop})

    assert f"List-Unsubscribe: {stop}" in mail_server.lines
    assert mail_server.messages[0]["Subject"].strip() == ("অভিধান " * 30).strip()
    for hostile in ("x\r\nBcc: c@example.org", "x\nBcc: c@example.org"):
        with pytest.raises(ValueError, match="linefeed"):
            mailer.send_now("b@example.org", hostile, "y")
        with pytest.raises(ValueError, match="linefeed"):
            mailer.send_now("b@example.org", "x", "y", {"List-Unsubscribe": hostile})


def test_an_unreachable_mail_server_is_reported() -> None:
    with pytest.raises(UnavailableError):
        Mailer(MailServer("smtp", "127.0.0.1", 1, None, None), "a@example.org").send_now("b@example.org", "x", "y")


def test_the_address_of_a_mail_server_is_parsed_or_rejected() -> None:
    server = parse_mail_server("smtps://user%40x:p%3Aw@mail.example.org")

    assert server == MailServer("smtps", "mail.example.org", 465, "user@x", "p:w")
    for address in ("", "mail.example.org", "http://x", "smtp://", "smtp://x:port"):
        with pytest.raises(SettingError, match="ABHIDHAN_SMTP"):
            parse_mail_server(address)
