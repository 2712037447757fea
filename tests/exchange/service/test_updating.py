"""The second import: a newer file updates what an older one brought, and what people did since stays and is named."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import insert

from abhidhan import schema
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.importing import ImportReport, ImportRequest, import_files
from abhidhan.exchange.service.restoring import restore_import
from abhidhan.exchange.store.dump import dump_records
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.jsonl import encode_line
from abhidhan.platform.database.database import Database
from abhidhan.records.history import RecordRef
from abhidhan.records.kinds import (
    CardRecord,
    CardSetRecord,
    DefinitionRecord,
    ExampleRecord,
    IdeaRecord,
    PhraseRecord,
    Record,
    RelationRecord,
    SourceRecord,
    WordRecord,
)
from abhidhan.records.submission_payloads import DefinitionData, ExampleText, IdeaChanges, WordChanges, WordData
from tests.support.arbitrary_edits import EDITOR, run
from tests.support.databases import Databases, load_sample, open_database
from tests.support.sample import NOW

HILLS = SourceRecord("hills", "Hills", "CC0-1.0")
ENTRY, SENSE, NEW_SENSE = (f"5a5a5a5a-2222-4ccc-9ddd-00000000000{number}" for number in range(3))
GONE, GONE_SENSE = (f"5a5a5a5a-2222-4ccc-9ddd-00000000001{number}" for number in range(2))


class Messages(list[str]):
    """The lines of a report."""

    def add(self, line: object) -> None:
        """Take a line."""
        self.append(str(line))


def import_as(
    database: Database, form: str, *files: Path, messages: Messages | None = None, **how: bool
) -> ImportReport:
    heard = Messages() if messages is None else messages
    options = ImportOptions(source=None if form == "jsonl" else HILLS)
    return import_files(
        database,
        ImportRequest(form, files, options, **how),  # type: ignore[arg-type]  # each is an option
        now=NOW + 9,
        on_progress=lambda _: None,
        on_reject=heard.add,
        on_report=heard.add,
        on_lost=heard.add,
    )


def write_and_import(
    database: Database, folder: Path, *records: Record, messages: Messages | None = None, **how: bool
) -> ImportReport:
    file = folder / "records.jsonl"
    file.write_bytes(b"".join(map(encode_line, (HILLS, *records))))
    return import_as(database, "jsonl", file, messages=messages, **how)


def stored(database: Database, source: str = "hills") -> dict[str, Record]:
    found = database.read_now(lambda reader: list(dump_records(reader)))
    return {one.key: one for one in found if getattr(one, "source", None) == source}  # type: ignore[union-attr]


def idea(database: Database, key: str) -> IdeaRecord:
    record = stored(database)[key]
    assert isinstance(record, IdeaRecord)
    return record


def texts(record: IdeaRecord, language: str) -> set[str]:
    return {word.text for word in record.words if word.language == language}


def find_id(database: Database, kind: str, **wanted: object) -> int:
    table = schema.metadata.tables[kind]
    with database.engine.begin() as connection:
        rows = connection.execute(table.select()).mappings().all()
    return next(int(row["id"]) for row in rows if all(row[name] == value for name, value in wanted.items()))


def change(database: Database, kind: str, number: int, changes: WordChanges | IdeaChanges) -> None:
    editing, name = Editing(database), RecordRef(kind, str(number))
    run(editing.change(EDITOR, name, run(editing.read(EDITOR, name)).version, changes))


# --- the second export of a project, in each format -------------------------------------------------------------------


def lift(folder: Path, *, newer: bool) -> None:
    more = f'<sense id="{NEW_SENSE}"><gloss lang="en"><text>flow</text></gloss></sense>' if newer else ""
    gone = (
        f'<entry guid="{GONE}" id="x_{GONE}" dateDeleted="2026-01-01T00:00:00Z"/>'
        if newer
        else f'<entry guid="{GONE}" id="x_{GONE}"><lexical-unit><form lang="mjw"><text>mek</text></form></lexical-unit>'
        f'<sense id="{GONE_SENSE}"><gloss lang="en"><text>fire</text></gloss></sense></entry>'
    )
    gloss = "spring" if newer else "water"
    (folder / "karbi.lift").write_text(
        f'<lift version="0.13"><entry guid="{ENTRY}" id="lang_{ENTRY}"><lexical-unit><form lang="mjw"><text>lang</text>'
        f'</form></lexical-unit><sense id="{SENSE}"><gloss lang="en"><text>{gloss}</text></gloss></sense>{more}</entry>'
        f"{gone}</lift>",
        "utf-8",
    )


def table(folder: Path, *, newer: bool) -> None:
    rows = [["key", "word:mjw", "word:en"], ["1", "lang", "spring" if newer else "water"], ["2", "mek", "fire"]]
    with (folder / "words.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([*rows[:2], ["3", "lang", "flow"]] if newer else rows)


def cldf(folder: Path, *, newer: bool) -> None:
    (folder / "cldf-metadata.json").write_text(
        '{"rdf:ID": "hills", "dc:title": "Hills", "dc:license": "CC0-1.0", "tables": ['
        '{"url": "entries.csv", "dc:conformsTo": "http://cldf.clld.org/v1.0/terms.rdf#EntryTable"},'
        '{"url": "senses.csv", "dc:conformsTo": "http://cldf.clld.org/v1.0/terms.rdf#SenseTable"}]}'
    )
    (folder / "languages.csv").write_text("ID,Name,ISO639P3code\nk,Karbi,mjw\n")
    (folder / "entries.csv").write_text("ID,Language_ID,Headword\n1,k,lang\n2,k,mek\n")
    senses = "1,1,spring\n3,1,flow\n" if newer else "1,1,water\n2,2,fire\n"
    (folder / "senses.csv").write_text(f"ID,Entry_ID,Description\n{senses}")


FORMATS: Final[dict[str, Callable[..., None]]] = {"lift": lift, "csv": table, "cldf": cldf}


def test_a_newer_export_replaces_glosses_and_adds_senses(
    databases: Databases, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for form, write in FORMATS.items():
        with subtests.test(form), open_database(databases, load_sample) as dictionary:
            folder = tmp_path / form
            folder.mkdir()
            write(folder, newer=False)
            import_as(dictionary, form, folder)
            older = stored(dictionary)
            write(folder, newer=True)
            import_as(dictionary, form, folder)
            newer = stored(dictionary)
            version = dictionary.version_now()
            again = import_as(dictionary, form, folder)

            english = {text for each in newer for text in texts(idea(dictionary, each), "en")}
            assert english == {"spring", "flow"} | (set() if form == "lift" else {"fire"})
            assert len(newer.keys() - older.keys()) == 1
            assert len(older.keys() - newer.keys()) == (1 if form == "lift" else 0)
            assert (again.loaded.has_changes, dictionary.version_now()) == (False, version)


# --- what stays, and what goes ----------------------------------------------------------------------------------------

WATER = IdeaRecord(
    "hills",
    "lang",
    "Common Noun",
    (WordRecord("mjw", "lang", roman="lang", note="old"), WordRecord("en", "water")),
    gender="Neuter",
    definitions=(DefinitionRecord("en", "Wet."),),
    examples=(ExampleRecord("mjw", "Lang jun.", "Drink."),),
)
NEW_WATER = IdeaRecord(
    "hills",
    "lang",
    "Material Noun",
    (WordRecord("mjw", "lang", roman="laang", note="new"), WordRecord("en", "spring")),
    gender="Neuter",
    definitions=(DefinitionRecord("en", "A clear liquid."),),
    examples=(ExampleRecord("mjw", "Lang jun.", "Drink water."),),
)
PROVERB = PhraseRecord("hills", "p", "mjw", "Lang so.", "Other", "Old.")
CARDS = CardSetRecord("hills", "c", "Cards", "mjw", "en", None, (CardRecord("lang", "water", idea="hills:lang"),))
FIRE = IdeaRecord("hills", "fire", "Common Noun", (WordRecord("mjw", "mek"), WordRecord("en", "wildfire")))


def test_every_field_gets_the_value_of_the_newer_file(dictionary: Database, tmp_path: Path) -> None:
    newer = (
        NEW_WATER,
        PhraseRecord("hills", "p", "mjw", "Lang soso.", "Other", "New."),
        CardSetRecord("hills", "c", "Cards", "mjw", "en", "Said.", (CardRecord("lang", "spring", idea="hills:lang"),)),
    )
    write_and_import(dictionary, tmp_path, WATER, PROVERB, CARDS)
    messages = Messages()
    report = write_and_import(dictionary, tmp_path, *newer, messages=messages)
    with_it = stored(dictionary)
    write_and_import(dictionary, tmp_path, WATER, PROVERB, CARDS)

    water = with_it["lang"]
    assert isinstance(water, IdeaRecord)
    assert (water.pos, water.definitions, water.examples) == (
        "Material Noun",
        NEW_WATER.definitions,
        NEW_WATER.examples,
    )
    assert {(word.text, word.roman, word.note) for word in water.words} == {
        ("lang", "laang", "new"),
        ("spring", None, None),
    }
    assert with_it["p"] == PhraseRecord("hills", "p", "mjw", "Lang soso.", "Other", "New.", added=NOW + 9)
    assert with_it["c"] == newer[2]
    assert (report.update_counts.kept, report.lost_fields) == (0, ())
    assert "idea hills:lang has changed: pos." in messages
    # The older file is the newer one now: it is the file that was brought last.
    assert texts(idea(dictionary, "lang"), "en") == {"water"}


def test_fields_edited_by_people_stay_and_are_reported(dictionary: Database, tmp_path: Path) -> None:
    write_and_import(dictionary, tmp_path, WATER)
    number = find_id(dictionary, "idea", external_key="lang")
    change(dictionary, "word", find_id(dictionary, "word", text="lang"), WordChanges(roman="lāng"))
    edited = IdeaChanges(
        pos="Adverb",
        definitions=(DefinitionData("en", "By an editor."),),
        examples=(ExampleText("mjw", "Lang jun.", "By an editor."),),
    )
    change(dictionary, "idea", number, edited)
    messages = Messages()
    report = write_and_import(dictionary, tmp_path, NEW_WATER, messages=messages)
    left = idea(dictionary, "lang")
    version = dictionary.version_now()
    write_and_import(dictionary, tmp_path, NEW_WATER)

    assert left.pos == "Adverb"
    assert next((word.roman, word.note) for word in left.words if word.text == "lang") == ("lāng", "new")
    assert left.definitions == (DefinitionRecord("en", "By an editor."),)
    assert left.examples == (ExampleRecord("mjw", "Lang jun.", "By an editor."),)
    assert "records.jsonl:2: idea hills:lang was kept: pos is 'Adverb' here, 'Material Noun' in the file." in messages
    assert "records.jsonl:2: word mjw lang was kept: roman is 'lāng' here, 'laang' in the file." in messages
    said = "records.jsonl:2: idea hills:lang was kept: {0} is another one here, '{1}' in the file."
    assert {said.format("definition", "A clear liquid."), said.format("translation", "Drink water.")} <= set(messages)
    assert report.update_counts.kept >= 4
    assert dictionary.version_now() == version


def test_words_of_another_source_are_not_replaced_and_the_value_is_reported(
    dictionary: Database, tmp_path: Path
) -> None:
    messages = Messages()
    given = IdeaRecord("hills", "w", "Common Noun", (WordRecord("en", "water", ipa="other"),))
    report = write_and_import(dictionary, tmp_path, given, messages=messages)

    assert idea(dictionary, "w").words[0].ipa == "ˈwɔːtə"
    assert "records.jsonl:2: The value 'other' of ipa is not kept." in messages
    assert [(field.example.field, field.count) for field in report.lost_fields] == [("ipa", 1)]


def test_a_repeated_key_keeps_the_first_value_and_reports_the_others(dictionary: Database, tmp_path: Path) -> None:
    messages = Messages()
    for _ in range(2):
        messages.clear()
        write_and_import(dictionary, tmp_path, WATER, NEW_WATER, messages=messages)
        water = idea(dictionary, "lang")
        assert (water.pos, texts(water, "en"), len(water.definitions)) == ("Common Noun", {"water", "spring"}, 2)
        lost = {line.split("The value ")[1] for line in messages if "The value" in line}
        assert {"'Material Noun' of pos is not kept.", "'laang' of roman is not kept."} <= lost
    version = dictionary.version_now()
    write_and_import(dictionary, tmp_path, WATER, NEW_WATER)
    assert dictionary.version_now() == version


def many(count: int) -> list[IdeaRecord]:
    return [IdeaRecord("hills", f"{number}", "Adverb", (WordRecord("mjw", f"kar{number}"),)) for number in range(count)]


def test_absent_records_stay_and_only_a_mirror_removes_them_as_one_import(dictionary: Database, tmp_path: Path) -> None:
    write_and_import(dictionary, tmp_path, *many(20))
    before, others = stored(dictionary), stored(dictionary, "sample")
    kept = write_and_import(dictionary, tmp_path, *many(19)).update_counts
    assert (stored(dictionary), kept.absent, kept.there) == (before, 1, 20)

    report = write_and_import(dictionary, tmp_path, *many(19), mirror=True).update_counts

    assert before.keys() - stored(dictionary).keys() == {"19"}
    assert (report.removed, stored(dictionary, "sample")) == (1, others)
    assert report.entry is not None
    assert restore_import(dictionary, report.entry, now=NOW + 9) == (1, 0)
    assert stored(dictionary) == before


def test_a_mirror_removes_words_cards_and_relations_no_longer_in_the_file(dictionary: Database, tmp_path: Path) -> None:
    wordlist = SourceRecord("wordlist", "Word list", "CC0-1.0")
    elsewhere = IdeaRecord("sample", "fish", None, (WordRecord("mjw", "ok", source="wordlist"),))
    file = tmp_path / "list.jsonl"
    lists: tuple[tuple[Record, ...], ...] = ((wordlist, elsewhere), (wordlist,))
    for listed in lists:
        file.write_bytes(b"".join(map(encode_line, listed)))
        import_as(dictionary, "jsonl", file, mirror=True, yes=True)
    fish = stored(dictionary, "sample")["fish"]
    more = CardSetRecord("hills", "c", "Cards", "mjw", "en", None, (*CARDS.cards, CardRecord("mek", "fire")))
    with_more = IdeaRecord("hills", "lang", None, (*WATER.words, WordRecord("hi", "पानी")))
    for records in ((with_more, more), (WATER, CARDS)):
        write_and_import(dictionary, tmp_path, *records, mirror=True, yes=True)

    lang, cards = idea(dictionary, "lang"), stored(dictionary)["c"]
    related = RelationRecord("Hypernym", "hills:b"), RelationRecord("Antonym", "hills:c")
    ends = [IdeaRecord("hills", key, None, (WordRecord("mjw", key),)) for key in "bc"]
    for given in (related, related[:1]):
        one = IdeaRecord("hills", "a", None, (WordRecord("mjw", "a"),), relations=given)
        report = write_and_import(dictionary, tmp_path, one, *ends, mirror=True, yes=True)
    assert idea(dictionary, "a").relations == related[:1]
    assert report.update_counts.removed == 1

    assert isinstance(fish, IdeaRecord)
    assert texts(fish, "mjw") == set()
    assert texts(lang, "hi") == set()
    assert cards == CARDS


def test_a_mirror_removes_more_than_a_tenth_only_if_confirmed_and_nothing_if_a_line_is_wrong(
    dictionary: Database, tmp_path: Path
) -> None:
    write_and_import(dictionary, tmp_path, *many(20))
    refused = write_and_import(dictionary, tmp_path, *many(17), mirror=True).update_counts
    assert (refused.refused, refused.removed, len(stored(dictionary))) == (True, 0, 20)
    tried = write_and_import(dictionary, tmp_path, *many(17), mirror=True, dry_run=True).update_counts
    assert (tried.removed, len(stored(dictionary))) == (3, 20)
    in_part = [IdeaRecord("hills", one.key, one.pos, (WordRecord("en", f"part {one.key}"),)) for one in many(20)]
    assert write_and_import(dictionary, tmp_path, *in_part, mirror=True).update_counts.refused
    assert all(texts(idea(dictionary, one.key), "mjw") for one in many(20))
    wrong = IdeaRecord("hills", "18", "Adverb", (WordRecord("mjw", "x" * 300),))
    assert write_and_import(dictionary, tmp_path, *many(17), wrong, mirror=True, yes=True).update_counts.refused

    assert write_and_import(dictionary, tmp_path, *many(17), mirror=True, yes=True).update_counts.removed == 3


@pytest.mark.spoils
def test_a_mirror_never_removes_records_that_contributions_depend_on(dictionary: Database, tmp_path: Path) -> None:
    ideas = many(8)
    write_and_import(dictionary, tmp_path, *ideas, FIRE)
    number = {one.key: find_id(dictionary, "idea", external_key=one.key) for one in ideas}
    word = {one.key: find_id(dictionary, "word", text=one.words[0].text) for one in ideas}
    depend_on(dictionary, number, word)
    run(Editing(dictionary).add_word(EDITOR, WordData("as", "কাৰবি", idea_id=number["7"])))
    messages = Messages()

    report = write_and_import(dictionary, tmp_path, FIRE, messages=messages, mirror=True, yes=True).update_counts

    assert set(stored(dictionary)) == {*number, "fire"}
    assert (report.held, report.removed) == (8, 0)
    expected = {
        "0": "a recording",
        "1": "a photo",
        "2": "a flashcard",
        "3": "an edit",
        "4": "a confirmation",
        "5": "a pending submission",
        "6": "a saved list",
        "7": "an edit",
    }
    assert {f"idea hills:{key} was kept: {what} depends on it." for key, what in expected.items()} <= set(messages)


def depend_on(database: Database, idea_of: dict[str, int], word_of: dict[str, int]) -> None:
    """Let something of a person depend on each of some ideas."""
    file = {"status": "approved", "submitted": NOW, "extension": "webp", "size": 1, "sha256": "0", "likeness": "0"}
    rows: dict[str, dict[str, Any]] = {
        "recording": file
        | {
            "word_id": word_of["0"],
            "spoken": "kar0",
            "language_id": 2,
            "key": "a",
            "milliseconds": 1,
            "clipped": 0,
        },
        "photo": file | {"idea_id": idea_of["1"], "credit": "C", "key": "a", "width": 1, "height": 1, "frames": 1},
        "card_set": {"id": 900, "name": "Own", "language_id": 2, "answer_language_id": 1},
        "card": {"card_set_id": 900, "position": 1, "clue": "a", "answer": "b", "idea_id": idea_of["2"]},
        "confirmation": {"idea_id": idea_of["4"], "confirmed": NOW},
        "submission": {
            "kind": "report",
            "payload": f'{{"kind":"report","data":{{"word_id":{word_of["5"]},"text":"wrong"}}}}',
            "status": "pending_review",
            "submitted": NOW,
        },
        "person": {"id": 1, "username": "e", "username_key": "e", "role": "editor", "created": 0},
        "own_lists": {
            "person_id": 1,
            "lists": f'[{{"id":"mine","words":[{{"id":{word_of["6"]},"at":1,"place":1.0}}]}}]',
            "version": 1,
            "changed": NOW,
        },
    }
    with database.engine.begin() as connection:
        for name, row in rows.items():
            connection.execute(insert(schema.metadata.tables[name]).values(row))
    change(database, "idea", idea_of["3"], IdeaChanges(examples=(ExampleText("mjw", "Kar.", "Karbi."),)))
