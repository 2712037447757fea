"""Resolution of the references in file records: language codes, list values and source codes to IDs."""

from typing import Final

from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import quoted
from abhidhan.records.ids import parse_number
from abhidhan.records.kinds.fields import MAX_KEY_LENGTH, FieldReader, Reference
from abhidhan.records.kinds.idea import IdeaRef
from abhidhan.records.lookup_lists import ListName

MAX_TIMESTAMP: Final = 253_402_300_799
"""The end of the year 9999, in seconds since 1970."""


class NameIds:
    """Maps the names in files to IDs: language codes, list values, short codes of list values, source codes."""

    def __init__(self, catalogue: Catalogue, *, has_limits: bool = True) -> None:
        """Initialise with the names of a database; an import adds those that its file defines.

        With `has_limits=False`, lengths and counts are not checked, for copying data that a dictionary already has.
        """
        self.has_limits = has_limits
        self.languages = {language.code: language.id for language in catalogue.languages}
        self.items = {(item.list, item.value.casefold()): item.id for item in catalogue.items}
        self.short_codes = {(item.list, item.short.casefold()): item.id for item in catalogue.items if item.short}
        self.inverses = {
            item.id: parse_inverse_id(item.code) for item in catalogue.list_items(ListName.RELATIONS) if item.code
        }
        self.sources = {source.code: source.id for source in catalogue.sources.values()}


def parse_inverse_id(code: str | None) -> int | None:
    """Parse the ID of the inverse relation from the code of a relation."""
    return parse_number(code) if code else None


class FileRecordReader(FieldReader):
    """Converts one file record, in which languages are given by code and list values by text."""

    def __init__(self, names: NameIds) -> None:
        """Initialise with the names of the database and the file."""
        super().__init__(has_limits=names.has_limits)
        self._names = names

    # Messages are formatted only for errors: an import calls these methods millions of times.

    def resolve_source(self, code: str) -> int:
        """Return the ID of a source; report an unknown one and return 0."""
        source_id = self._names.sources.get(code)
        return self._report_unknown("source", f"There is no source {quoted(code)}.") if source_id is None else source_id

    def resolve_language(self, field: str, reference: Reference) -> int:
        """Return the ID of a language by its code; report an unknown one and return 0."""
        language_id = self._names.languages.get(str(reference))
        if language_id is None:
            return self._report_unknown(field, f"There is no language {quoted(str(reference))} (in {field}).")
        return language_id

    def resolve_item(self, field: str, list_name: ListName, reference: Reference) -> int:
        """Return the ID of a list value; report an unknown one and return 0."""
        item_id = self._names.items.get((list_name, str(reference).casefold()))
        if item_id is None:
            return self._report_unknown(
                field, f"There is no {quoted(str(reference))} in the list {list_name} (in {field})."
            )
        return item_id

    def find_inverse(self, type_id: int) -> int | None:
        """Return the ID of the inverse relation type, or None."""
        return self._names.inverses.get(type_id)

    def check_timestamp(self, seconds: int | None) -> int | None:
        """Return a time in seconds since 1970 unchanged; report one that is out of range."""
        if seconds is not None and not 0 <= seconds <= MAX_TIMESTAMP:
            self.add_problem("created", "A time is in seconds since 1970, and not after the year 9999.")
        return seconds

    def parse_idea_ref(self, field: str, name: str) -> IdeaRef:
        """Parse a reference to an idea, `source:key`; report a malformed one."""
        source, colon, key = name.partition(":")
        if not (source and colon and key):
            self.add_problem(
                field, f"{quoted(name)} is not the name of an idea: write its source, a colon and its key."
            )
        return IdeaRef(source, self.clean_line(field, key, MAX_KEY_LENGTH) if key else key)

    def _report_unknown(self, field: str, detail: str) -> int:
        self.add_problem(field, detail)
        return 0
