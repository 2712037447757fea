from collections.abc import Iterator

from sqlalchemy import text, update

from abhidhan import schema
from abhidhan.exchange.model import LOCAL_SOURCE, ExportSelection
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.store.dump import dump_records, dump_words
from abhidhan.formats.jsonl import encode_line
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import FormsRecord, IdeaRecord, LanguageRecord, PhraseRecord, Record, SourceRecord
from tests.support.databases import Databases, leave_empty, open_database
from tests.support.sample import NOW


def dump(database: Database, choice: ExportSelection | None = None) -> list[Record]:
    """Return all records of a database."""
    with database.snapshot() as reader:
        return list(dump_records(reader, choice))


def place(records: list[Record]) -> Iterator[LocatedRecord]:
    """Place records on lines."""
    return (LocatedRecord("dump", line, record) for line, record in enumerate(records, 1))


def test_a_loaded_dump_is_dumped_identically(databases: Databases, dictionary: Database) -> None:
    change_dates_and_forms(dictionary)
    first = dump(dictionary)
    with open_database(databases, leave_empty) as empty:
        loaded = import_records(empty, place(first), now=NOW + 1000)

        assert loaded.rejected == 0
        assert [encode_line(one) for one in dump(empty)] == [encode_line(one) for one in first]


def change_dates_and_forms(dictionary: Database) -> None:
    """Let words and ideas have dates of their own, and a form be known for what it is."""
    changes = (
        "UPDATE idea SET updated = updated + 7 WHERE id = 2",
        "UPDATE word SET created = created - id, updated = updated + id",
        "UPDATE sense SET added = added + 2 WHERE id = 3",
        "UPDATE phrase SET added = added - id",
        "INSERT INTO word_form (key, word_id, tag) VALUES ('পানীলৈ', (SELECT id FROM word WHERE text = 'পানী'), 'N;ALL')",
    )
    with dictionary.engine.begin() as connection:
        for change in changes:
            connection.execute(text(change))


def test_unusual_dates_and_tagged_forms_are_dumped(dictionary: Database) -> None:
    change_dates_and_forms(dictionary)
    records = dump(dictionary)

    forms = [one for one in records if isinstance(one, FormsRecord)]
    water = next(one for one in records if isinstance(one, IdeaRecord) and one.key == "water")
    assert forms == [FormsRecord("as", "পানী", (("পানীলৈ", "N;ALL"),))]
    assert water.created == NOW
    assert all("পানীলৈ" not in word.forms for word in water.words)
    assert {word.created for word in water.words} & {None, NOW} == set()
    assert {one.added for one in records if isinstance(one, PhraseRecord)} & {None, NOW} == set()


def test_loading_the_dump_of_a_database_into_it_changes_nothing(dictionary: Database) -> None:
    assert not import_records(dictionary, place(dump(dictionary)), now=NOW).has_changes


def test_an_idea_without_a_source_gets_a_permanent_key(databases: Databases, dictionary: Database) -> None:
    with dictionary.engine.begin() as connection:
        connection.execute(update(schema.idea).where(schema.idea.c.id == 3).values(source_id=None, external_key=None))
    dictionary.write_now(lambda _: None)
    first = dump(dictionary)

    assert LOCAL_SOURCE in first
    assert [one.key for one in first if isinstance(one, IdeaRecord) and one.source == "local"] == [f"idea-3-{NOW}"]
    with open_database(databases, leave_empty) as empty:
        import_records(empty, place(first), now=NOW)
        assert dump(empty) == first


def test_a_selection_has_only_the_words_and_ideas_selected(shared_dictionary: Database) -> None:
    records = dump(shared_dictionary, ExportSelection(languages=frozenset({2})))

    ideas = [one for one in records if isinstance(one, IdeaRecord)]
    assert {word.language for idea in ideas for word in idea.words} == {"as"}
    assert {one.language for one in records if isinstance(one, PhraseRecord)} == {"as"}
    assert all(idea.words for idea in ideas)

    def keys(choice: ExportSelection) -> set[str]:
        return {one.key for one in dump(shared_dictionary, choice) if isinstance(one, IdeaRecord)}

    contexts = {item.value: item.id for item in shared_dictionary.read_now(lambda reader: reader.catalogue).items}
    assert "thanks" in keys(ExportSelection(parts_of_speech=frozenset({14})))
    assert "water" not in keys(ExportSelection(parts_of_speech=frozenset({14})))
    assert keys(ExportSelection(sources=frozenset({"none"}))) == set()
    assert keys(ExportSelection(sources=frozenset({"sample"}))) == keys(ExportSelection())
    assert "animal" in keys(ExportSelection(contexts=frozenset({contexts["Zoology"]})))


def test_the_catalogue_comes_first(shared_dictionary: Database) -> None:
    kinds = [type(one) for one in dump(shared_dictionary)]

    assert kinds[0] is LanguageRecord
    assert kinds.index(IdeaRecord) > max(place for place, kind in enumerate(kinds) if kind is SourceRecord)


def test_selected_words_are_in_alphabetical_order(shared_dictionary: Database) -> None:
    with shared_dictionary.snapshot() as reader:
        words = list(dump_words(reader, ExportSelection(sources=frozenset({"sample"})), 1))
        none = list(dump_words(reader, ExportSelection(sources=frozenset({"none"})), 1))

    assert none == []
    assert [word.word for word in words] == sorted((word.word for word in words), key=str.casefold)
