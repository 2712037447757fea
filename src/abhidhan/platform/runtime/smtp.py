"""E-mail: one plain message at a time, handed to the operator's own mail server (SMTP) in a thread."""

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

PATIENCE_SECONDS: Final = 20
NO_HEADERS: Final[Mapping[str, str]] = {}
WHOLE: Final = frozenset({"List-Unsubscribe"})
_PORTS: Final = {"smtp": 587, "smtps": 465}


class NotTakenError(UnavailableError):
    """The mail server is there and does not take this message: to its recipient, or as it is. It may take others."""


class MailServer(msgspec.Struct, frozen=True):
    """Where mail is handed over. `smtps` speaks TLS from the first byte, `smtp` asks for it where it is offered."""

    scheme: str
    host: str
    port: int
    username: str | None
    password: str | None


def parse_mail_server(address: str) -> MailServer:
    """Read `smtp://user:password@host:587` or `smtps://...`. Raises SettingError."""
    wrong = SettingError("ABHIDHAN_SMTP is not the address of a mail server: write smtps://user:password@host:465.")
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise wrong
    return MailServer(
        parts.scheme,
        parts.hostname,
        port or _PORTS[parts.scheme],
        unquote(parts.username) if parts.username else None,
        unquote(parts.password) if parts.password else None,
    )


class Mailer:
    """Sends messages by one mail server, from one address."""

    def __init__(self, server: MailServer, sender: str) -> None:
        """Keep where and from whom."""
        self._server = server
        self._sender = sender

    async def send(self, recipient: str, subject: str, text: str, headers: Mapping[str, str] = NO_HEADERS) -> None:
        """Send one message. Raises NotTakenError, and UnavailableError where the mail server cannot be reached."""
        await asyncio.to_thread(self.send_now, recipient, subject, text, headers)

    def send_now(self, recipient: str, subject: str, text: str, headers: Mapping[str, str] = NO_HEADERS) -> None:
        """Send one message here and now, with more headers if there are any."""
        if "=?" in recipient:  # stored before such addresses were refused
            raise NotTakenError("The address holds an encoded word (RFC 2047).", RetryAfter.OPERATOR)
        message = _message(self._sender, recipient, subject, text)
        for name, value in headers.items():
            message[name] = value
        try:
            with self._connected() as connection:
                if self._server.username is not None:
                    connection.login(self._server.username, self._server.password or "")
                connection.send_message(message, to_addrs=[recipient])
        except (OSError, smtplib.SMTPException) as error:
            is_there = isinstance(error, smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError)
            # Nothing else of the error is told: what a mail server says holds addresses, and this goes into logs.
            raise (NotTakenError if is_there else UnavailableError)(
                f"The mail server does not take the message: {_why(error)}.", RetryAfter.OPERATOR
            ) from None

    def _connected(self) -> smtplib.SMTP:
        server = self._server
        secure = ssl.create_default_context()
        if server.scheme == "smtps":
            return smtplib.SMTP_SSL(server.host, server.port, timeout=PATIENCE_SECONDS, context=secure)
        connection = smtplib.SMTP(server.host, server.port, timeout=PATIENCE_SECONDS)
        connection.ehlo()
        if connection.has_extn("starttls"):
            connection.starttls(context=secure)
        elif server.username is not None:
            connection.close()
            raise smtplib.SMTPNotSupportedError("it offers no encryption, and the password is not sent in the clear")
        return connection


def _why(error: OSError | smtplib.SMTPException) -> str:
    """Say what is wrong without what the mail server says of it, in which addresses stand."""
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


class _Policy(EmailPolicy):
    """Writes headers that hold an address as they are: folded, they would be encoded, and of no use to programs."""

    def fold(self, name: str, value: str) -> str:
        """Write a header."""
        return f"{name}: {value}{self.linesep}" if name in WHOLE else super().fold(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        """Write a header in bytes."""
        return self.fold(name, value).encode() if name in WHOLE else super().fold_binary(name, value)


def _message(sender: str, recipient: str, subject: str, text: str) -> EmailMessage:
    message = EmailMessage(_Policy())
    message["From"] = sender
    local, _, domain = recipient.rpartition("@")
    message["To"] = Address(username=local, domain=domain)
    message["Subject"] = subject
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2].rstrip(">") or None)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text)
    return message
