"""A small mail server on this machine, which stores all messages."""

import email.message
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import default


class SmallMailServer(socketserver.ThreadingTCPServer):
    """A mail server that accepts every message and stores its lines, unless it refuses all recipients, or one."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        """Listen on a free port."""
        super().__init__(("127.0.0.1", 0), _Session)
        self.lines: list[str] = []
        self.messages: list[email.message.EmailMessage] = []
        self.refusal = ""
        self.refused = ""

    @property
    def address(self) -> str:
        """The URL for the setting."""
        return f"smtp://127.0.0.1:{self.server_address[1]}"

    @property
    def texts(self) -> list[str]:
        """The texts of the accepted messages."""
        return [message.get_content().replace("\r\n", "\n") for message in self.messages]


class _Session(socketserver.StreamRequestHandler):
    server: SmallMailServer

    def handle(self) -> None:
        self._reply("220 ready")
        body: list[bytes] | None = None
        for raw in self.rfile:
            line = raw.decode().rstrip("\r\n")
            self.server.lines.append(line)
            if body is not None:
                body = self._accept_line(body, raw, line)
            elif line.upper() == "DATA":
                body = []
                self._reply("354 go on")
            elif line.upper().startswith("RCPT") and self.server.refusal and self.server.refused in line:
                self._reply(f"{self.server.refusal} no {line}")
            else:
                self._reply("221 bye" if line.upper() == "QUIT" else "250 fine")

    def _accept_line(self, body: list[bytes], raw: bytes, line: str) -> list[bytes] | None:
        if line != ".":
            return [*body, raw.removeprefix(b".")]
        self.server.messages.append(message_from_bytes(b"".join(body), policy=default))
        self._reply("250 taken")
        return None

    def _reply(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


@contextmanager
def running_mail_server() -> Iterator[SmallMailServer]:
    """Run a mail server."""
    with SmallMailServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join()
