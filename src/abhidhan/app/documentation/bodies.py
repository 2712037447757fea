"""What the fields of records allow in bodies of requests, which no type says: they are checked when they are read."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from litestar.openapi.spec import OpenAPIType, Reference, Schema

from abhidhan.platform.http.parameters import SOME_TEXT, TEXT
from abhidhan.records.kinds.field_types import Line, Number, SomeOf, Text, Texts, Whole
from abhidhan.records.kinds.fields import Given, Kind
from abhidhan.records.submission_payloads import CorrectionData, WordData


def _together(*names: str, among: tuple[str, ...] = ()) -> Schema:
    """Require properties; the others of those that it is `among` are null, false, or left out."""
    properties: dict[str, Reference | Schema] = {}
    for name in (*names, *(each for each in among if each not in names)):
        if name == "unlink":
            properties[name] = Schema(const=name in names)
        elif name not in names:
            properties[name] = Schema(type=OpenAPIType.NULL)
        else:
            properties[name] = Schema(type=OpenAPIType.INTEGER if name.endswith("_id") else OpenAPIType.OBJECT)
    return Schema(required=list(names), properties=properties)


_CORRECTED: Final = ("word_id", "word", "idea_id", "idea", "phrase_id", "phrase", "sense", "unlink")

ALTERNATIVES: Final[Mapping[type[msgspec.Struct], list[Schema]]] = {
    CorrectionData: [
        _together("word_id", "word", among=_CORRECTED),
        _together("idea_id", "idea", among=_CORRECTED),
        _together("phrase_id", "phrase", among=_CORRECTED),
        _together("word_id", "idea_id", "sense", among=_CORRECTED),
        _together("word_id", "idea_id", "unlink", among=_CORRECTED),
    ],
    WordData: [_together("idea_id"), _together("meaning")],
}
"""What belongs together: a correction is of one record or link, a word means an idea that is there or a new one."""


def describe_fields(struct: type[msgspec.Struct], schema: Schema) -> None:
    """Write into the schema of a body what its fields allow, and which belong together.

    What belongs together stands behind an `if` that is always so: tools that make classes of schemas would make one of
    each alternative, and none of the whole.
    """
    for field in struct.fields if issubclass(struct, Given) else ():
        for part in _parts(schema, field.name):
            for name, value in _limits(part.type, field.kind).items():
                setattr(part, name, value)
    if struct in ALTERNATIVES:
        schema.schema_if, schema.then = Schema(type=OpenAPIType.OBJECT), Schema(any_of=ALTERNATIVES[struct])


def _parts(schema: Schema, name: str) -> Iterator[Schema]:
    """List the schemas of a field: of one that may be null, those of what it may be."""
    described = (schema.properties or {}).get(name)
    if isinstance(described, Schema):
        yield from (each for each in described.one_of or [described] if isinstance(each, Schema))


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
