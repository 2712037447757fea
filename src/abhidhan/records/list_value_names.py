"""References by name from file records to values of lookup lists."""

from collections.abc import Callable

import msgspec

from abhidhan.records.kinds import IdeaRecord, PhraseRecord
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.submission_payloads import FileRecord, ListValueRecord, ReviewedRecord

ValueName = tuple[str, str]
"""A value of a lookup list, as (list, name)."""

Renaming = Callable[[ValueName], str]
"""A function that returns the current name of a list value, given its name in a file."""


def referenced_values(record: ReviewedRecord) -> tuple[ValueName, ...]:
    """Return the list values that a record references, without duplicates."""
    names: dict[ValueName, None] = {}

    def note(name: ValueName) -> str:
        names.setdefault(name)
        return name[1]

    with_value_names(record, note)
    return tuple(names)


def can_wait(record: ReviewedRecord, name: ValueName) -> bool:
    """Return whether a record can be stored before the list value that it references.

    A relation can be stored before its inverse, since each of the two references the other.
    """
    return isinstance(record, ListValueRecord) and name[1] == record.inverse != record.parent


def with_value_names(record: ReviewedRecord, renaming: Renaming) -> ReviewedRecord:
    """Return a record with the names of its list values replaced by their current names."""
    match record:
        case IdeaRecord():
            return _idea(record, renaming)
        case PhraseRecord():
            category = renaming((ListName.PHRASE_CATEGORIES, record.category))
            return msgspec.structs.replace(record, category=category)
        case ListValueRecord():
            parent, inverse = (_of(record.list, name, renaming) for name in (record.parent, record.inverse))
            return msgspec.structs.replace(record, parent=parent, inverse=inverse)
        case _:
            return record


def _idea(record: IdeaRecord, renaming: Renaming) -> FileRecord:
    return msgspec.structs.replace(
        record,
        pos=_of(ListName.PARTS_OF_SPEECH, record.pos, renaming),
        gender=_of(ListName.GENDERS, record.gender, renaming),
        contexts=tuple(renaming((ListName.CONTEXTS, each)) for each in record.contexts),
        words=tuple(
            msgspec.structs.replace(word, variant=_of(ListName.VARIANTS, word.variant, renaming))
            for word in record.words
        ),
        relations=tuple(
            msgspec.structs.replace(one, type=renaming((ListName.RELATIONS, one.type))) for one in record.relations
        ),
    )


def _of(list_name: str, value: str | None, renaming: Renaming) -> str | None:
    return renaming((list_name, value)) if value else None
