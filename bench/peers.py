"""Other servers to compare, such as dictpress or datasette: any with a URL for each word."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit

from bench.servers import Server

WORD_PLACEHOLDER: Final = "{word}"
DEFAULT_PATH: Final = "/api/dictionary/english/english/{word}"
"""Path of dictpress for an English word as JSON, with the languages of its example."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Another server: its URL, path templates, and process ID if known."""

    address: str
    paths: tuple[str, ...]
    process_id: int | None = None

    def __post_init__(self) -> None:
        """Exit with a message if the URL or a path template is invalid."""
        if self.address and urlsplit(self.address).scheme not in {"http", "https"}:
            raise SystemExit(f"--peer is the address of a server, such as http://127.0.0.1:9000, not {self.address}.")
        for path in self.paths:
            if not path.startswith("/") or WORD_PLACEHOLDER not in path:
                raise SystemExit(
                    f"--peer-path begins with / and has {WORD_PLACEHOLDER} where the word belongs, not {path}."
                )

    @property
    def server(self) -> Server:
        """The server to measure."""
        return Server(self.address, self.process_id)

    def questions(self, words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """Yield the name of each row of the table, with one path for each word."""
        for path in self.paths:
            yield f"{self.address}{path}", [fill_path(path, word) for word in words]


def fill_path(path: str, word: str) -> str:
    """Insert a percent-encoded word into a path template."""
    return path.replace(WORD_PLACEHOLDER, quote(word, safe=""))
