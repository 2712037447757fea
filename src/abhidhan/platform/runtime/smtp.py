"""Sending of plain-text e-mail, one message at a time, through the operator's SMTP server in a thread."""

import asyncio
import smtplib
import ssl
from collections.abc import Mapping
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import formatdate, make_msgid
from typing import Final
from urllib.parse import unquote, urlsplit

import msgspec

from abhidhan.records.errors import RetryAfter, SettingError, UnavailableError

TIMEOUT_SECONDS: Final = 20
NO_HEADERS: Final[Mapping[str, str]] = {}
UNFOLDED_HEADERS: Final = frozenset({"List-Unsubscribe"})
_DEFAULT_PORTS: Final = {"smtp": 587, "smtps": 465}


class MessageRejectedError(UnavailableError):
    """Error raised when the mail server rejects a message or its recipient, but may accept other messages."""


class MailServer(msgspec.Struct, frozen=True):
    """An SMTP server. `smtps` is implicit TLS; `smtp` uses STARTTLS if the server offers it."""

    scheme: str
    host: str
    port: int
    username: str | None
    password: str | None


def parse_mail_server(address: str) -> MailServer:
    """Parse `smtp://user:password@host:587` or `smtps://...`. Raises SettingError."""
    invalid = SettingError("ABHIDHAN_SMTP is not the URL of a mail server: write smtps://user:password@host:465.")
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise invalid from None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise invalid
    return MailServer(
        parts.scheme,
        parts.hostname,
        port or _DEFAULT_PORTS[parts.scheme],
        unquote(parts.username) if parts.username else None,
        unquote(parts.password) if parts.password else None,
    )


class Mailer:
    """Sender of messages through one mail server, from one address."""

    def __init__(self, server: MailServer, sender: str) -> None:
        """`sender` is the address of the From header."""
        self._server = server
        self._sender = sender

    async def send(self, recipient: str, subject: str, text: str, headers: Mapping[str, str] = NO_HEADERS) -> None:
        """Send one message. Raises UnavailableError; MessageRejectedError if only this message is rejected."""
        await asyncio.to_thread(self.send_now, recipient, subject, text, headers)

    def send_now(self, recipient: str, subject: str, text: str, headers: Mapping[str, str] = NO_HEADERS) -> None:
        """Send one message in the calling thread, with additional headers."""
        if "=?" in recipient:  # stored before such addresses were refused
            raise MessageRejectedError("The address contains an encoded word (RFC 2047).", RetryAfter.OPERATOR)
        message = _build_message(self._sender, recipient, subject, text)
        for name, value in headers.items():
            message[name] = value
        try:
            with self._connect() as connection:
                if self._server.username is not None:
                    connection.login(self._server.username, self._server.password or "")
                connection.send_message(message, to_addrs=[recipient])
        except (OSError, smtplib.SMTPException) as error:
            is_rejection = isinstance(error, smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError)
            # The server's own text is left out: it may contain addresses, and this message is logged.
            raise (MessageRejectedError if is_rejection else UnavailableError)(
                f"The mail server does not accept the message: {_describe_error(error)}.", RetryAfter.OPERATOR
            ) from None

    def _connect(self) -> smtplib.SMTP:
        server = self._server
        tls_context = ssl.create_default_context()
        if server.scheme == "smtps":
            return smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT_SECONDS, context=tls_context)
        connection = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT_SECONDS)
        connection.ehlo()
        if connection.has_extn("starttls"):
            connection.starttls(context=tls_context)
        elif server.username is not None:
            connection.close()
            raise smtplib.SMTPNotSupportedError("it offers no encryption, and the password is not sent unencrypted")
        return connection


def _describe_error(error: OSError | smtplib.SMTPException) -> str:
    """Describe an error without the mail server's own text, which may contain addresses."""
    match error:
        case smtplib.SMTPRecipientsRefused():
            codes = sorted({code for code, _ in error.recipients.values()})
            return f"it refuses the recipient ({', '.join(map(str, codes))})"
        case smtplib.SMTPResponseException():
            return f"it answers {error.smtp_code}"
        case smtplib.SMTPNotSupportedError():
            return str(error)
        case smtplib.SMTPException():
            return type(error).__name__
        case _:
            return error.strerror or type(error).__name__


class _UnfoldedHeaderPolicy(EmailPolicy):
    """E-mail policy that does not fold `UNFOLDED_HEADERS`: mail programs cannot read long URLs if encoded."""

    def fold(self, name: str, value: str) -> str:
        """Format a header."""
        return f"{name}: {value}{self.linesep}" if name in UNFOLDED_HEADERS else super().fold(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        """Format a header as bytes."""
        return self.fold(name, value).encode() if name in UNFOLDED_HEADERS else super().fold_binary(name, value)


def _build_message(sender: str, recipient: str, subject: str, text: str) -> EmailMessage:
    message = EmailMessage(_UnfoldedHeaderPolicy())
    message["From"] = sender
    local, _, domain = recipient.rpartition("@")
    message["To"] = Address(username=local, domain=domain)
    message["Subject"] = subject
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2].rstrip(">") or None)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text)
    return message
