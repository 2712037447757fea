"""Sources: where a record came from, and on what terms it may be used."""

import msgspec


class Source(msgspec.Struct, frozen=True):
    """A source. `notice` is what readers should know of its records, such as that nobody reviewed them yet."""

    id: int
    code: str
    name: str
    licence: str
    url: str | None
    attribution: str | None
    notice: str | None
