"""A file that was sent with a form."""

from collections.abc import Mapping

import msgspec

from abhidhan.records.errors import Problem


class SentFile(msgspec.Struct, frozen=True):
    """A file and the other fields of its form, as they were sent.

    `too_big` says that the file was, and was not read. `problems` are those of fields that could not be read at all.
    `complete` is false when reading was given up before the end: fields may have followed. `idempotency_key` is the
    client's own key, by which a repeated request is known.
    """

    fields: Mapping[str, str] = {}
    file: bytes | None = None
    too_big: bool = False
    problems: tuple[Problem, ...] = ()
    complete: bool = True
    idempotency_key: str | None = None

    def can_check(self, name: str) -> bool:
        """Return whether something can be said of a field: it came, or is known to be missing."""
        return (self.complete or name in self.fields) and all(each.parameter != name for each in self.problems)
