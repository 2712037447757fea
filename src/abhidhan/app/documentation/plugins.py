"""Litestar plug-ins that describe request bodies, bytes, tuples and structs in the OpenAPI document."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec
from litestar._openapi.schema_generation.plugins.struct import StructSchemaPlugin
from litestar.openapi.spec import OpenAPIType, Reference, Schema
from litestar.openapi.spec.enums import OpenAPIFormat
from litestar.params import Parameter
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from abhidhan.dictionary.model.cascade import FoundWord
from abhidhan.dictionary.model.encoded_words import CodedMeaning, CodedWord
from abhidhan.editing.api.editing import Edit, Editable
from abhidhan.platform.http.parameters import NON_BLANK_TEXT_PATTERN, TEXT_PATTERN
from abhidhan.records.ideas import Idea
from abhidhan.records.kinds.field_types import Line, ListChoices, Number, Text, Texts, WholeNumber
from abhidhan.records.kinds.fields import FieldType, InputData
from abhidhan.records.submission_payloads import CorrectionData, WordData
from abhidhan.records.words import Meaning, Word


def _require_together(*names: str, group: tuple[str, ...] = ()) -> Schema:
    """Build a schema that requires the properties `names`; the other properties of `group` must be null or false."""
    properties: dict[str, Reference | Schema] = {}
    for name in (*names, *(each for each in group if each not in names)):
        if name == "unlink":
            properties[name] = Schema(const=name in names)
        elif name not in names:
            properties[name] = Schema(type=OpenAPIType.NULL)
        else:
            properties[name] = Schema(type=OpenAPIType.INTEGER if name.endswith("_id") else OpenAPIType.OBJECT)
    return Schema(required=list(names), properties=properties)


_CORRECTION_PROPERTIES: Final = ("word_id", "word", "idea_id", "idea", "phrase_id", "phrase", "sense", "unlink")

PROPERTY_ALTERNATIVES: Final[Mapping[type[msgspec.Struct], list[Schema]]] = {
    CorrectionData: [
        _require_together("word_id", "word", group=_CORRECTION_PROPERTIES),
        _require_together("idea_id", "idea", group=_CORRECTION_PROPERTIES),
        _require_together("phrase_id", "phrase", group=_CORRECTION_PROPERTIES),
        _require_together("word_id", "idea_id", "sense", group=_CORRECTION_PROPERTIES),
        _require_together("word_id", "idea_id", "unlink", group=_CORRECTION_PROPERTIES),
    ],
    WordData: [_require_together("idea_id"), _require_together("meaning")],
}
"""Alternative sets of required properties: of a correction, by its target; of a word, with an old or a new idea."""


def add_field_constraints(struct: type[msgspec.Struct], schema: Schema) -> None:
    """Add the constraints of fields, and the alternative sets of properties, to the schema of a body.

    The alternatives are in the `then` of an `if` that is always true: otherwise code generators create a class for
    each alternative and none for the whole.
    """
    for field in struct.fields if issubclass(struct, InputData) else ():
        for field_schema in _iter_field_schemas(schema, field.name):
            for name, value in _field_constraints(field_schema.type, field.kind).items():
                setattr(field_schema, name, value)
    if struct in PROPERTY_ALTERNATIVES:
        schema.schema_if, schema.then = Schema(type=OpenAPIType.OBJECT), Schema(any_of=PROPERTY_ALTERNATIVES[struct])


def _iter_field_schemas(schema: Schema, name: str) -> Iterator[Schema]:
    """Yield the schema of a field; of a nullable field, the schemas of its alternatives."""
    described = (schema.properties or {}).get(name)
    if isinstance(described, Schema):
        yield from (each for each in described.one_of or [described] if isinstance(each, Schema))


def _field_constraints(schema_type: Any, kind: FieldType) -> Mapping[str, Any]:  # noqa: ANN401  # one type, or several
    match schema_type, kind:
        case OpenAPIType.STRING, (Line() | Text()):
            return {"pattern": NON_BLANK_TEXT_PATTERN if kind.is_required else TEXT_PATTERN, "max_length": kind.limit}
        case ((OpenAPIType.INTEGER | OpenAPIType.NUMBER), (WholeNumber() | Number())):
            return {"minimum": 1 if isinstance(kind, WholeNumber) else 0, "maximum": kind.limit}
        case OpenAPIType.ARRAY, (ListChoices() | Texts()):
            return {"max_items": kind.limit}
        case _:
            return {}


if TYPE_CHECKING:
    from litestar._openapi.schema_generation import SchemaCreator

SELECTABLE_STRUCTS: Final = {
    Word: Word,
    FoundWord: Word,
    Meaning: Meaning,
    CodedWord: CodedWord,
    CodedMeaning: CodedMeaning,
    Idea: Idea,
}
"""Structs whose keys the parameter `fields` can leave out, with the struct that defines these keys."""

COMPONENT_NAMES: Final = {Edit: "{}Edit", Editable: "Editable{}"}
"""Patterns of the component names of editing types, with a placeholder for the name of the record."""

CONSTRAINT_KEYWORDS: Final = (
    ("ge", "minimum"),
    ("gt", "exclusive_minimum"),
    ("le", "maximum"),
    ("lt", "exclusive_maximum"),
    ("min_length", "min_length"),
    ("max_length", "max_length"),
    ("pattern", "pattern"),
)
"""The constraints of `msgspec.Meta`, with their names in schemas."""


class MetaPlugin(OpenAPISchemaPlugin):
    """Plug-in for the constraints of `msgspec.Meta`, which Litestar omits inside unions and lists."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Return whether a type has constraints of `msgspec.Meta`."""
        return field_definition.has_metadata(msgspec.Meta)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: "SchemaCreator") -> Schema:
        """Return the schema of the type with its constraints."""
        schema = schema_creator.for_field_definition(FieldDefinition.from_annotation(field_definition.annotation))
        if isinstance(schema, Reference):
            return Schema(all_of=[schema])
        for meta in field_definition.metadata:
            if isinstance(meta, msgspec.Meta):
                _add_meta_constraints(schema, meta)
        return schema


def _add_meta_constraints(schema: Schema, meta: msgspec.Meta) -> None:
    """Add constraints to a schema; lengths of a list become `minItems` and `maxItems`."""
    for limit, keyword in CONSTRAINT_KEYWORDS:
        value = getattr(meta, limit)
        if value is not None:
            is_array = schema.type == OpenAPIType.ARRAY
            setattr(schema, keyword.replace("length", "items") if is_array else keyword, value)
    aliases = schema.field_aliases()
    for keyword, value in (meta.extra_json_schema or {}).items():
        setattr(schema, aliases.get(keyword, keyword), value)


class BytesPlugin(OpenAPISchemaPlugin):
    """Plug-in that describes bytes as binary data."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Return whether a type is bytes."""
        return field_definition.annotation is bytes

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: "SchemaCreator") -> Schema:
        """Return the schema of binary data."""
        del field_definition, schema_creator
        return Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)


class TuplePlugin(OpenAPISchemaPlugin):
    """Plug-in that describes tuples as lists of any length, or of a fixed one.

    Litestar would allow anything in tuples with constraints. Some tools require `items` in addition to `prefixItems`.
    """

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Return whether a type is a tuple."""
        return field_definition.origin is tuple

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: "SchemaCreator") -> Schema:
        """Return the schema of the list."""
        parts = [each for each in field_definition.inner_types if each.annotation is not Ellipsis]
        described = [schema_creator.for_field_definition(each) for each in parts]
        if len(parts) < len(field_definition.inner_types):
            return Schema(type=OpenAPIType.ARRAY, items=described[0])
        return Schema(
            type=OpenAPIType.ARRAY,
            prefix_items=described,
            items=Schema(),
            min_items=len(described),
            max_items=len(described),
        )


class StructPlugin(StructSchemaPlugin):
    """Plug-in that adds docstrings and constraints of fields to schemas of structs, and forbids unknown keys."""

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: "SchemaCreator") -> Schema:
        """Return the schema of a struct."""
        schema = super().to_openapi_schema(field_definition, schema_creator)
        if field_definition.origin in COMPONENT_NAMES:
            schema.title = _component_name(field_definition)
        struct = field_definition.type_
        schema.description = struct.__doc__
        if struct.__struct_config__.forbid_unknown_fields:
            schema.additional_properties = False
        if struct in SELECTABLE_STRUCTS:
            chosen = SELECTABLE_STRUCTS[struct].__struct_encode_fields__
            schema.required = [key for key in schema.required or () if key not in chosen] or None
        add_field_constraints(struct, schema)
        return schema


class EditPlugin(OpenAPISchemaPlugin):
    """Plug-in that names the components of editing types after the record: `Edit[WordChanges]` is WordEdit."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Return whether a type is an editing type without a component name."""
        return field_definition.origin in COMPONENT_NAMES and not getattr(
            field_definition.kwarg_definition, "schema_component_key", None
        )

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: "SchemaCreator") -> Schema:
        """Return the schema under its component name."""
        definition = replace(
            field_definition, kwarg_definition=Parameter(schema_component_key=_component_name(field_definition))
        )
        return cast("Schema", schema_creator.for_field_definition(definition))


def _component_name(definition: FieldDefinition) -> str:
    return COMPONENT_NAMES[definition.origin].format(
        definition.inner_types[0].annotation.__name__.removesuffix("Changes")
    )


PLUGINS: Final = (EditPlugin(), MetaPlugin(), BytesPlugin(), TuplePlugin(), StructPlugin())
