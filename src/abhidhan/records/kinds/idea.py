"""Ideas and their relations: the types for input, storage and output."""

from typing import ClassVar, Final

import msgspec

from abhidhan.records.ids import ID
from abhidhan.records.kinds.field_types import REQUIRED_TEXT_FIELD, Line, ListChoice, ListChoices, Text, Texts
from abhidhan.records.kinds.fields import MAX_CONTEXTS, Field, Fields, InputData, Reference, State
from abhidhan.records.lookup_lists import ListName

IDEA_ROW_FIELDS: Final = Fields(
    (
        Field(
            "pos",
            ListChoice(ListName.PARTS_OF_SPEECH),
            stored_as="pos_id",
            headings="part of speech|part_of_speech|word class|class",
        ),
        Field("gender", ListChoice(ListName.GENDERS), stored_as="gender_id", headings="gen"),
        Field("glyph", Line(), headings="emoji|char|symbol"),
    )
)
"""The fields that are columns of the idea table, in column order."""

EXAMPLES_FIELD: Final = Field("examples", Texts(has_translations=True))

IDEA_PART_FIELDS: Final = Fields(
    (
        Field("contexts", ListChoices(ListName.CONTEXTS, MAX_CONTEXTS)),
        Field("definitions", Texts()),
        EXAMPLES_FIELD,
    )
)
"""The fields with several values, which have tables of their own."""

IDEA_FIELDS: Final = Fields((*IDEA_ROW_FIELDS, *IDEA_PART_FIELDS))


class IdeaState(State, frozen=True, tag="idea"):
    """An idea. Definitions are (language ID, text), examples (language ID, text, translation).

    Aliases are (source ID, key) of ideas that were merged into this one.
    """

    pos_id: int | None
    gender_id: int | None
    glyph: str | None
    created: int
    source_id: int | None = None
    external_key: str | None = None
    contexts: tuple[int, ...] = ()
    definitions: tuple[tuple[int, str], ...] = ()
    examples: tuple[tuple[int, str, str | None], ...] = ()
    aliases: tuple[tuple[int, str], ...] = ()
    licence: str | None = None


class RelationState(State, frozen=True, tag="relation"):
    """A relation of an idea to another one. The inverse relation is stored with it, without a state of its own."""

    idea_id: int
    type_id: int
    other_id: int


# --- in files -----------------------------------------------------------------------------------------------------


class DefinitionRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A definition of an idea, with the code of its language."""

    language: str
    text: str


class ExampleRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A usage example of an idea, with its translation (of English into Assamese, else into English)."""

    language: str
    text: str
    translation: str | None = None


class RelationRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A relation of an idea to another: the type as a value of RIC, the other idea as `source:key`."""

    type: str
    idea: str


class IdeaRef(msgspec.Struct, frozen=True):
    """A reference to an idea in files: the code of its source, and its key there."""

    source: str
    key: str


class NewRelation(msgspec.Struct, frozen=True):
    """A relation of an idea in a file. Its target may follow later in the file; `inverse_id` is the inverse type."""

    type_id: int
    inverse_id: int | None
    other: IdeaRef


# --- in requests ----------------------------------------------------------------------------------------------------

EXAMPLE_FIELDS: Final = Fields((REQUIRED_TEXT_FIELD, Field("translation", Text())))


class DefinitionData(InputData, frozen=True):
    """A definition of an idea in one language."""

    fields: ClassVar = EXAMPLE_FIELDS
    language: Reference
    text: str


class ExampleText(InputData, frozen=True):
    """A usage example of an idea, with its translation if there is one."""

    fields: ClassVar = EXAMPLE_FIELDS
    language: Reference
    text: str
    translation: str | None = None


class IdeaData(InputData, frozen=True):
    """A new idea: a meaning that words of several languages share."""

    fields: ClassVar = IDEA_FIELDS
    pos: Reference
    gender: Reference | None = None
    glyph: str | None = None
    contexts: tuple[Reference, ...] = ()
    definitions: tuple[DefinitionData, ...] = ()
    examples: tuple[ExampleText, ...] = ()


class ExampleData(InputData, frozen=True):
    """A new usage example for an existing idea."""

    fields: ClassVar = EXAMPLE_FIELDS
    idea_id: ID
    language: Reference
    text: str
    translation: str | None = None


class IdeaChanges(InputData, frozen=True):
    """Changes to an idea; omitted fields are not changed."""

    fields: ClassVar = IDEA_FIELDS
    pos: Reference | msgspec.UnsetType | None = msgspec.UNSET
    gender: Reference | msgspec.UnsetType | None = msgspec.UNSET
    glyph: str | msgspec.UnsetType | None = msgspec.UNSET
    contexts: tuple[Reference, ...] | msgspec.UnsetType = msgspec.UNSET
    definitions: tuple[DefinitionData, ...] | msgspec.UnsetType = msgspec.UNSET
    examples: tuple[ExampleText, ...] | msgspec.UnsetType = msgspec.UNSET
