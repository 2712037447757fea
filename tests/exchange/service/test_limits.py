"""Every limit of what a record may hold, tried at both doors: what a file brings, and what an editor saves."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from sqlalchemy import delete, insert, update

from abhidhan import schema
from abhidhan.dictionary.store.acceleration.idea_cache import invalidate
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.store.database_copies import write_snapshot
from abhidhan.exchange.store.dump import dump_records
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.records.errors import ConflictError, InputError
from abhidhan.records.history import IdeaState, RecordRef, WordState
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.input_validation import RecordChanges
from abhidhan.records.kinds import (
    CardRecord,
    CardSetRecord,
    DefinitionRecord,
    ExampleRecord,
    IdeaRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    WordRecord,
)
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.submission_payloads import (
    CardChanges,
    CardData,
    CardSetChanges,
    CardSetData,
    DefinitionData,
    ExampleText,
    IdeaChanges,
    IdeaData,
    ListItemChanges,
    PhraseChanges,
    ProverbData,
    SenseChanges,
    WordChanges,
    WordData,
)
from tests.support.arbitrary_edits import EDITOR, run
from tests.support.sample import NOW, SOURCE


def word_record(**fields: Any) -> IdeaRecord:  # noqa: ANN401  # a field of any kind
    return IdeaRecord("sample", "new", "Adverb", (WordRecord(**{"language": "en", "text": "new", **fields}),))


def idea_record(**fields: Any) -> IdeaRecord:  # noqa: ANN401  # a field of any kind
    return msgspec.structs.replace(word_record(), **fields)


def phrase_record(**fields: Any) -> PhraseRecord:  # noqa: ANN401  # a field of any kind
    given = {"text": "নতুন কথা", "category": "Other", **fields}
    return PhraseRecord("sample", "new", "as", **given)


def card_record(**fields: Any) -> CardSetRecord:  # noqa: ANN401  # a field of any kind
    return set_record(cards=(CardRecord(**{"clue": "a", "answer": "b", **fields}),))


def set_record(**fields: Any) -> CardSetRecord:  # noqa: ANN401  # a field of any kind
    return CardSetRecord("sample", "new", language="as", answer_language="en", **{"name": "New", **fields})


def value_record(**fields: Any) -> ListItemRecord:  # noqa: ANN401  # a field of any kind
    return ListItemRecord("CTX", 4000, **fields)


def meaning(**fields: Any) -> IdeaData:  # noqa: ANN401  # a field of any kind
    return IdeaData(pos="Adverb", **fields)


Saving = Callable[[Editing, str, Any], Coroutine[Any, Any, object]]


def new_word(editing: Editing, field: str, value: object) -> Coroutine[Any, Any, object]:
    given: dict[str, Any] = {"language": "en", "word": "other", field: value}
    return editing.add_word(EDITOR, WordData(meaning=meaning(), **given))


def new_idea(editing: Editing, field: str, value: object) -> Coroutine[Any, Any, object]:
    return editing.add_idea(EDITOR, meaning(**{field: value}))


def new_phrase(editing: Editing, field: str, value: object) -> Coroutine[Any, Any, object]:
    given: dict[str, Any] = {"text": "আন কথা", "category": "Other", field: value}
    return editing.add_proverb(EDITOR, ProverbData(**given))


def new_card(editing: Editing, field: str, value: object) -> Coroutine[Any, Any, object]:
    given: dict[str, Any] = {"clue": "a", "answer": "b", field: value}
    return editing.add_card(EDITOR, CardData(set_id=1, **given))


def new_set(editing: Editing, field: str, value: object) -> Coroutine[Any, Any, object]:
    given: dict[str, Any] = {"name": "Other", "language": "as", "answer_language": "en", field: value}
    return editing.add_card_set(EDITOR, CardSetData(**given))


def new_value(editing: Editing, _: str, value: str) -> Coroutine[Any, Any, object]:
    return editing.add_list_value(EDITOR, ListName.CONTEXTS, value)


def changing(kind: str, changes: Callable[..., RecordChanges], record_id: str = "1") -> Saving:
    def save(editing: Editing, field: str, value: object) -> Coroutine[Any, Any, object]:
        return editing.change(EDITOR, RecordRef(kind, record_id), 0, changes(**{field: value}))

    return save


class Kind(NamedTuple):
    """A kind of record: how files write it, and how editors add and change it."""

    record: Callable[..., Record]
    added: Saving | None
    changed: Saving


KINDS: Final = {
    "word": Kind(word_record, new_word, changing("word", WordChanges)),
    "sense": Kind(word_record, new_word, changing("sense", SenseChanges)),
    "idea": Kind(idea_record, new_idea, changing("idea", IdeaChanges)),
    "phrase": Kind(phrase_record, new_phrase, changing("phrase", PhraseChanges)),
    "card": Kind(card_record, new_card, changing("card", CardChanges)),
    "card_set": Kind(set_record, new_set, changing("card_set", CardSetChanges)),
    "list_item": Kind(value_record, new_value, changing("list_item", ListItemChanges, "CTX-1")),
}

LETTERS: Final = {
    "word": {
        "word": 200,
        **dict.fromkeys(("roman", "ipa", "asm", "plural", "definitive", "frequency_source"), 500),
        "origin": 20_000,
    },
    "sense": {"reference": 20_000, "note": 20_000},
    "idea": {"glyph": 500},
    "phrase": {"text": 500, "roman": 500, "meaning": 20_000},
    "card": {"clue": 500, "answer": 500, "roman": 500, "picture": 500},
    "card_set": {"name": 200, "description": 20_000},
    "list_item": {"value": 200},
}
"""How many letters each field of each kind of record may have."""

FILED: Final = {("word", "word"): "text"}
"""What files call a field that requests call otherwise."""


def import_fault(database: Database, record: Record) -> str | None:
    placed = (LocatedRecord("file", line, each) for line, each in enumerate((SOURCE, record), 1))
    faults = import_records(database, placed, now=NOW).errors
    return faults[0].detail if faults else None


def refusal(work: Coroutine[Any, Any, object]) -> str | None:
    try:
        run(work)
    except InputError as error:
        return str(error)
    except ConflictError:
        # It is there already, brought by the file: nothing is wrong with it.
        return None
    return None


def collect_messages(database: Database, kind: str, field: str, filed: object, given: object) -> set[str | None]:
    """Return what every door says to a value: the file's as `filed`, the editors' as `given`."""
    doors = KINDS[kind]
    record = doors.record(**{FILED.get((kind, field), field): filed})
    saved = [save(Editing(database), field, given) for save in (doors.added, doors.changed) if save]
    return {import_fault(database, record), *map(refusal, saved)}


def test_a_text_of_the_maximum_length_is_accepted_from_files_and_editors(
    dictionary: Database, subtests: pytest.Subtests
) -> None:
    for kind, fields in LETTERS.items():
        with subtests.test(kind):
            for field, most in fields.items():
                assert collect_messages(dictionary, kind, field, "x" * most, "x" * most) == {None}, field


def test_invalid_texts_are_rejected_with_the_same_message_from_files_and_editors(
    dictionary: Database, subtests: pytest.Subtests
) -> None:
    for kind, fields in LETTERS.items():
        with subtests.test(kind):
            for field, most in fields.items():
                long, broken, short = "x" * (most + 1), "a\x07b", " \n"
                length = f"`{field}` must have from 1 to {most:,} characters."
                characters = f"`{field}` must not contain control characters or incomplete characters."

                assert collect_messages(dictionary, kind, field, long, long) == {length}
                assert collect_messages(dictionary, kind, field, broken, broken) == {characters}
                assert (kind, field) not in NEEDED or collect_messages(dictionary, kind, field, short, short) == {
                    length
                }


NEEDED: Final = {
    ("word", "word"),
    ("phrase", "text"),
    ("card", "clue"),
    ("card", "answer"),
    ("card_set", "name"),
    ("list_item", "value"),
}
"""Fields that cannot be empty."""


class Parts(NamedTuple):
    """What an idea has several of: how many there may be, how files write some, and how editors do."""

    most: int
    filed: Callable[[int], tuple[Any, ...]]
    given: Callable[[int], tuple[Any, ...]]


CONTEXT_NAMES: Final = tuple(f"Context {number}" for number in range(21))
PARTS: Final = {
    "definitions": Parts(
        50,
        lambda many: tuple(DefinitionRecord("en", f"definition {each}") for each in range(many)),
        lambda many: tuple(DefinitionData("en", f"definition {each}") for each in range(many)),
    ),
    "examples": Parts(
        50,
        lambda many: tuple(ExampleRecord("en", f"example {each}") for each in range(many)),
        lambda many: tuple(ExampleText("en", f"example {each}") for each in range(many)),
    ),
    "contexts": Parts(20, lambda many: CONTEXT_NAMES[:many], lambda many: CONTEXT_NAMES[:many]),
}


def add_contexts(database: Database) -> None:
    values = (ListItemRecord("CTX", 5000 + place, name) for place, name in enumerate(CONTEXT_NAMES))
    import_records(database, (LocatedRecord("file", 1, each) for each in values), now=NOW)


def test_an_idea_has_the_same_maximum_number_of_parts_from_files_and_editors(dictionary: Database) -> None:
    add_contexts(dictionary)
    for field, parts in PARTS.items():
        few, many = parts.most, parts.most + 1
        message = f"`{field}` may have at most {parts.most} entries."

        assert collect_messages(dictionary, "idea", field, parts.filed(many), parts.given(many)) == {message}
        assert collect_messages(dictionary, "idea", field, parts.filed(few), parts.given(few)) == {None}


LONG_PARTS: Final = [
    ("definitions", DefinitionRecord, DefinitionData, {"text": "x" * 20_001}),
    ("examples", ExampleRecord, ExampleText, {"text": "x" * 20_001}),
    ("examples", ExampleRecord, ExampleText, {"text": "x", "translation": "x" * 20_001}),
]


def test_texts_and_positions_of_parts_have_the_same_limits_from_files_and_editors(dictionary: Database) -> None:
    for field, filed, given, texts in LONG_PARTS:
        messages = collect_messages(dictionary, "idea", field, (filed("en", **texts),), (given("en", **texts),))

        assert messages == {f"`{field}` must have from 1 to 20,000 characters."}

    for position in (0, 1_000_001):
        changes = SenseChanges(position=position)
        saved = Editing(dictionary).change(EDITOR, RecordRef("sense", "1"), 0, changes)

        messages = {import_fault(dictionary, word_record(position=position)), refusal(saved)}

        assert messages == {"`position` must be a whole number from 1 to 1,000,000."}


# --- what is beyond the limits already --------------------------------------------------------------------------------


def exceed_limits(database: Database) -> Editing:
    """Make a word and an idea that no limit of today would let in, as older versions did."""
    many = [{"idea_id": 1, "language_id": 1, "text": f"meaning {number}"} for number in range(60)]

    def spoil(connection: WriteConnection) -> None:
        connection.execute(update(schema.word).where(schema.word.c.id == 1).values(roman="r" * 600))
        for table in (schema.definition, schema.definition_word):
            connection.execute(delete(table).where(table.c.idea_id == 1))
        connection.execute(insert(schema.definition), [*many[:59], many[59] | {"text": "t" * 20_001}])
        connection.execute(update(schema.idea).where(schema.idea.c.id == 1).values(glyph="g" * 600))
        invalidate(connection, [1])

    database.write_now(spoil)
    return Editing(database)


def test_a_record_beyond_the_limits_can_be_edited_in_its_other_fields(dictionary: Database) -> None:
    editing, word, idea = exceed_limits(dictionary), RecordRef("word", "1"), RecordRef("idea", "1")
    state = run(editing.read(EDITOR, idea)).state
    assert isinstance(state, IdeaState)
    definitions = tuple(DefinitionData(*each) for each in state.definitions)

    saved = run(editing.change(EDITOR, word, 0, WordChanges(roman="r" * 600, origin="new"))).state
    shorter = IdeaChanges(glyph="g" * 600, gender="Neuter", definitions=definitions[1:])
    changed = run(editing.change(EDITOR, idea, 0, shorter)).state

    assert isinstance(saved, WordState)
    assert (saved.roman, saved.origin) == ("r" * 600, "new")
    assert isinstance(changed, IdeaState)
    assert changed.definitions == state.definitions[1:]


@pytest.mark.spoils
def test_a_record_beyond_the_limits_cannot_grow(dictionary: Database) -> None:
    editing, name = exceed_limits(dictionary), RecordRef("idea", "1")
    state = run(editing.read(EDITOR, name)).state
    assert isinstance(state, IdeaState)
    more = (*(DefinitionData(*each) for each in state.definitions), DefinitionData("en", "one more"))

    message = refusal(editing.change(EDITOR, name, 0, IdeaChanges(definitions=more)))
    longer = refusal(editing.change(EDITOR, RecordRef("word", "1"), 0, WordChanges(roman="r" * 601)))

    assert message == (
        "`definitions` may have at most 50 entries. The 60 existing entries may stay, but no more can be added."
    )
    assert longer == "`roman` must have from 1 to 500 characters."


@pytest.mark.spoils
def test_a_snapshot_contains_records_beyond_the_limits(dictionary: Database, tmp_path: Path) -> None:
    exceed_limits(dictionary)

    with dictionary.snapshot() as reader:
        write_snapshot(list(dump_records(reader)), tmp_path / "copy.sqlite3", moment=NOW)

    with Database(f"sqlite:///{tmp_path / 'copy.sqlite3'}") as copy, copy.snapshot() as reader:
        ideas = [record for record in dump_records(reader) if isinstance(record, IdeaRecord)]
    assert max(len(idea.definitions) for idea in ideas) == 60
    assert any(word.roman == "r" * 600 for idea in ideas for word in idea.words)
