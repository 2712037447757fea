"""What an import has kept, changed and not mentioned: the file beside the dictionary before it and after it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

from abhidhan.domain.comparing import changed_of, kept_of, name_of, other_names
from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import CardSetRecord, FormsRecord, IdeaRecord, PhraseRecord, Record
from abhidhan.errors import InputError
from abhidhan.storage.comparison import Comparison, comparison
from abhidhan.storage.dump import dump_records
from abhidhan.storage.engine.database import Database

COUNTED: Final = IdeaRecord | PhraseRecord | CardSetRecord
"""The records of which it is told that only the dictionary has them: lists and languages are there for all."""

OnTold = Callable[[str], None]
"""Hears of every record that differs, in a line."""

_decoder = msgspec.json.Decoder[Record](Record)


class Compared(msgspec.Struct, frozen=True):
    """What an import did with the records that were there.

    `changed` are other than before; of `kept` the dictionary still has something otherwise than the file; `only_here`,
    of `here` ideas, proverbs and sets of flashcards, are not in the file. A mirror has deleted `gone`.
    """

    changed: int = 0
    kept: int = 0
    only_here: int = 0
    here: int = 0
    gone: int = 0


class Comparing:
    """The comparison of one import: begun before it, fed by it, told after it."""

    def __init__(self, database: Database, store: Comparison) -> None:
        """Note what the dictionary has."""
        self._database = database
        self._store = store
        for record in self._records():
            name = name_of(record)
            if name:
                store.note_before(name, msgspec.json.encode(record))

    def watch(self, records: Iterable[Placed | Fault]) -> Iterator[Placed | Fault]:
        """Pass the records of the file on, and note them."""
        for one in records:
            name = None if isinstance(one, Fault) else name_of(one.record)
            if name and isinstance(one, Placed):
                self._store.note_given(name, f"{one.file}:{one.line}", msgspec.json.encode(one.record))
            yield one

    def read(self, records: Iterable[Placed | Fault]) -> None:
        """Note the records of the file before anything of it is imported. Raises InputError where a line is none."""
        for one in self.watch(records):
            if isinstance(one, Fault):
                raise InputError.of("file", f"Nothing was changed: {one}")

    def missing(self) -> tuple[int, int]:
        """Return how many ideas, proverbs and sets of flashcards the file does not have, and how many there are."""
        gone = here = 0
        for record, given in self.sides():
            here += isinstance(record, COUNTED)
            gone += isinstance(record, COUNTED) and given is None
        return gone, here

    def tell_missing(self, on_told: OnTold) -> None:
        """Call `on_told` with a line for each of them, before it is deleted."""
        for record, given in self.sides():
            if isinstance(record, COUNTED) and given is None:
                on_told(f"{name_of(record)} is not in the file and is deleted.")

    def sides(self) -> Iterator[tuple[Record, Record | None]]:
        """Return each record of the dictionary as it is now, with what the file has under its own name."""
        for record in self._records():
            yield record, _decoded(self._store.sides_of(name_of(record) or "").given)

    def forms_of(self, language: str, text: str) -> FormsRecord | None:
        """Return what the file says of the inflected forms of a word."""
        given = _decoded(self._store.sides_of(f"forms of {language} {text}").given)
        return given if isinstance(given, FormsRecord) else None

    def finish(self, on_told: OnTold, *, gone: int = 0) -> Compared:
        """Compare, tell each record that differs, and return how many there are."""
        changed = kept = only_here = here = 0
        for record in self._records():
            place, given, before = self._sides(record)
            name = name_of(record)
            was_changed = changed_of(before, record) if before else []
            was_kept = kept_of(record, given) if given else []
            changed += bool(was_changed)
            kept += bool(was_kept)
            if was_changed:
                on_told(f"{place or 'changed'}: {name} has changed: {'; '.join(was_changed)}.")
            if was_kept:
                on_told(f"{place}: {name} was kept: {'; '.join(was_kept)}.")
            if isinstance(record, COUNTED):
                here += 1
                only_here += given is None
                if given is None:
                    on_told(f"{name} is only here.")
        return Compared(changed, kept, only_here, here, max(0, gone - only_here))

    def _sides(self, record: Record) -> tuple[str | None, Record | None, Record | None]:
        """Return where the file has a record, what it says there, and what the dictionary had before."""
        own = self._store.sides_of(name_of(record) or "")
        named = [own, *map(self._store.sides_of, other_names(record))]
        given = next((each for each in named if each.given), own)
        return given.place, _decoded(given.given), _decoded(own.before)

    def _records(self) -> Iterator[Record]:
        with self._database.snapshot() as reader:
            yield from dump_records(reader)


def _decoded(record: bytes | None) -> Record | None:
    return _decoder.decode(record) if record else None


@contextmanager
def comparing(database: Database) -> Iterator[Comparing]:
    """Begin to compare a file with a dictionary."""
    with comparison() as store:
        yield Comparing(database, store)
