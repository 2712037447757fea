import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import func, select

from abhidhan import schema
from abhidhan.dictionary.store.acceleration import idea_cache
from abhidhan.exchange.model import OnStep, Phase
from abhidhan.exchange.service.bundled_data import initialise_empty, load_lists, load_starter, read_starter_records
from abhidhan.exchange.service.importing import ImportRequest, import_files, import_records
from abhidhan.exchange.store.dump import dump_records
from abhidhan.exchange.store.loading.load_context import LoadResult
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.jsonl import encode_line
from abhidhan.platform.database.database import Database
from abhidhan.records.errors import ConflictError
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import IdeaRecord, LanguageRecord, ListItemRecord, PhraseRecord, SourceRecord, WordRecord
from abhidhan.records.lookup_lists import ListName
from tests.support.databases import Databases, leave_empty, load_sample, open_database
from tests.support.sample import NOW


def test_the_starter_dictionary_is_loaded_whole_and_only_once(database: Database) -> None:
    loaded = load_starter(database, now=NOW)

    assert loaded is not None
    assert loaded.errors == ()
    assert loaded.counts["idea"] > 1_000
    version = database.version_now()
    assert load_starter(database, now=NOW) is None
    assert database.version_now() == version


def test_an_existing_dictionary_is_neither_initialised_nor_given_the_starter(dictionary: Database) -> None:
    assert load_starter(dictionary, now=NOW) is None

    with pytest.raises(ConflictError, match="already"):
        initialise_empty(dictionary)

    assert dictionary.read_now(lambda reader: reader.catalogue.languages)


def test_a_dictionary_initialised_empty_does_not_get_the_starter(database: Database) -> None:
    initialise_empty(database)
    initialise_empty(database)

    assert load_starter(database, now=NOW) is None
    assert database.read_now(lambda reader: list(dump_records(reader))) == []


def test_an_empty_dictionary_gets_the_built_in_languages_and_lists_if_a_file_has_none(
    database: Database, tmp_path: Path
) -> None:
    initialise_empty(database)
    file = tmp_path / "words.jsonl"
    idea = IdeaRecord("s", "k", "Common Noun", (WordRecord("as", "পানী"),))
    file.write_bytes(encode_line(SourceRecord("s", "S", "CC0-1.0")) + encode_line(idea))

    loaded = import_files(database, ImportRequest("jsonl", (file,)), now=NOW, on_progress=lambda _: None).loaded

    assert loaded.rejected == 0
    assert database.read_now(lambda reader: reader.catalogue.find_item(ListName.PARTS_OF_SPEECH, "Common Noun"))
    assert load_lists(database, now=NOW) is None


def test_the_built_in_lists_are_not_added_to_a_file_with_its_own(database: Database, tmp_path: Path) -> None:
    initialise_empty(database)
    file = tmp_path / "words.jsonl"
    file.write_bytes(encode_line(LanguageRecord(7, "brx", "brx", "Bodo", "बर'", "Deva", "ltr")))

    import_files(database, ImportRequest("jsonl", (file,)), now=NOW, on_progress=lambda _: None)

    catalogue = database.read_now(lambda reader: reader.catalogue)
    assert ([one.code for one in catalogue.languages], list(catalogue.items)) == (["brx"], [])


BODO = LanguageRecord(7, "brx", "brx", "Bodo", "बर'", "Deva", "ltr")


def test_parts_of_speech_of_an_older_file_get_codes_and_the_new_ones_are_added(
    database: Database, tmp_path: Path
) -> None:
    initialise_empty(database)
    file = tmp_path / "words.jsonl"
    older = (
        BODO,
        ListItemRecord("POS", 1, "Common Noun", "Noun"),
        ListItemRecord("POS", 16, "Particle", "Others"),
        ListItemRecord("POS", 20, "verb"),
        ListItemRecord("VRT", 1, "Rare", "rare"),
    )
    file.write_bytes(b"".join(encode_line(record) for record in older))

    import_files(database, ImportRequest("jsonl", (file,)), now=NOW, on_progress=lambda _: None)

    items = database.read_now(lambda reader: reader.catalogue.list_items(ListName.PARTS_OF_SPEECH))
    parts_of_speech = {item.value: (item.id, item.short) for item in items}
    assert len(parts_of_speech) == 23
    assert parts_of_speech["Common Noun"] == (1, "N.com")
    assert parts_of_speech["Particle"] == (16, None)
    assert parts_of_speech["verb"] == (20, "V")
    assert parts_of_speech["Proper Noun"] == (2, "N.pro")
    assert parts_of_speech["Noun"][0] > 1000 < parts_of_speech["Suffix"][0]
    assert parts_of_speech["Unassigned"] == (22, "U")


def test_parts_of_speech_keep_their_ids_and_codes_in_a_file(databases: Databases, tmp_path: Path) -> None:
    own = (ListItemRecord("POS", 0, "Particle", "Others", short="PTC"), ListItemRecord("POS", 0, "Clitic"))
    with open_database(databases, load_sample) as there, open_database(databases, leave_empty) as here:
        import_records(there, (LocatedRecord("own", 1, one) for one in own), now=NOW)
        before = there.read_now(lambda reader: [*dump_records(reader)])
        file = tmp_path / "all.jsonl"
        file.write_bytes(b"".join(map(encode_line, before)))
        initialise_empty(here)
        import_files(here, ImportRequest("jsonl", (file,)), now=NOW, on_progress=lambda _: None)

        assert here.read_now(lambda reader: [*dump_records(reader)]) == before
        assert b'"id":1001,"value":"Particle","code":"Others","short":"PTC"}' in file.read_bytes()


def test_every_packaged_line_is_a_record_with_a_unique_name() -> None:
    assert [str(found) for found in read_starter_records() if isinstance(found, RecordError)] == []

    names = Counter(
        (found.record.source, found.record.key)
        for found in read_starter_records()
        if isinstance(found, LocatedRecord) and isinstance(found.record, IdeaRecord)
    )

    assert [name for name, times in names.items() if times > 1] == []


def test_a_changing_import_raises_the_data_version_once(dictionary: Database) -> None:
    before = dictionary.version_now()
    records = [LocatedRecord("a", 1, SourceRecord("new", "New", "CC0-1.0"))]

    assert import_records(dictionary, records, now=NOW).has_changes
    assert not import_records(dictionary, records, now=NOW).has_changes

    assert dictionary.version_now() == before + 1


def test_faults_are_reported_and_in_the_history_and_the_rest_is_imported(database: Database) -> None:
    fault = RecordError("a", 1, "The line is not JSON.")
    records: list[LocatedRecord | RecordError] = [fault, LocatedRecord("a", 2, SourceRecord("new", "New", "CC0-1.0"))]

    loaded = import_records(database, records, now=NOW)

    assert (loaded.errors, loaded.rejected, loaded.counts["source"]) == ((fault,), 1, 1)
    with database.engine.begin() as connection:
        assert connection.execute(select(func.count()).select_from(schema.history)).scalar_one() == 1
        after = json.loads(connection.execute(select(schema.history.c.after)).scalar_one())
    assert after == {"counts": {"source": 1}, "rejected": 1, "sources": ["new"]}


def test_a_dry_run_caches_nothing(dictionary: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is thrown away again is not cached first, which takes a third of the time of an import."""
    filled: list[object] = []
    monkeypatch.setattr(idea_cache, "fill", lambda connection, _: filled.append(connection))
    file = tmp_path / "words.csv"
    file.write_text("language,word,definition\nas,নতুনশব্দ,a new word\n")
    source = SourceRecord("own", "Own", "CC0-1.0")
    wanted = ImportRequest("csv", (file,), ImportOptions(source=source), dry_run=True)

    assert import_files(dictionary, wanted, now=NOW, on_progress=lambda _: None).loaded.has_changes
    assert filled == []

    import_files(dictionary, replace(wanted, dry_run=False), now=NOW, on_progress=lambda _: None)
    assert len(filled) == 1


def test_a_dry_run_reports_everything_stores_nothing_and_lets_others_write(
    dictionary: Database, tmp_path: Path
) -> None:
    file = tmp_path / "some.csv"
    file.write_text("key,language,word\n1,as,পানী\n2,as,মেঘগৰ্জন\n3,gd,uisge\n4,zzz9,x\n", "utf-8")
    source = SourceRecord("new", "New", "CC0-1.0")
    wanted = ImportRequest("csv", (file,), ImportOptions(source=source), dry_run=True)
    versions = []

    def write_meanwhile(_: LoadResult) -> None:
        dictionary.write_now(lambda _: None)
        versions.append(dictionary.version_now())

    with dictionary.snapshot() as reader:
        before = list(dump_records(reader))
    report = import_files(dictionary, wanted, now=NOW, on_progress=write_meanwhile)

    assert report.loaded.counts["idea"] == 3
    assert report.loaded.counts["word"] == 2
    assert [language.code for language in report.new_languages] == ["gd"]
    assert report.loaded.rejected == 1
    assert len(versions) == 1
    with dictionary.snapshot() as reader:
        assert list(dump_records(reader)) == before
    assert import_files(
        dictionary, replace(wanted, dry_run=False), now=NOW, on_progress=lambda _: None
    ).loaded.has_changes
    assert list(tmp_path.glob(".abhidhan-*")) == []


def test_unchanged_and_extended_records_are_counted(dictionary: Database) -> None:
    galician = LanguageRecord(0, "gl", "glg", "Galician", "galego", "Latn")
    water = IdeaRecord("sample", "water", None, (WordRecord("gl", "auga"),))
    phrase = PhraseRecord("sample", "new", "as", "এটা নতুন যোজনা", "Other")
    records: list[LocatedRecord | RecordError] = [
        LocatedRecord("a", 1, galician),
        LocatedRecord("a", 2, water),
        LocatedRecord("a", 3, phrase),
    ]

    first = import_records(dictionary, records, now=NOW)
    second = import_records(dictionary, records, now=NOW)

    assert (first.extended, first.unchanged) == (1, 0)
    assert (second.extended, second.unchanged, second.has_changes) == (0, 2, False)


def test_an_import_reports_the_progress_of_each_phase(dictionary: Database, tmp_path: Path) -> None:
    file = tmp_path / "en_as.tsv.gz"
    file.write_bytes(gzip.compress(b"".join(b"w%d\t\xe0\xa6\x95%d\n" % (number, number) for number in range(3000))))
    begun: list[tuple[Phase, int | None]] = []
    steps: Counter[Phase] = Counter()

    def on_phase(phase: Phase, total: int | None) -> OnStep:
        begun.append((phase, total))
        return lambda count: steps.update({phase: count})

    wanted = ImportRequest(
        "pairs", (file,), ImportOptions(source=SourceRecord("p", "P", "CC0-1.0")), words_per_transaction=1000
    )
    report = import_files(dictionary, wanted, now=NOW, on_phase=on_phase, on_progress=lambda _: None)

    size = file.stat().st_size
    assert report.loaded.counts["idea"] == 3000
    assert begun[:3] == [(Phase.CHECKING, size), (Phase.READING, size), (Phase.LINKING, None)]
    assert [phase for phase, _ in begun[3:]] == [Phase.IDEA_CACHE, Phase.SOUND_INDEX, Phase.PREFIX_LISTS]
    assert (steps[Phase.CHECKING], steps[Phase.READING]) == (size, size)
    assert steps[Phase.IDEA_CACHE] >= 3000
    assert begun[3][1] == steps[Phase.IDEA_CACHE]
