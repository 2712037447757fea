import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from sqlalchemy import Table, func, insert, select, text
from sqlalchemy.exc import IntegrityError

from abhidhan import schema
from abhidhan.dictionary.store.indexes import near_keys
from abhidhan.exchange.model import ExportSelection
from abhidhan.exchange.service.importing import import_records
from abhidhan.exchange.store.dump import dump_phrases
from abhidhan.exchange.store.loading.load_context import LoadResult
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import ConflictError
from abhidhan.records.import_records import ConflictPolicy, LocatedRecord
from abhidhan.records.kinds import (
    CardRecord,
    CardSetRecord,
    DefinitionRecord,
    ExampleRecord,
    IdeaRecord,
    LanguageRecord,
    ListItemRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.records.kinds.field_types import LocalTextRecord
from assamese.keys import sound_key
from assamese.search_keys import build_sound_index_key
from tests.support.databases import (
    Databases,
    PostgresqlDatabases,
    SqliteDatabases,
    leave_empty,
    load_sample,
    open_database,
)
from tests.support.postgresql import PostgresqlServer
from tests.support.sample import NOW, sample_records

LATER = NOW + 100


def load(database: Database, *records: Record, policy: ConflictPolicy = ConflictPolicy.FILL) -> LoadResult:
    """Load records as if each stood on a line of its own."""
    placed = (LocatedRecord("test.jsonl", line, record) for line, record in enumerate(records, 1))
    return import_records(database, placed, now=LATER, policy=policy)


def idea(key: str = "new", words: tuple[WordRecord, ...] = (), **fields: object) -> IdeaRecord:
    """Make an idea of the sample's source."""
    given = {"source": "sample", "key": key, "pos": "Adverb", "words": words} | fields
    return IdeaRecord(**given)  # type: ignore[arg-type]


def rows(database: Database, table: Table, *columns: str) -> list[tuple[Any, ...]]:
    """Read a whole table in the order of its primary key."""
    chosen = [table.c[name] for name in columns or table.c.keys()]
    with database.engine.begin() as connection:
        return [tuple(row) for row in connection.execute(select(*chosen).order_by(*table.primary_key.columns))]


def pairs(database: Database, table: Table, first: str, second: str) -> dict[Any, Any]:
    """Read two columns of a table."""
    return dict(rows(database, table, first, second))


def count(database: Database, table: Table) -> int:
    """Count the rows of a table."""
    with database.engine.begin() as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()


@pytest.mark.thorough
def test_both_engines_hold_the_same_rows(databases_with_sample: dict[str, Database]) -> None:
    sqlite, postgresql = databases_with_sample["sqlite"], databases_with_sample["postgresql"]

    for table in schema.metadata.sorted_tables:
        assert rows(sqlite, table) == rows(postgresql, table), table.name


def test_loading_the_same_records_again_changes_nothing(dictionary: Database) -> None:
    before = {table.name: rows(dictionary, table) for table in schema.metadata.sorted_tables}

    loaded = import_records(dictionary, sample_records(), now=LATER)

    assert (loaded.has_changes, loaded.errors) == (False, ())
    assert {table.name: rows(dictionary, table) for table in schema.metadata.sorted_tables} == before


def test_words_are_stored_once_with_their_keys_and_near_keys(shared_dictionary: Database) -> None:
    texts = [row for row in rows(shared_dictionary, schema.word, "language_id", "text") if row[1] == "শব্দ"]
    assert texts == [(2, "শব্দ"), (22, "শব্দ")]

    columns = ("language_id", "text", "exact_key", "rule_roman", "roman", "created", "updated")
    stored = set(rows(shared_dictionary, schema.word, *columns))

    assert (1, "Assamese", "assamese", None, None, NOW, NOW) in stored
    assert (2, "শব্দ", "শব্দ", "xob.do", "xob.do", NOW, NOW) in stored

    keys = set(rows(shared_dictionary, schema.near_key, "key"))

    assert {("water",), ("wate",), ("ater",)} <= keys


def test_the_meanings_of_a_word_are_numbered_in_the_order_of_the_file(shared_dictionary: Database) -> None:
    word, sense = schema.word, schema.sense
    with shared_dictionary.engine.begin() as connection:
        found = connection.execute(
            select(schema.idea.c.external_key, sense.c.position)
            .join_from(sense, word, word.c.id == sense.c.word_id)
            .join(schema.idea, schema.idea.c.id == sense.c.idea_id)
            .where(word.c.text == "কলা", word.c.language_id == 2)
            .order_by(sense.c.position)
        )

        assert [tuple(row) for row in found] == [("deaf", 1), ("art", 2)]


def test_a_further_meaning_of_a_word_gets_the_next_number(dictionary: Database) -> None:
    load(dictionary, idea("banana", (WordRecord("as", "কলা"),)))

    last = rows(dictionary, schema.sense, "position", "added")[-1]
    assert last == (3, LATER)


def test_the_database_computes_the_same_near_keys_as_the_program(dictionary: Database) -> None:
    odd = (
        "a",
        "aa",
        "aaaaaaaaaaaa",
        "abba",
        "aab",
        "bookkeeper",
        "ab",
        "𑜀𑜦𑜩",
        "𑜀𑜀𑜦",
        "কককখ",
        "ক্ষমা",
        "e\u0301e\u0301",
        "I'm",
        "’",
        "日本日本日本日本日",
    )
    before = rows(dictionary, schema.near_key)

    loaded = load(dictionary, idea("odd", tuple(WordRecord("kha", each) for each in odd)))

    stored = rows(dictionary, schema.near_key)
    assert set(stored) == set(near_keys.derive_near_keys(rows(dictionary, schema.word, "id", "loose_key")))
    assert loaded.counts["near_key"] == len(stored) - len(before) > 0


def test_each_relation_is_stored_with_its_inverse(shared_dictionary: Database) -> None:
    ideas = pairs(shared_dictionary, schema.idea, "id", "external_key")
    found = {
        (ideas[first], kind, ideas[second]) for first, kind, second in rows(shared_dictionary, schema.idea_relation)
    }

    assert {("elephant", 4, "animal"), ("animal", 5, "elephant"), ("white", 2, "black")} <= found
    assert len(found) == 16


def test_the_words_of_a_language_are_counted(dictionary: Database) -> None:
    before = pairs(dictionary, schema.language, "code", "words")
    load(dictionary, idea("one", (WordRecord("kha", "shi"), WordRecord("as", "পানী"))))

    after = pairs(dictionary, schema.language, "code", "words")

    assert (after["kha"], after["as"]) == (before["kha"] + 1, before["as"])


def test_an_import_is_one_row_of_history(dictionary: Database) -> None:
    load(dictionary, SourceRecord("other", "Other", "CC0-1.0"), idea("one", (WordRecord("kha", "shi"),)))

    *_, (at, action, record, after) = rows(dictionary, schema.history, "at", "action_id", "record", "after")

    details = json.loads(str(after))
    assert (at, action, record) == (LATER, 22, "import")
    assert (details["sources"], details["counts"]["idea"], details["counts"]["word"]) == (["other"], 1, 1)


def test_missing_fields_are_filled_and_nothing_is_overwritten(dictionary: Database) -> None:
    word = WordRecord("as", "মাছ", roman="mas", ipa="mas", note="টোকা")
    load(dictionary, idea("fish", (word,), pos="Adverb", gender="Neuter", glyph="🦈"))
    load(dictionary, idea("fish", (WordRecord("as", "মাছ", roman="other"),)))

    fish = next(
        row
        for row in rows(dictionary, schema.idea, "external_key", "pos_id", "gender_id", "glyph", "updated")
        if row[0] == "fish"
    )
    found = next(row for row in rows(dictionary, schema.word, "text", "roman", "ipa") if row[0] == "মাছ")
    assert fish == ("fish", 1, 4, "🐟", LATER)
    assert found == ("মাছ", "mas", "mas")


def test_new_parts_of_a_stored_idea_are_added(dictionary: Database) -> None:
    loaded = load(
        dictionary,
        idea(
            "fish",
            (WordRecord("kha", "dohkha"),),
            contexts=("Fish", "Food"),
            definitions=(DefinitionRecord("en", "An animal that lives in water."), DefinitionRecord("hi", "जलचर।")),
            examples=(ExampleRecord("as", "মাছ খাম।"),),
            relations=(RelationRecord("Related", "sample:water"),),
        ),
    )

    counts = {name: number for name, number in loaded.counts.items() if number}
    assert counts.pop("near_key") > 0
    assert counts == {
        "word": 1,
        "sense": 1,
        "definition": 1,
        "definition_word": 1,
        "example": 1,
        "idea_context": 1,
        "idea_relation": 2,
        "word_pos": 1,
    }


def test_repeated_ideas_and_phrases_are_stored_once(dictionary: Database) -> None:
    load(
        dictionary,
        idea("twice", (WordRecord("kha", "ar"),)),
        idea("twice", (WordRecord("kha", "ar"), WordRecord("kha", "arsien"))),
    )

    assert [row for row in rows(dictionary, schema.idea, "external_key") if row == ("twice",)] == [("twice",)]
    assert len([row for row in rows(dictionary, schema.word, "text") if row in {("ar",), ("arsien",)}]) == 2

    text = "এটা নিগনিৰ সাতখন পাম"
    loaded = load(
        dictionary,
        PhraseRecord("sample", "other-key", "as", text, "Other", roman="e.ta"),
        PhraseRecord("sample", "third-key", "as", text, "Other"),
    )

    assert loaded.counts["phrase"] == 0
    found = next(row for row in rows(dictionary, schema.phrase, "text", "roman", "external_key") if row[0] == text)
    assert found == (text, "e.ta", "g276")


def test_a_phrase_is_indexed_by_the_words_of_a_meaning_added_later(dictionary: Database) -> None:
    def keys() -> set[str]:
        return {row[0] for row in rows(dictionary, schema.phrase_word, "key")}

    load(dictionary, PhraseRecord("sample", "new", "as", "এটা নতুন পাম", "Other"))
    assert build_sound_index_key(sound_key("নতুন", "as")) in keys()
    assert "=brand" not in keys()

    load(dictionary, PhraseRecord("sample", "new", "as", "এটা নতুন পাম", "Other", "A brand new farm."))
    assert "=brand" in keys()


MEANING_POLICIES: list[tuple[ConflictPolicy, str | None, dict[str, str]]] = [
    (ConflictPolicy.KEEP, None, {"hi": "एक"}),
    (ConflictPolicy.FILL, "One.", {"hi": "एक", "as": "নতুন অৰ্থ।"}),
    (ConflictPolicy.REPLACE, "One.", {"hi": "दो", "as": "নতুন অৰ্থ।"}),
]


def test_the_policy_applies_to_each_language_of_a_meaning(databases: Databases, subtests: pytest.Subtests) -> None:
    for policy, meaning, others in MEANING_POLICIES:
        with subtests.test(str(policy)), open_database(databases, load_sample) as dictionary:

            def phrase(**meanings: str) -> PhraseRecord:
                texts = tuple(LocalTextRecord(code, text) for code, text in meanings.items())
                return PhraseRecord("sample", "new", "as", "এটা নতুন পাম", "Other", meanings=texts)

            load(dictionary, phrase(hi="एक"))
            later = phrase(en="One.", hi="दो", **{"as": "নতুন অৰ্থ।"})
            load(dictionary, later, policy=policy)

            (stored,) = dictionary.read_now(
                lambda reader: [one for one in dump_phrases(reader, ExportSelection()) if one.key == "new"]
            )
            assert (stored.meaning, {one.language: one.text for one in stored.meanings}) == (meaning, others)
            assert not load(dictionary, later, policy=policy).has_changes


def test_pieces_of_phrases_are_counted(dictionary: Database) -> None:
    load(dictionary, PhraseRecord("sample", "new", "as", "এটা নতুন পাম", "Other"))

    pieces = [row[:2] for row in rows(dictionary, schema.phrase_gram, "language_id", "gram")]
    counted = {row[:2]: row[2] for row in rows(dictionary, schema.gram_count)}
    assert counted == {piece: pieces.count(piece) for piece in pieces}


FAULTY: list[tuple[Record, str]] = [
    (idea(pos="Nonsense"), "There is no 'Nonsense' in the list POS (in pos)."),
    (idea(words=(WordRecord("xx", "word"),)), "There is no language 'xx' (in words)."),
    (idea(words=(WordRecord("en", " \n"),)), "`word` must have from 1 to 200 characters."),
    (idea(words=(WordRecord("en", "a" * 201),)), "`word` must have from 1 to 200 characters."),
    (
        idea(words=(WordRecord("en", "a\0b"),)),
        "`word` must not contain control characters or incomplete characters.",
    ),
    (idea(source="nobody"), "There is no source 'nobody'."),
    (
        idea(pos="None", contexts=("Nowhere",)),
        "There is no 'None' in the list POS (in pos). There is no 'Nowhere' in the list CTX (in contexts).",
    ),
    (idea(contexts=("Nowhere",)), "There is no 'Nowhere' in the list CTX (in contexts)."),
    (idea(relations=(RelationRecord("Antonym", "sample:new"),)), "An idea cannot be related to itself."),
    (
        idea(relations=(RelationRecord("Antonym", "nothing"),)),
        "'nothing' is not the name of an idea: write its source, a colon and its key.",
    ),
    (
        idea(relations=(RelationRecord("Antonym", "sample:nothing"),)),
        "The idea is related to one that does not exist: sample:nothing.",
    ),
    (
        CardSetRecord("sample", "new", "New", "as", "en", cards=(CardRecord("a", "b", idea="sample:nothing"),)),
        "A card names an idea that does not exist: sample:nothing.",
    ),
    (PhraseRecord("sample", "new", "as", "x" * 501, "Other"), "`text` must have from 1 to 500 characters."),
    (ListItemRecord("CTX", 99, "New", parent=98), "The parent of this list item does not exist."),
    *(
        (
            SourceRecord("mine", "Mine", "CC0", url=url),
            "The URL of a source begins with http:// or https:// (in url).",
        )
        for url in ("javascript:alert(1)", "data:text/html,x", "//example.org", "https://")
    ),
]


def test_each_invalid_record_is_reported_with_its_line(dictionary: Database) -> None:
    loaded = load(dictionary, idea("good", (WordRecord("en", "good"),)), *(record for record, _ in FAULTY))

    reported = sorted((one.file, one.line, one.detail) for one in loaded.errors)
    assert reported == [("test.jsonl", line, detail) for line, (_, detail) in enumerate(FAULTY, 2)]
    assert loaded.counts["word"] == 1


def test_an_unknown_list_is_reported(database: Database) -> None:
    loaded = load(database, ListItemRecord("LANG", 1, "English"))

    assert loaded.rejected == 1
    assert loaded.errors[0].detail.startswith("There is no list 'LANG'; the lists are CTX, FJCAT,")


def test_a_replaced_list_item_keeps_its_position(dictionary: Database) -> None:
    load(dictionary, ListItemRecord("GEN", 4, "Neutral"), idea(gender="Neutral"), policy=ConflictPolicy.REPLACE)

    found = [row for row in rows(dictionary, schema.list_item, "list", "id", "value", "position") if row[0] == "GEN"]
    assert found[3] == ("GEN", 4, "Neutral", 4)


def parts_of_speech(database: Database) -> dict[str, tuple[int, str | None, str | None]]:
    """Read ID, major class and code of the parts of speech by what they are called."""
    found = rows(database, schema.list_item, "list", "value", "id", "code", "short")
    return {value: (item_id, code, short) for name, value, item_id, code, short in found if name == "POS"}


def test_a_part_of_speech_is_identified_by_its_text_and_not_its_id(
    databases: Databases, subtests: pytest.Subtests
) -> None:
    for policy in ConflictPolicy:
        with subtests.test(str(policy)), open_database(databases, load_sample) as dictionary:
            before = parts_of_speech(dictionary)

            load(
                dictionary,
                ListItemRecord("POS", 3, "Particle", "Others"),
                ListItemRecord("POS", 4, "VERB", short="X"),
                ListItemRecord("POS", 600, "Clitic", short="CLT"),
                ListItemRecord("POS", 0, "Echo", short="clt"),
                policy=policy,
            )

            verb = {"VERB": (17, "Verb", "X")} if policy is ConflictPolicy.REPLACE else {"Verb": (17, "Verb", "V")}
            new = {"Particle": (1001, "Others", None), "Clitic": (600, None, "CLT"), "Echo": (1002, None, None)}
            assert (
                parts_of_speech(dictionary)
                == {name: item for name, item in before.items() if name != "Verb"} | verb | new
            )


def test_a_part_of_speech_of_an_older_file_gets_the_code_of_its_name(database: Database) -> None:
    load(database, ListItemRecord("POS", 7, "common noun", "Noun"), ListItemRecord("POS", 8, "Particle"))

    assert parts_of_speech(database) == {"common noun": (7, "Noun", "N.com"), "Particle": (8, None, None)}


def test_languages_are_identified_by_code_and_list_items_by_value(dictionary: Database) -> None:
    loaded = load(
        dictionary,
        LanguageRecord(99, "as", None, "Other", "Other", "Latn"),
        ListItemRecord("POS", 99, "adverb"),
        idea("adverb", (WordRecord("as", "আগতে"),), pos="adverb"),
    )

    assert (loaded.rejected, loaded.counts["idea"], loaded.counts.get("language")) == (0, 1, None)


def test_an_id_in_use_is_replaced_by_the_next_free_one(dictionary: Database) -> None:
    load(
        dictionary,
        LanguageRecord(2, "xyz", None, "New", "New", "Latn"),
        LanguageRecord(0, "xyy", None, "Newer", "Newer", "Latn"),
        ListItemRecord("CTX", 1, "New context"),
        ListItemRecord("CTX", 999, "Under it", parent=1),
    )

    ids = pairs(dictionary, schema.language, "code", "id")
    parents = pairs(dictionary, schema.list_item, "value", "parent_id")
    contexts = {row[1]: row[2] for row in rows(dictionary, schema.list_item, "list", "value", "id") if row[0] == "CTX"}
    assert (ids["as"], ids["xyy"]) == (2, ids["xyz"] + 1)
    assert contexts["New context"] != 1
    assert parents["Under it"] == contexts["New context"]


def stored_fish(database: Database) -> tuple[Any, ...]:
    """Read what the policies differ in: the idea, a word of it, its definitions."""
    found = next(
        row for row in rows(database, schema.idea, "id", "external_key", "pos_id", "gender_id") if row[1] == "fish"
    )
    word = next(row for row in rows(database, schema.word, "text", "roman", "ipa") if row[0] == "মাছ")
    defined = {row[1] for row in rows(database, schema.definition, "idea_id", "text") if row[0] == found[0]}
    return (found[2], found[3], word[1:], "Lives in water." in defined, "New." in defined)


POLICIES: list[tuple[ConflictPolicy, tuple[Any, ...]]] = [
    (ConflictPolicy.KEEP, (1, None, (None, "mas"), True, False)),
    (ConflictPolicy.FILL, (1, 4, ("mas", "mas"), True, True)),
    (ConflictPolicy.REPLACE, (10, 4, ("mas", "other"), False, True)),
]


def test_the_policy_decides_over_existing_values(databases: Databases, subtests: pytest.Subtests) -> None:
    for policy, expected in POLICIES:
        with subtests.test(str(policy)), open_database(databases, load_sample) as dictionary:
            before = (WordRecord("as", "মাছ", ipa="mas"),)
            load(dictionary, idea("fish", before, definitions=(DefinitionRecord("en", "Lives in water."),)))
            word = WordRecord("as", "মাছ", roman="mas", ipa="other")
            new = idea("fish", (word,), gender="Neuter", definitions=(DefinitionRecord("en", "New."),))

            load(dictionary, new, policy=policy)

            assert stored_fish(dictionary) == expected
            assert not load(dictionary, new, policy=policy).has_changes


DEFINED = {text: DefinitionRecord("en", text) for text in ("alpha", "beta", "gamma")}
WITH_A_WORD = (WordRecord("kha", "shi"),)


def definition_words(database: Database) -> set[str]:
    """List the words by whose definition the newest idea is found."""
    newest = max(row[0] for row in rows(database, schema.idea, "id"))
    return {row[0] for row in rows(database, schema.definition_word, "key", "idea_id") if row[1] == newest}


REPLACED_DEFINITIONS: list[tuple[tuple[str, ...], set[str]]] = [
    (("gamma",), {"gamma", "জল"}),
    (("beta",), {"beta", "জল"}),
]


def test_words_of_replaced_definitions_no_longer_find_the_idea(databases: Databases, subtests: pytest.Subtests) -> None:
    for after, left in REPLACED_DEFINITIONS:
        with subtests.test(str(after)), open_database(databases, load_sample) as dictionary:
            before = (DEFINED["alpha"], DEFINED["beta"], DefinitionRecord("as", "জল"))
            load(dictionary, idea("new", WITH_A_WORD, definitions=before))

            given = idea("new", WITH_A_WORD, definitions=tuple(DEFINED[text] for text in after))
            load(dictionary, given, policy=ConflictPolicy.REPLACE)

            assert definition_words(dictionary) == left


def test_replaced_values_are_the_last_of_the_file_and_reindexed(dictionary: Database) -> None:
    load(
        dictionary,
        idea("new", WITH_A_WORD, pos="Adverb", definitions=(DEFINED["alpha"], DEFINED["beta"])),
        idea("new", WITH_A_WORD, pos="Common Noun", definitions=(DEFINED["gamma"],)),
        policy=ConflictPolicy.REPLACE,
    )

    listed = {row[1] for row in rows(dictionary, schema.word_pos, "text", "pos_id") if row[0] == "shi"}
    assert (definition_words(dictionary), listed) == ({"gamma"}, {1})


def test_a_part_of_speech_that_is_changed_or_filled_later_lists_the_idea_under_it(dictionary: Database) -> None:
    load(dictionary, idea("fish"), policy=ConflictPolicy.REPLACE)

    assert {row[1] for row in rows(dictionary, schema.word_pos, "text", "pos_id") if row[0] == "মাছ"} == {10}

    load(dictionary, idea("dark", (WordRecord("kha", "shi"),), pos=None))
    load(dictionary, idea("dark"))

    assert {row[1] for row in rows(dictionary, schema.word_pos, "text", "pos_id") if row[0] == "shi"} == {10}


@pytest.mark.thorough
def test_many_transactions_have_the_same_result_as_one(sqlite_databases: SqliteDatabases) -> None:
    stored = []
    for words_at_once in (1, None):
        with open_database(sqlite_databases, leave_empty) as database:
            steps: list[LoadResult] = []
            import_records(
                database, sample_records(), now=NOW, words_per_transaction=words_at_once, on_progress=steps.append
            )
            assert (len(steps) > 1) == bool(words_at_once)
            stored.append({table.name: rows(database, table) for table in COMPARED})

    assert stored[0] == stored[1]


COMPARED = [
    table
    for table in schema.metadata.sorted_tables
    # Pages of sounds count how often they were written; what they hold is compared whenever a database is closed.
    # What was noted as changed was so in one transaction or another.
    if table.name
    not in {
        "state",
        "history",
        "person",
        "session",
        "submission",
        "photo",
        "readable_word",
        "sound_filter",
        "sound_frame",
        "record_change",
    }
]


def test_an_interrupted_load_is_completed_by_a_second_run(dictionary: Database) -> None:
    first = idea("one", (WordRecord("kha", "shi"),), relations=(RelationRecord("Related", "sample:two"),))
    second = idea("two", (WordRecord("kha", "ar"),))
    records = [LocatedRecord("test", line, record) for line, record in enumerate((first, second), 1)]

    def interrupted() -> Iterator[LocatedRecord]:
        yield records[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_records(dictionary, interrupted(), now=LATER, words_per_transaction=1)
    loaded = import_records(dictionary, records, now=LATER, words_per_transaction=1)

    assert (loaded.counts["idea"], loaded.counts["idea_relation"]) == (1, 2)


@pytest.mark.spoils
def test_an_idea_removed_during_the_load_leaves_no_relation(dictionary: Database) -> None:
    def remove(_: LoadResult) -> None:
        with dictionary.engine.begin() as connection:
            gone = select(schema.idea.c.id).where(schema.idea.c.external_key == "gone").scalar_subquery()
            connection.execute(schema.sense.delete().where(schema.sense.c.idea_id == gone))
            connection.execute(schema.idea.delete().where(schema.idea.c.external_key == "gone"))

    before = rows(dictionary, schema.idea_relation)
    records = (
        idea("gone", (WordRecord("kha", "shi"),), relations=(RelationRecord("Related", "sample:fish"),)),
        idea("there", (WordRecord("kha", "ar"),)),
    )
    placed = [LocatedRecord("test", line, record) for line, record in enumerate(records, 1)]
    import_records(dictionary, placed, now=LATER, words_per_transaction=1, on_progress=remove)

    assert rows(dictionary, schema.idea_relation) == before


def test_foreign_keys_are_enforced_again_after_a_load(dictionary: Database) -> None:
    load(dictionary, idea("one", (WordRecord("kha", "shi"),)))

    lost = {"word_id": 10**6, "language_id": 2, "idea_id": 10**6, "position": 1, "added": NOW}
    with dictionary.engine.connect() as first, dictionary.engine.connect() as second:
        for connection in (first, second):
            with pytest.raises(IntegrityError), connection.begin():
                connection.execute(insert(schema.sense).values(lost))


@pytest.mark.thorough
def test_postgresql_loads_the_same_for_a_role_without_special_rights(
    postgresql: PostgresqlServer, postgresql_databases: PostgresqlDatabases
) -> None:
    stored = []
    with postgresql.create_plain_role() as plain:
        for user in ("postgres", plain):
            url = postgresql_databases.copy(leave_empty)
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO plain")
                connection.execute("GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO plain")
            with Database(url.replace("//postgres:", f"//{user}:")) as database:
                assert database.url.username == user
                load_sample(database)
                stored.append({table.name: rows(database, table) for table in COMPARED})
            postgresql_databases.remove(url)

    assert stored[0] == stored[1]


def test_concurrent_imports_are_rejected(dictionary: Database) -> None:
    def second() -> Iterator[LocatedRecord]:
        with Database(dictionary.url.render_as_string(hide_password=False)) as other:
            import_records(other, [], now=LATER)
        yield from ()

    with pytest.raises(ConflictError, match="Another import"):
        import_records(dictionary, second(), now=LATER)


def test_meanings_keep_the_numbers_and_sources_of_the_file(dictionary: Database) -> None:
    load(
        dictionary,
        SourceRecord("other", "Other", "CC0-1.0"),
        idea("one", (WordRecord("kha", "shi", position=2, source="other"),)),
        idea("two", (WordRecord("kha", "shi", position=1),)),
    )

    sources = pairs(dictionary, schema.source, "code", "id")
    assert rows(dictionary, schema.sense, "position", "source_id")[-2:] == [
        (2, sources["other"]),
        (1, sources["sample"]),
    ]


def test_text_is_normalized_in_unicode_form_and_white_space_only(dictionary: Database) -> None:
    load(dictionary, idea("form", (WordRecord("as", "  ড\u09bc  ক "),)))

    assert rows(dictionary, schema.word, "text")[-1] == ("ড\u09bc ক",)


@pytest.mark.spoils
def test_ids_continue_after_a_load(dictionary: Database) -> None:
    load(dictionary, idea("one", (WordRecord("kha", "shi"),)))
    last = rows(dictionary, schema.word, "id")[-1][0]
    with dictionary.engine.begin() as connection:
        connection.execute(schema.near_key.delete())
        connection.execute(schema.word_pos.delete())
        connection.execute(schema.sense.delete())
        connection.execute(schema.word.delete().where(schema.word.c.id == last))

    load(dictionary, idea("two", (WordRecord("kha", "ar"),)))

    assert rows(dictionary, schema.word, "id", "text")[-1] == (int(str(last)) + 1, "ar")


def test_an_aborted_load_leaves_nothing(dictionary: Database) -> None:
    def broken() -> object:
        yield LocatedRecord("test", 1, idea("one", (WordRecord("kha", "shi"),)))
        raise KeyboardInterrupt

    before = count(dictionary, schema.idea)
    with pytest.raises(KeyboardInterrupt):
        import_records(dictionary, broken(), now=LATER)  # type: ignore[arg-type]

    assert count(dictionary, schema.idea) == before
    assert load(dictionary, idea("one", (WordRecord("kha", "shi"),))).counts["idea"] == 1


INDEXES = "SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name"
MADE_LAST = "SELECT name FROM sqlite_master ORDER BY rowid DESC LIMIT 1"


@pytest.mark.no_cover
def test_a_large_load_restores_every_index(sqlite_databases: SqliteDatabases, monkeypatch: pytest.MonkeyPatch) -> None:
    large, batch = 2_000, 500
    monkeypatch.setattr("abhidhan.exchange.store.loading.index_rebuild.LARGE_LOAD_WORDS", large)
    for module in ("bulk_load", "batches"):
        monkeypatch.setattr(f"abhidhan.exchange.store.loading.{module}.BATCH_WORDS", batch)
    with open_database(sqlite_databases, load_sample) as database:
        with database.engine.begin() as connection:
            before = connection.execute(text(INDEXES)).all()
            last = connection.execute(text(MADE_LAST)).scalar()
        words = large + 2 * batch

        loaded = load(database, *(idea(f"n{n}", (WordRecord("en", f"word{n}"),)) for n in range(words)))

        with database.engine.begin() as connection:
            assert connection.execute(text(INDEXES)).all() == before
            assert last != connection.execute(text(MADE_LAST)).scalar() in {name for name, _ in before}
            assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"
        assert loaded.counts["word"] == words


def test_differences_of_a_repeated_word_are_kept_in_its_note(dictionary: Database) -> None:
    first = WordRecord("en", "twofold", roman="a", note="first")
    second = WordRecord("en", "twofold", roman="b", ipa="tu", note="second")

    load(dictionary, idea("twofold", (first, second)))

    with dictionary.engine.begin() as connection:
        joined = schema.word.join(schema.sense, schema.sense.c.word_id == schema.word.c.id)
        columns = (schema.word.c.roman, schema.word.c.ipa, schema.sense.c.note)
        found = connection.execute(select(*columns).select_from(joined).where(schema.word.c.text == "twofold")).all()
    assert [tuple(row) for row in found] == [("a", "tu", "first; second; roman: b")]
