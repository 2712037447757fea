"""Reading what a record of a file holds: languages by their codes, values of lists and sources by their names."""

from typing import Final

from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import quoted
from abhidhan.records.ids import read_number
from abhidhan.records.kinds.fields import MOST_KEY_LETTERS, Reading, Reference
from abhidhan.records.kinds.idea import Named
from abhidhan.records.lookup_lists import ListName

LAST_MOMENT: Final = 253_402_300_799
"""The end of the year 9999, in seconds since 1970."""


class Names:
    """The IDs behind the names that files use: language codes, list values and their short codes, source codes."""

    def __init__(self, catalogue: Catalogue, *, is_measured: bool = True) -> None:
        """Take the names of a database; what a file brings is added as it is read.

        What a dictionary holds already need not be measured (`is_measured`) when it is copied.
        """
        self.is_measured = is_measured
        self.languages = {language.code: language.id for language in catalogue.languages}
        self.items = {(item.list, item.value.casefold()): item.id for item in catalogue.items}
        self.codes = {(item.list, item.short.casefold()): item.id for item in catalogue.items if item.short}
        self.inverses = {item.id: inverse_of(item.code) for item in catalogue.items_of(ListName.RELATIONS) if item.code}
        self.sources = {source.code: source.id for source in catalogue.sources.values()}


def inverse_of(code: str | None) -> int | None:
    """Read the ID of the inverse relation from the code of a relation."""
    return read_number(code) if code else None


class FileReading(Reading):
    """Reads the fields of one record of a file, which names languages by their codes and values as they are."""

    def __init__(self, names: Names) -> None:
        """Read with the names that a database and the file know."""
        super().__init__(is_measured=names.is_measured)
        self._names = names

    # What is wrong is put into words only where something is: an import asks millions of times.

    def source(self, code: str) -> int:
        """Find the ID of a source; of an unknown one 0."""
        found = self._names.sources.get(code)
        return self._unknown("source", f"There is no source {quoted(code)}.") if found is None else found

    def language(self, field: str, reference: Reference) -> int:
        """Find the ID of a language by its code; of an unknown one 0."""
        found = self._names.languages.get(str(reference))
        if found is None:
            return self._unknown(field, f"There is no language {quoted(str(reference))} (in {field}).")
        return found

    def item(self, field: str, list_name: ListName, reference: Reference) -> int:
        """Find the ID of a value of a lookup list; of an unknown one 0."""
        found = self._names.items.get((list_name, str(reference).casefold()))
        if found is None:
            return self._unknown(field, f"There is no {quoted(str(reference))} in the list {list_name} (in {field}).")
        return found

    def inverse(self, type_id: int) -> int | None:
        """Find the ID of the type that a relation has when it is seen from the other idea."""
        return self._names.inverses.get(type_id)

    def moment(self, seconds: int | None) -> int | None:
        """Read a time."""
        if seconds is not None and not 0 <= seconds <= LAST_MOMENT:
            self.problem("created", "A time is in seconds since 1970, and not after the year 9999.")
        return seconds

    def idea_name(self, field: str, name: str) -> Named:
        """Read the name of an idea."""
        source, colon, key = name.partition(":")
        if not (source and colon and key):
            self.problem(field, f"{quoted(name)} does not name an idea: write its source, a colon and its key.")
        return Named(source, self.line(field, key, MOST_KEY_LETTERS) if key else key)

    def _unknown(self, field: str, detail: str) -> int:
        self.problem(field, detail)
        return 0
