"""An editor who makes arbitrary edits one after another, for tests of their results."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy import Integer, literal, select

from abhidhan import schema
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.importing import import_records
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.change_feed import Followed
from abhidhan.records.errors import ConflictError, InputError, NotFoundError
from abhidhan.records.history import RecordRef, RelationState
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord
from abhidhan.records.kinds import (
    CardRecord,
    CardSetRecord,
    DefinitionRecord,
    FormsRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.people import Person, Role
from abhidhan.records.submission_payloads import (
    CardChanges,
    CardData,
    CardSetData,
    DefinitionData,
    ExampleText,
    IdeaChanges,
    IdeaData,
    PhraseChanges,
    ProverbData,
    SenseChanges,
    WordChanges,
    WordData,
)
from tests.support.copies import list_ids
from tests.support.sample import NOW, SOURCE

T = TypeVar("T")

EDITOR = Person(id=1, username="editor", role=Role.EDITOR, email=None, created=0, disabled=None)


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine of an asynchronous service."""
    return asyncio.run(coroutine)


def _import_leniently(
    database: Database, *records: Record, policy: ConflictPolicy = ConflictPolicy.FILL, batch_size: int | None = None
) -> None:
    """Import records; those that refer to a renamed value are rejected."""
    placed = (LocatedRecord("more", line, each) for line, each in enumerate(records, 1))
    import_records(database, placed, now=NOW + 1, policy=policy, words_per_transaction=batch_size)


def import_all(
    database: Database, *records: Record, policy: ConflictPolicy = ConflictPolicy.FILL, batch_size: int | None = None
) -> None:
    """Import records, none of which may be rejected."""
    placed = (LocatedRecord("more", line, each) for line, each in enumerate(records, 1))
    assert not import_records(database, placed, now=NOW + 1, policy=policy, words_per_transaction=batch_size).errors


class RandomEditor:
    """An editor who makes arbitrary edits; numbers select the records."""

    def __init__(self, database: Database, *, count: int = 0) -> None:
        """Set the database, and the first number in the texts that the editor writes."""
        self._database = database
        self._editing = Editing(database, clock=lambda: NOW + 2)
        self._count = count

    def apply_edit(self, name: str, first: int, second: int) -> None:
        """Make the edit with a name; a rejected edit changes nothing."""
        self._count += 1
        with suppress(ConflictError, InputError, NotFoundError):
            getattr(self, f"_{name}")(first, second)

    def _add_word(self, first: int, second: int) -> None:
        idea = self._one_of(Followed.IDEA, first) if second % 2 else None
        meaning = None if idea else IdeaData("Adverb", definitions=(DefinitionData("en", f"Meaning {self._count}"),))
        run(self._editing.add_word(EDITOR, WordData(1 + second % 2, f"কখ{self._count}", idea, meaning)))

    def _change_word(self, first: int, second: int) -> None:
        changes = (
            WordChanges(roman=f"r{self._count}"),
            WordChanges(word=f"গঘ{self._count}"),
            WordChanges(variant=1 + first % 3),
        )
        self._change(RecordRef("word", str(self._one_of(Followed.WORD, first))), changes[second % 3])

    def _delete(self, first: int, second: int) -> None:
        kind = list(Followed)[second % 4]
        run(self._editing.delete(EDITOR, RecordRef(kind, str(self._one_of(kind, first)))))

    def _change_idea(self, first: int, second: int) -> None:
        changes = (
            IdeaChanges(contexts=("Water",)),
            IdeaChanges(pos="Adverb"),
            IdeaChanges(glyph="💧", definitions=(DefinitionData("as", f"অৰ্থ {self._count}"),)),
        )
        self._change(RecordRef("idea", str(self._one_of(Followed.IDEA, first))), changes[second % 3])

    def _merge(self, first: int, second: int) -> None:
        run(self._editing.merge(EDITOR, self._one_of(Followed.IDEA, first), self._one_of(Followed.IDEA, second)))

    def _relate(self, first: int, second: int) -> None:
        ends = self._one_of(Followed.IDEA, first), self._one_of(Followed.IDEA, second)
        run(self._editing.relate(EDITOR, RelationState(ends[0], 1 + first % 4, ends[1])))

    def _unrelate(self, first: int, _: int) -> None:
        table = schema.idea_relation
        rows = self._database.read_now(lambda reader: reader.rows(CompiledQuery(select(table))))
        if rows:
            run(self._editing.unrelate(EDITOR, RelationState(*rows[first % len(rows)])))

    def _change_link(self, first: int, second: int) -> None:
        table = schema.sense
        rows = self._database.read_now(lambda reader: reader.rows(CompiledQuery(select(table.c.id))))
        name = RecordRef("sense", str(rows[first % len(rows)][0]))
        if second % 2:
            run(self._editing.delete(EDITOR, name))
        else:
            self._change(name, SenseChanges(note=f"note {self._count}"))

    def _add_proverb(self, first: int, _: int) -> None:
        run(self._editing.add_proverb(EDITOR, ProverbData(f"ফকৰা {self._count}", 1 + first % 2)))

    def _change_proverb(self, first: int, _: int) -> None:
        name = RecordRef("phrase", str(self._one_of(Followed.PHRASE, first)))
        self._change(name, PhraseChanges(meaning=f"meaning {self._count}"))

    def _add_card(self, first: int, second: int) -> None:
        made = run(self._editing.add_card_set(EDITOR, CardSetData(f"Set {self._count}", "as", "en")))
        number = RecordRef.parse(made.record).number if second % 2 else 1 + first % 2
        run(self._editing.add_card(EDITOR, CardData(number, f"clue {self._count}", "answer")))

    def _change_card(self, first: int, second: int) -> None:
        card_id = self._one_of(Followed.CARD, first)
        if second % 2:
            run(self._editing.move_card(EDITOR, card_id, second - 4))
        else:
            self._change(RecordRef("card", str(card_id)), CardChanges(answer=f"answer {self._count}"))

    def _delete_card_set(self, first: int, _: int) -> None:
        run(self._editing.delete(EDITOR, RecordRef("card_set", str(1 + first % 3))))

    def _rename(self, first: int, second: int) -> None:
        lists = ("POS", "GEN", "CTX", "VRT", "RIC", "FJCAT")
        name = ListName(lists[second % len(lists)])
        run(self._editing.rename_list_value(EDITOR, name, 1 + first % 5, f"Name {self._count}"))

    def _undo(self, first: int, _: int) -> None:
        rows = self._database.read_now(lambda reader: reader.rows(CompiledQuery(select(schema.history.c.id))))
        run(self._editing.undo(EDITOR, rows[-1 - first % min(4, len(rows))][0]))

    def _bring_new(self, first: int, second: int) -> None:
        key, other = f"brought-{first % 3}", f"brought-{second % 3}"
        relations = (RelationRecord("Related", f"sample:{other}"),) if other != key else ()
        idea = IdeaRecord(
            "sample",
            key,
            "Adverb",
            (WordRecord("as", "পানী", note=f"note {self._count}"), WordRecord("en", f"word {self._count}")),
            definitions=(DefinitionRecord("en", f"Brought {self._count}"),),
            relations=relations,
        )
        others = IdeaRecord("sample", other, "Adverb", (WordRecord("as", "জল"),))
        phrase = PhraseRecord(
            "sample", f"p{self._count % 3}", "as", f"নতুন {self._count % 3}", "Other", f"{self._count}"
        )
        cards = CardSetRecord("sample", "c", "Cards", "as", "en", None, (CardRecord(f"clue {self._count}", "answer"),))
        policy = ConflictPolicy.REPLACE if first % 2 else ConflictPolicy.FILL
        _import_leniently(
            self._database, SOURCE, idea, others, phrase, cards, policy=policy, batch_size=1 if second % 2 else None
        )

    def _bring_names(self, first: int, second: int) -> None:
        records: tuple[Record, ...] = (
            LanguageRecord(2, "as", "asm", f"Assamese {self._count}", "অসমীয়া", "Beng", "ltr"),
            ListItemRecord("CTX", 26, f"Context {self._count}"),
            SourceRecord("sample", f"Sample {self._count}", "CC0-1.0", notice=f"Notice {self._count}"),
        )
        _import_leniently(self._database, records[(first + second) % 3], policy=ConflictPolicy.REPLACE)

    def _write_examples(self, first: int, second: int) -> None:
        """Set two examples with the same text, or none; or remove the part of speech."""
        same = tuple(ExampleText("as", "একেটা বাক্য।", f"Translation {each}.") for each in range(second % 3))
        pos = IdeaChanges(pos=None) if first % 2 else IdeaChanges(examples=same)
        self._change(RecordRef("idea", str(self._one_of(Followed.IDEA, first))), pos)

    def _renumber(self, first: int, second: int) -> None:
        rows = self._database.read_now(lambda reader: reader.rows(CompiledQuery(select(schema.sense.c.id))))
        self._change(RecordRef("sense", str(rows[first % len(rows)][0])), SenseChanges(position=1 + second % 5))

    def _repeat_clue(self, first: int, second: int) -> None:
        idea = self._one_of(Followed.IDEA, first)
        run(self._editing.add_card(EDITOR, CardData(1 + second % 3, "হাতী", f"answer {self._count}", idea_id=idea)))

    def _name_form(self, first: int, second: int) -> None:
        """Add a form of a word."""
        word_id = self._one_of(Followed.WORD, first)
        code, text = self._database.read_now(lambda reader: _spelling_of(reader, word_id))
        _import_leniently(self._database, FormsRecord(code, text, ((f"ৰূপ{second % 7}", "N;ALL"),)))

    def _add_idea(self, first: int, _: int) -> None:
        run(self._editing.add_idea(EDITOR, IdeaData(1 + first % 5)))

    def _add_value(self, first: int, _: int) -> None:
        name = ListName(("POS", "CTX", "VRT", "RIC")[first % 4])
        run(self._editing.add_list_value(EDITOR, name, f"Value {self._count}"))

    def _change(self, name: RecordRef, changes: Any) -> None:  # noqa: ANN401  # of any kind of records
        version = run(self._editing.read(EDITOR, name)).version
        run(self._editing.change(EDITOR, name, version, changes))

    def _one_of(self, kind: Followed, number: int) -> int:
        ids = list_ids(self._database, kind)
        if not ids:
            raise NotFoundError("There is none left.")
        return ids[number % len(ids)]


def _spelling_of(connection: ReadConnection, word_id: int) -> tuple[str, str]:
    columns = (schema.word.c.language_id, schema.word.c.text)
    (row,) = connection.rows(CompiledQuery(select(*columns).where(schema.word.c.id == literal(word_id, Integer))))
    return connection.catalogue.language(row[0]).code, str(row[1])


EDIT_NAMES = (
    "add_word",
    "change_word",
    "delete",
    "change_idea",
    "merge",
    "relate",
    "unrelate",
    "change_link",
    "add_proverb",
    "change_proverb",
    "add_card",
    "change_card",
    "delete_card_set",
    "rename",
    "undo",
    "bring_new",
    "bring_names",
)

ALL_EDIT_NAMES = (*EDIT_NAMES, "write_examples", "renumber", "repeat_clue", "name_form", "add_idea", "add_value")
"""All changes, including those that only some tests cover."""

EditList = list[tuple[str, int, int]]

ALL_KINDS_OF_EDITS: EditList = [
    (deed, 3 * turn + place, 5 * turn + place) for turn in range(4) for place, deed in enumerate(ALL_EDIT_NAMES)
]
"""Some changes of each kind."""
