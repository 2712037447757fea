"""Differences between two states of a record, field by field, with names instead of IDs."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

import msgspec

from abhidhan.records.catalogue import Catalogue
from abhidhan.records.history import RecordState, SenseState
from abhidhan.records.lookup_lists import ListName

LIST_FIELDS: Final[Mapping[str, tuple[str, ListName]]] = {
    "pos_id": ("pos", ListName.PARTS_OF_SPEECH),
    "gender_id": ("gender", ListName.GENDERS),
    "variant_id": ("variant", ListName.VARIANTS),
    "category_id": ("category", ListName.PHRASE_CATEGORIES),
    "type_id": ("relation", ListName.RELATIONS),
    "contexts": ("contexts", ListName.CONTEXTS),
}
"""Fields with values of a lookup list: the displayed field name and the list."""

LANGUAGE_FIELDS: Final = {"language_id": "language", "answer_language_id": "answer_language"}
IDEA_FIELDS: Final = frozenset({"idea_id", "other_id"})
TIME_FIELDS: Final = frozenset({"confirmed"})
INTERNAL_FIELDS: Final = frozenset(
    {
        "created",
        "added",
        "source_id",
        "external_key",
        "item_id",
        "list",
        "forms",
        "card_set_id",
        "word_id",
        "code",
        "short",
        "aliases",
    }
)
"""Fields that are not shown to readers."""


class DisplayNames(NamedTuple):
    """Display names of ideas and words by ID; those without a name here are shown by their ID."""

    ideas: Mapping[int, str]
    words: Mapping[int, str]


NO_NAMES: Final = DisplayNames({}, {})

FieldKey = tuple[str, str]
"""The name of a field, and the language code of its text; "" if the field is not multilingual."""


class FieldDifference(msgspec.Struct, frozen=True):
    """A field before and after a change. `language` is the language code of a multilingual text."""

    field: str
    language: str
    before: str
    after: str


def compare_states(
    before: RecordState | None, after: RecordState | None, catalogue: Catalogue, names: DisplayNames = NO_NAMES
) -> list[FieldDifference]:
    """List the fields in which two states differ; None stands for a record that does not exist."""
    earlier, later = (format_fields(state, catalogue, names) for state in (before, after))
    return [
        FieldDifference(*name, earlier.get(name, ""), later.get(name, ""))
        for name in dict.fromkeys((*earlier, *later))
        if earlier.get(name) != later.get(name)
    ]


def format_fields(
    state: RecordState | None, catalogue: Catalogue, names: DisplayNames = NO_NAMES
) -> dict[FieldKey, str]:
    """Return the displayed text of each non-empty field."""
    described: dict[FieldKey, str] = {}
    values = msgspec.structs.asdict(state) if state is not None else {}
    for name, value in values.items():
        if name in INTERNAL_FIELDS or value in {None, "", ()}:
            continue
        for key, text in _iter_fields(name, value, catalogue, names):
            described[key] = f"{described[key]}; {text}" if key in described else text
    if isinstance(state, SenseState):
        described |= _format_positions(state, names)
    return described


def _format_positions(state: SenseState, names: DisplayNames) -> dict[FieldKey, str]:
    """Return the position and rank of a sense with the names of its idea and word, if they are known."""
    word, idea = names.words.get(state.word_id), names.ideas.get(state.idea_id)
    positions = {("position", ""): f"{state.position}. {idea}"} if idea else {}
    return positions | ({("rank", ""): f"{state.rank}. {word}"} if word and state.rank is not None else {})


def _iter_fields(name: str, value: object, catalogue: Catalogue, names: DisplayNames) -> Iterator[tuple[FieldKey, str]]:
    if name in LIST_FIELDS:
        label, list_name = LIST_FIELDS[name]
        for item_id in value if isinstance(value, tuple) else (value,):
            yield (label, ""), _get_value_name(catalogue, list_name, item_id)
    elif name in LANGUAGE_FIELDS and isinstance(value, int):
        yield (LANGUAGE_FIELDS[name], ""), catalogue.language(value).name
    elif isinstance(value, tuple):
        for language_id, *texts in value:
            yield (name, catalogue.language(language_id).code), " – ".join(filter(None, texts))
    elif name in TIME_FIELDS and isinstance(value, int):
        yield (name, ""), datetime.fromtimestamp(value, UTC).strftime("%Y-%m-%d")
    elif name in IDEA_FIELDS and isinstance(value, int):
        yield ("idea", ""), names.ideas.get(value, str(value))
    elif isinstance(value, bool):
        yield (name, ""), "yes" if value else "no"
    else:
        yield (name, ""), str(value)


def _get_value_name(catalogue: Catalogue, list_name: ListName, item_id: int) -> str:
    item = catalogue.list_value(list_name, item_id)
    return item.value if item else str(item_id)
