import asyncio
import socketserver
import threading
from collections.abc import Iterator

import pytest

from abhidhan.errors import SettingError, UnavailableError
from abhidhan.mail import Mailer, MailServer, parse_mail_server


class SmallMailServer(socketserver.ThreadingTCPServer):
    """A mail server that takes every message and keeps its lines."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        """Listen on a free port."""
        super().__init__(("127.0.0.1", 0), _Session)
        self.lines: list[str] = []


class _Session(socketserver.StreamRequestHandler):
    server: SmallMailServer

    def handle(self) -> None:
        self._say("220 ready")
        in_message = False
        for raw in self.rfile:
            line = raw.decode().rstrip("\r\n")
            self.server.lines.append(line)
            if in_message:
                in_message = line != "."
                if not in_message:
                    self._say("250 taken")
            elif line.upper() == "DATA":
                in_message = True
                self._say("354 go on")
            else:
                self._say("221 bye" if line.upper() == "QUIT" else "250 fine")

    def _say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


@pytest.fixture
def mail_server() -> Iterator[SmallMailServer]:
    """Run a mail server."""
    with SmallMailServer() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_message_is_handed_over(mail_server: SmallMailServer) -> None:
    address = parse_mail_server(f"smtp://127.0.0.1:{mail_server.server_address[1]}")

    asyncio.run(Mailer(address, "Abhidhan <a@example.org>").send("b@example.org", "অভিধান", "A link:\nhttps://x"))

    assert "To: b@example.org" in mail_server.lines
    assert "From: Abhidhan <a@example.org>" in mail_server.lines
    assert "https://x" in mail_server.lines


def test_a_password_is_never_sent_in_the_clear(mail_server: SmallMailServer) -> None:
    address = parse_mail_server(f"smtp://user:secret@127.0.0.1:{mail_server.server_address[1]}")

    with pytest.raises(UnavailableError, match="encryption"):
        Mailer(address, "a@example.org").send_now("b@example.org", "x", "y")
    assert not [line for line in mail_server.lines if "AUTH" in line or "secret" in line]


def test_a_mail_server_that_is_away_is_told_in_words() -> None:
    with pytest.raises(UnavailableError):
        Mailer(MailServer("smtp", "127.0.0.1", 1, None, None), "a@example.org").send_now("b@example.org", "x", "y")


@pytest.mark.parametrize("address", ["", "mail.example.org", "http://x", "smtp://", "smtp://x:port"])
def test_what_is_no_mail_server_is_refused(address: str) -> None:
    with pytest.raises(SettingError, match="ABHIDHAN_SMTP"):
        parse_mail_server(address)


def test_the_parts_of_an_address_are_read() -> None:
    read = parse_mail_server("smtps://user%40x:p%3Aw@mail.example.org")

    assert read == MailServer("smtps", "mail.example.org", 465, "user@x", "p:w")
