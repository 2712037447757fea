"""References by name from file records to values of lookup lists."""

from collections.abc import Callable

import msgspec

from abhidhan.records.kinds import IdeaRecord, PhraseRecord
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.submission_payloads import FileRecord, ListValueRecord, ReviewedRecord

ValueName = tuple[str, str]
"""A value of a lookup list, as (list, name)."""

ValueRenamer = Callable[[ValueName], str]
"""A function that returns the current name of a list value, given its name in a file."""


def list_referenced_values(record: ReviewedRecord) -> tuple[ValueName, ...]:
    """Return the list values that a record references, without duplicates."""
    names: dict[ValueName, None] = {}

    def collect_name(name: ValueName) -> str:
        names.setdefault(name)
        return name[1]

    rename_values(record, collect_name)
    return tuple(names)


def can_precede_value(record: ReviewedRecord, name: ValueName) -> bool:
    """Return whether a record can be stored before the list value that it references.

    A relation can be stored before its inverse, since each of the two references the other.
    """
    return isinstance(record, ListValueRecord) and name[1] == record.inverse != record.parent


def rename_values(record: ReviewedRecord, rename: ValueRenamer) -> ReviewedRecord:
    """Return a record with the names of its list values replaced by their current names."""
    match record:
        case IdeaRecord():
            return _rename_idea_values(record, rename)
        case PhraseRecord():
            category = rename((ListName.PHRASE_CATEGORIES, record.category))
            return msgspec.structs.replace(record, category=category)
        case ListValueRecord():
            parent, inverse = (_rename_value(record.list, name, rename) for name in (record.parent, record.inverse))
            return msgspec.structs.replace(record, parent=parent, inverse=inverse)
        case _:
            return record


def _rename_idea_values(record: IdeaRecord, rename: ValueRenamer) -> FileRecord:
    return msgspec.structs.replace(
        record,
        pos=_rename_value(ListName.PARTS_OF_SPEECH, record.pos, rename),
        gender=_rename_value(ListName.GENDERS, record.gender, rename),
        contexts=tuple(rename((ListName.CONTEXTS, each)) for each in record.contexts),
        words=tuple(
            msgspec.structs.replace(word, variant=_rename_value(ListName.VARIANTS, word.variant, rename))
            for word in record.words
        ),
        relations=tuple(
            msgspec.structs.replace(one, type=rename((ListName.RELATIONS, one.type))) for one in record.relations
        ),
    )


def _rename_value(list_name: str, value: str | None, rename: ValueRenamer) -> str | None:
    return rename((list_name, value)) if value else None
