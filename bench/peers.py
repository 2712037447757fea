"""Other servers, which are asked for the same words: dictpress, datasette, whatever has an address for each word."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit

from bench.servers import Server

WORD: Final = "{word}"
DEFAULT_PATH: Final = "/api/dictionary/english/english/{word}"
"""Where dictpress answers about an English word in JSON, with the languages of its example."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Another server: its address, templates of what it is asked for, and its process where that is known."""

    address: str
    paths: tuple[str, ...]
    process: int | None = None

    def __post_init__(self) -> None:
        """Stop with a sentence if nothing could be asked."""
        if self.address and urlsplit(self.address).scheme not in {"http", "https"}:
            raise SystemExit(f"--peer is the address of a server, such as http://127.0.0.1:9000, not {self.address}.")
        for path in self.paths:
            if not path.startswith("/") or WORD not in path:
                raise SystemExit(f"--peer-path begins with / and has {WORD} where the word belongs, not {path}.")

    @property
    def server(self) -> Server:
        """The server to ask."""
        return Server(self.address, self.process)

    def questions(self, words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """List what each row of the table is named, and the addresses asked for: of each word one."""
        for path in self.paths:
            yield f"{self.address}{path}", [addressed(path, word) for word in words]


def addressed(path: str, word: str) -> str:
    """Put a word into a template, as a browser writes it."""
    return path.replace(WORD, quote(word, safe=""))
