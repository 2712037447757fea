"""Values of lists that people have renamed here: what the starter gives under their first names."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

import msgspec

from abhidhan.records.import_records import Fault, Placed
from abhidhan.records.kinds import IdeaRecord, ListItemRecord, PhraseRecord, Record
from abhidhan.records.lookup_lists import ListName

Renamed = Mapping[tuple[str, str], str]
"""What a value of a list is called now, by the list and what it was called first, in small letters."""


def with_renamed_values(records: Iterable[Placed | Fault], renamed: Renamed) -> Iterator[Placed | Fault]:
    """Pass records on with the names that values of lists have here now."""
    for one in records:
        if renamed and isinstance(one, Placed):
            yield Placed(one.file, one.line, _with_names(one.record, renamed))
        else:
            yield one


def _with_names(record: Record, renamed: Renamed) -> Record:
    match record:
        case ListItemRecord():
            return msgspec.structs.replace(record, value=_now(renamed, record.list, record.value))
        case PhraseRecord():
            category = _now(renamed, ListName.PHRASE_CATEGORIES, record.category)
            return msgspec.structs.replace(record, category=category)
        case IdeaRecord():
            return msgspec.structs.replace(
                record,
                pos=record.pos and _now(renamed, ListName.PARTS_OF_SPEECH, record.pos),
                gender=record.gender and _now(renamed, ListName.GENDERS, record.gender),
                contexts=tuple(map(partial(_now, renamed, ListName.CONTEXTS), record.contexts)),
                relations=tuple(
                    msgspec.structs.replace(one, type=_now(renamed, ListName.RELATIONS, one.type))
                    for one in record.relations
                ),
            )
        case _:
            return record


def _now(renamed: Renamed, list_name: str, value: str) -> str:
    return renamed.get((str(list_name), value.casefold()), value)
