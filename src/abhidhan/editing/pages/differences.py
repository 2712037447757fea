"""Differences between two states of a record, field by field, with names instead of IDs."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

import msgspec

from abhidhan.records.catalogue import Catalogue
from abhidhan.records.history import AnyState, SenseState
from abhidhan.records.lookup_lists import ListName

LISTED: Final[Mapping[str, tuple[str, ListName]]] = {
    "pos_id": ("pos", ListName.PARTS_OF_SPEECH),
    "gender_id": ("gender", ListName.GENDERS),
    "variant_id": ("variant", ListName.VARIANTS),
    "category_id": ("category", ListName.PHRASE_CATEGORIES),
    "type_id": ("relation", ListName.RELATIONS),
    "contexts": ("contexts", ListName.CONTEXTS),
}
"""Fields with values of a lookup list: the displayed field name and the list."""

LANGUAGES: Final = {"language_id": "language", "answer_language_id": "answer_language"}
IDEAS: Final = frozenset({"idea_id", "other_id"})
MOMENTS: Final = frozenset({"confirmed"})
NOT_SHOWN: Final = frozenset(
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
"""Internal fields."""


class Names(NamedTuple):
    """Display names of ideas and words by ID. Other ideas and words are shown by their IDs."""

    ideas: Mapping[int, str]
    words: Mapping[int, str]


NO_NAMES: Final = Names({}, {})

FieldName = tuple[str, str]
"""The name of a field, and the language code of a multilingual text or ""."""


class Difference(msgspec.Struct, frozen=True):
    """A field before and after a change. `language` is the language code of a multilingual text."""

    field: str
    language: str
    before: str
    after: str


def compare(
    before: AnyState | None, after: AnyState | None, catalogue: Catalogue, names: Names = NO_NAMES
) -> list[Difference]:
    """List the differing fields of two states; None is a record that does not exist."""
    earlier, later = (describe(state, catalogue, names) for state in (before, after))
    return [
        Difference(*name, earlier.get(name, ""), later.get(name, ""))
        for name in dict.fromkeys((*earlier, *later))
        if earlier.get(name) != later.get(name)
    ]


def describe(state: AnyState | None, catalogue: Catalogue, names: Names = NO_NAMES) -> dict[FieldName, str]:
    """Return the displayed text of each non-empty field."""
    described: dict[FieldName, str] = {}
    values = msgspec.structs.asdict(state) if state is not None else {}
    for name, value in values.items():
        if name in NOT_SHOWN or value in {None, "", ()}:
            continue
        for key, text in _fields(name, value, catalogue, names):
            described[key] = f"{described[key]}; {text}" if key in described else text
    if isinstance(state, SenseState):
        described |= _places(state, names)
    return described


def _places(state: SenseState, names: Names) -> dict[FieldName, str]:
    """Return the position and rank of a sense with the names of its idea and word, if they are known."""
    word, idea = names.words.get(state.word_id), names.ideas.get(state.idea_id)
    places = {("position", ""): f"{state.position}. {idea}"} if idea else {}
    return places | ({("rank", ""): f"{state.rank}. {word}"} if word and state.rank is not None else {})


def _fields(name: str, value: object, catalogue: Catalogue, names: Names) -> Iterator[tuple[FieldName, str]]:
    if name in LISTED:
        shown, list_name = LISTED[name]
        for each in value if isinstance(value, tuple) else (value,):
            yield (shown, ""), _named(catalogue, list_name, each)
    elif name in LANGUAGES and isinstance(value, int):
        yield (LANGUAGES[name], ""), catalogue.language(value).name
    elif isinstance(value, tuple):
        for language_id, *texts in value:
            yield (name, catalogue.language(language_id).code), " – ".join(filter(None, texts))
    elif name in MOMENTS and isinstance(value, int):
        yield (name, ""), datetime.fromtimestamp(value, UTC).strftime("%Y-%m-%d")
    elif name in IDEAS and isinstance(value, int):
        yield ("idea", ""), names.ideas.get(value, str(value))
    elif isinstance(value, bool):
        yield (name, ""), "yes" if value else "no"
    else:
        yield (name, ""), str(value)


def _named(catalogue: Catalogue, list_name: ListName, item_id: int) -> str:
    item = catalogue.named(list_name, item_id)
    return item.value if item else str(item_id)
