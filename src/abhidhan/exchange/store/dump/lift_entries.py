"""Stored LIFT entries in their original form, and users' edits of their content."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from sqlalchemy import Integer, bindparam, select, tuple_

from abhidhan.exchange.model import ExportSelection, format_idea_name, is_selected
from abhidhan.exchange.store.imports import read_tombstones
from abhidhan.platform.database.compiled_queries import CompiledQuery, Row, chunks, in_list, list_params, per_list_size
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.lift_entries import LiftEdits, LiftEntry
from abhidhan.records.tombstones import Tombstones
from abhidhan.schema import CodePointText, idea, lift_entry, sense, word

ENTRIES_BATCH_SIZE = 200

_ENTRIES = CompiledQuery(
    select(
        lift_entry.c.source_id,
        lift_entry.c.key,
        lift_entry.c.language_id,
        lift_entry.c.text,
        lift_entry.c.ideas,
        lift_entry.c.content,
    )
    .where(
        tuple_(lift_entry.c.source_id, lift_entry.c.key)
        > tuple_(bindparam("source_id", type_=Integer), bindparam("key", type_=CodePointText))
    )
    .order_by(lift_entry.c.source_id, lift_entry.c.key)
    .limit(ENTRIES_BATCH_SIZE)
)
_IDEAS = per_list_size(
    lambda size: select(idea.c.id, idea.c.source_id, idea.c.external_key, idea.c.created).where(
        in_list(idea.c.id, "id", size)
    )
)
_WORDS = per_list_size(
    lambda size: select(word.c.id, word.c.language_id, word.c.text).where(in_list(word.c.id, "id", size))
)
_SENSES = per_list_size(
    lambda size: select(sense.c.id, sense.c.idea_id, sense.c.word_id).where(in_list(sense.c.id, "id", size))
)


def dump_lift_entries(connection: ReadConnection, selection: ExportSelection) -> Iterator[LiftEntry]:
    """Yield the entries of the selected languages and sources, and the headers and ranges of these sources."""
    catalogue, after = connection.catalogue, (0, "")
    while rows := connection.rows(_ENTRIES, source_id=after[0], key=after[1]):
        after = rows[-1][:2]
        for source_id, key, language_id, text, ideas, content in rows:
            source = catalogue.sources[source_id].code
            keys = tuple(json.loads(ideas))
            if not is_selected(selection.sources, source) or not (
                language_id is None or is_selected(selection.languages, language_id)
            ):
                continue
            if (selection.contexts or selection.parts_of_speech) and not any(keys):
                continue
            language = catalogue.language(language_id).code if language_id is not None else ""
            yield LiftEntry(source, key, language, text, keys, content)


def read_lift_edits(connection: ReadConnection) -> LiftEdits:
    """Return the fields and parts of ideas, senses and words that users have edited, by their names in files."""
    tombstones = read_tombstones(connection)
    names = _EditedNames(connection, tombstones)
    of_ideas: defaultdict[str, set[str]] = defaultdict(set)
    of_senses: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
    of_words: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for table, number, column in tombstones.iter_edited_fields():
        field = column.removesuffix("_id")
        if table == "idea" and number in names.ideas:
            of_ideas[names.ideas[number]].add(field)
        elif table == "word" and number in names.words:
            of_words[names.words[number]].add(field)
        elif table == "sense" and number in names.senses:
            idea_id, word_id = names.senses[number]
            of_senses[names.ideas[idea_id], *names.words[word_id]].add(field)
    for kind, idea_id, detail in tombstones.iter_edited_parts():
        if idea_id in names.ideas:
            of_ideas[names.ideas[idea_id]].add(names.format_part(kind, detail))
    return LiftEdits(
        {name: frozenset(fields) for name, fields in of_ideas.items()},
        {name: frozenset(fields) for name, fields in of_senses.items()},
        {name: frozenset(fields) for name, fields in of_words.items()},
        frozenset((names.languages.get(language_id, ""), text) for language_id, text in tombstones.corrected_words),
    )


class _EditedNames:
    """The names that edited ideas, senses and words have in files, by ID."""

    def __init__(self, connection: ReadConnection, tombstones: Tombstones) -> None:
        fields, parts = list(tombstones.iter_edited_fields()), list(tombstones.iter_edited_parts())
        numbers = {
            table: {number for each, number, _ in fields if each == table} for table in ("idea", "word", "sense")
        }
        self._tombstones = tombstones
        self.languages = {one.id: one.code for one in connection.catalogue.languages}
        self.senses: dict[int, tuple[int, int]] = {
            row[0]: row[1:] for row in _read_rows(connection, _SENSES, numbers["sense"])
        }
        idea_ids = numbers["idea"] | {one[1] for one in parts} | {one[0] for one in self.senses.values()}
        self.ideas = {
            idea_id: format_idea_name(connection.catalogue, source_id, key, idea_id, created)
            for idea_id, source_id, key, created in _read_rows(connection, _IDEAS, idea_ids)
        }
        word_ids = numbers["word"] | {one[2] for one in parts if one[0] == "sense"}
        word_ids |= {one[1] for one in self.senses.values()}
        self.words = {row[0]: (self.languages[row[1]], row[2]) for row in _read_rows(connection, _WORDS, word_ids)}

    def format_part(self, kind: str, detail: int) -> str:
        """Return the name of an edited part; for a definition or a word, with its language."""
        if kind == "definition":
            return f"words:{self.languages.get(detail, '')}"
        if kind == "sense":
            name = self.words.get(detail)
            language_id = self._tombstones.find_deleted_word_language(detail)
            return f"words:{name[0] if name else self.languages.get(language_id or 0, '')}"
        return f"{kind}s"


def _read_rows(connection: ReadConnection, query: Callable[[int], CompiledQuery], ids: Iterable[int]) -> Iterator[Row]:
    for batch in chunks(sorted(ids)):
        yield from connection.rows(query(len(batch)), **list_params("id", batch))
