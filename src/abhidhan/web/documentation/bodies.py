"""What bodies of requests may hold, which the framework cannot read from their types: told by the fields of records."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from litestar.openapi.spec import Components, OpenAPIType, Schema

from abhidhan.domain import drafts
from abhidhan.domain.ids import GREATEST_ID
from abhidhan.domain.people import LONGEST_PASSWORD, LONGEST_USERNAME, SHORTEST_PASSWORD, SHORTEST_USERNAME
from abhidhan.domain.records.card import CARD
from abhidhan.domain.records.field_kinds import Line, Number, SomeOf, Text, Texts, Whole
from abhidhan.domain.records.fields import LONGEST_COMMENT, MOST_TEXT_LETTERS, Field, Fields, Kind
from abhidhan.domain.records.idea import IDEA
from abhidhan.domain.records.list_item import LIST_ITEM
from abhidhan.domain.records.phrase import PHRASE
from abhidhan.domain.records.word import REMARKS, SENSE, SPELLING, WORD
from abhidhan.domain.submissions import LONGEST_REASON
from abhidhan.web.arguments import SOME_TEXT, TEXT

NEEDED_TEXT: Final = Line(MOST_TEXT_LETTERS, is_needed=True)
COMMENT: Final = Text(LONGEST_COMMENT)
EXAMPLE: Final = Fields((Field("text", NEEDED_TEXT), Field("translation", Text())))

FIELDS_OF_BODIES: Final[Mapping[str, Fields]] = {
    "WordData": Fields((*WORD, *REMARKS)),
    "TranslationData": Fields((SPELLING,)),
    "WordChanges": WORD,
    "SenseChanges": SENSE,
    "IdeaData": IDEA,
    "IdeaChanges": IDEA,
    "DefinitionData": EXAMPLE,
    "ExampleText": EXAMPLE,
    "ExampleData": EXAMPLE,
    "ProverbData": PHRASE,
    "PhraseChanges": PHRASE,
    "CardData": CARD,
    "CardChanges": CARD,
    "ListValue": LIST_ITEM,
    "CorrectionData": Fields((Field("comment", COMMENT),)),
    "ReportData": Fields((Field("text", Line(LONGEST_COMMENT, is_needed=True)),)),
    "MissingData": Fields((SPELLING,)),
    "photos_Rejection": Fields((Field("reason", Line(LONGEST_REASON, is_needed=True)),)),
    "submissions_Rejection": Fields((Field("reason", Line(LONGEST_REASON, is_needed=True)),)),
}
"""The fields of each shape in which records come with requests."""

LENGTHS_OF_BODIES: Final[Mapping[str, Mapping[str, tuple[int, int]]]] = {
    "SignUpRequest": {
        "username": (SHORTEST_USERNAME, LONGEST_USERNAME),
        "password": (SHORTEST_PASSWORD, LONGEST_PASSWORD),
    },
    "NewPersonRequest": {
        "username": (SHORTEST_USERNAME, LONGEST_USERNAME),
        "password": (SHORTEST_PASSWORD, LONGEST_PASSWORD),
    },
    "PasswordChange": {"new_password": (SHORTEST_PASSWORD, LONGEST_PASSWORD)},
    "Reset": {"password": (SHORTEST_PASSWORD, LONGEST_PASSWORD)},
}
"""How short and long texts are that somebody chooses."""

_NULL: Final = Schema(type=OpenAPIType.NULL)
_CORRECTED: Final = ("word", "idea", "phrase")

ONE_OF_BODIES: Final[Mapping[str, list[Schema]]] = {
    "CorrectionData": [
        Schema(
            required=[f"{kind}_id", kind],
            properties={
                f"{kind}_id": Schema(type=OpenAPIType.INTEGER),
                kind: Schema(type=OpenAPIType.OBJECT),
                **{name: _NULL for other in _CORRECTED if other != kind for name in (f"{other}_id", other)},
            },
        )
        for kind in _CORRECTED
    ],
    "WordData": [
        Schema(required=["idea_id"], properties={"idea_id": Schema(type=OpenAPIType.INTEGER)}),
        Schema(required=["meaning"], properties={"meaning": Schema(type=OpenAPIType.OBJECT)}),
    ],
}
"""What belongs together: a correction is of one record, a word means an idea that is there or a new one."""

STRICT: Final = frozenset(
    name
    for name, shape in vars(drafts).items()
    if isinstance(shape, type) and issubclass(shape, msgspec.Struct) and shape.__struct_config__.forbid_unknown_fields
) | {
    "CardEdit",
    "IdeaEdit",
    "InvitationRequest",
    "ListValue",
    "Merge",
    "NewPersonRequest",
    "OwnList",
    "OwnWord",
    "PersonChange",
    "PhraseEdit",
    "RelationChanges",
    "RelationData",
    "RelationEdit",
    "SenseEdit",
    "SenseMove",
    "WordEdit",
}
"""Shapes of bodies that have no keys but those that are described."""


def tell_of_fields(components: Components) -> None:
    """Write into the shapes of bodies what their fields may hold."""
    shapes = components.schemas
    for name, fields in FIELDS_OF_BODIES.items():
        for each in fields:
            for schema in _parts(shapes.get(name), each.name):
                _limit(schema, each.kind)
    for name, lengths in LENGTHS_OF_BODIES.items():
        for field, (least, most) in lengths.items():
            for schema in _parts(shapes.get(name), field):
                schema.min_length, schema.max_length = least, most
    for name in ONE_OF_BODIES.keys() & shapes.keys():
        shapes[name].any_of = ONE_OF_BODIES[name]
    for name in STRICT & shapes.keys():
        _allow_nothing_else(shapes[name])


def _allow_nothing_else(shape: Schema) -> None:
    """Say of a shape that it has no keys but its own, and of numbers in it that they can be IDs."""
    shape.additional_properties = False
    for field in shape.properties or {}:
        for schema in _parts(shape, field):
            _limit_reference(schema)


def _parts(shape: Schema | None, name: str) -> Iterator[Schema]:
    """List the schemas of a field: of one that may be null, those of what it may be."""
    described = (shape.properties or {}).get(name) if shape else None
    if isinstance(described, Schema):
        yield from (each for each in described.one_of or [described] if isinstance(each, Schema))


def _limit(schema: Schema, kind: Kind) -> None:
    """Write into a schema what a kind of field allows."""
    for name, value in _limits(schema.type, kind).items():
        setattr(schema, name, value)


def _limit_reference(schema: Schema) -> None:
    """Write into a number, or into those of a list, that it can be the ID of something."""
    if isinstance(schema.items, Schema):
        for each in schema.items.one_of or ():
            if isinstance(each, Schema):
                _limit_reference(each)
    elif schema.type == OpenAPIType.INTEGER and schema.maximum is None:
        schema.minimum, schema.maximum = 0, GREATEST_ID


def _limits(of_type: Any, kind: Kind) -> Mapping[str, Any]:  # noqa: ANN401  # one type, or several
    match of_type, kind:
        case OpenAPIType.STRING, (Line() | Text()):
            return {"pattern": SOME_TEXT if kind.is_needed else TEXT, "max_length": kind.most}
        case ((OpenAPIType.INTEGER | OpenAPIType.NUMBER), (Whole() | Number())):
            return {"minimum": 1 if isinstance(kind, Whole) else 0, "maximum": kind.most}
        case OpenAPIType.ARRAY, (SomeOf() | Texts()):
            return {"max_items": kind.most}
        case _:
            return {}
