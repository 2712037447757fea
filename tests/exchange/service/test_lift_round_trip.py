"""An imported LIFT file is exported unchanged, except where people have edited records."""

import zipfile
from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

import pytest
from defusedxml.ElementTree import fromstring
from sqlalchemy import Table, select

from abhidhan import schema
from abhidhan.exchange.service.exporting import export
from abhidhan.exchange.service.importing import ImportReport, ImportRequest, import_files
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.lift import stored_entries
from abhidhan.platform.database.database import Database
from tests.support.databases import SqliteDatabases, leave_empty, open_database
from tests.support.edits import change_record, remove_record
from tests.support.importing import SOURCE
from tests.support.sample import NOW

ENTRY, SENSE, FIRE = (f"0f2e1d3c-1111-4aaa-8bbb-00000000000{number}" for number in range(3))


def form(text: str, lang: str = "en") -> str:
    return f'<form lang="{lang}"><text>{text}</text></form>'


DOMAINS = "".join(
    f'<trait name="semantic-domain-ddp4" value="{one}.{two} Of a project"/>'
    for one, two in ((one, two) for one in range(1, 10) for two in range(1, 57))
)
UNKNOWN = (
    f'<trait name="x-trait" value="v"><annotation name="sure" value="0.5" who="me" when="2020-01-01"/></trait>'
    f'<field type="x-field" dateCreated="2001-01-01">{form("kept")}<trait name="x-inner" value="w"/></field>'
)
REVERSAL = f'<reversal type="en">{form("brook")}<main>{form("water")}<grammatical-info value="n"/></main></reversal>'

ENTRIES = f"""<entry id="lang_{ENTRY}" guid="{ENTRY}" order="2" dateCreated="2015-06-19T08:46:53Z"
 dateModified="2019-10-07T12:41:53Z"><lexical-unit>{form("lang", "mjw")}{form("laŋ", "mjw-fonipa")}</lexical-unit>
<trait name="morph-type" value="bound root"/>{UNKNOWN}
<pronunciation>{form("laŋ", "mjw-fonipa")}<media href="lang.wav"/></pronunciation>
<etymology type="proto" source="Proto-Karbi">{form("*laŋ", "x-proto")}
<gloss lang="en"><text>water</text></gloss></etymology>
<sense id="{SENSE}" order="0" dateCreated="2016-01-01T00:00:00Z"><grammatical-info value="Hydronym">
<trait name="slot" value="first"/></grammatical-info><gloss lang="en"><text>water|river_water</text></gloss>
<gloss lang="as"><text>পানী<span class="old" lang="as">য়ে</span></text></gloss>
<definition>{form("What falls as rain.")}</definition>
<example source="T 12">{form("Lang jun.", "mjw")}
<translation type="Literal">{form("Water drink.")}</translation></example>
<note type="anthropology">{form("Holy.")}</note><note>{form("Common.")}</note>{UNKNOWN}{REVERSAL}{DOMAINS}
<relation type="Calendar" ref="me_2" order="3"/><illustration href="lang.jpg"/>
<subsense id="no-guid"><gloss lang="en"><text>drink</text></gloss>{UNKNOWN}</subsense></sense>
<sense id="glossless"><grammatical-info value="Noun"/>{REVERSAL}</sense></entry>
<entry id="me_2"><lexical-unit>{form("me", "mjw")}</lexical-unit>
<sense id="fire"><gloss lang="en"><text>fire</text></gloss>{UNKNOWN}</sense></entry>
<entry id="lonely"><lexical-unit>{form("lonely", "mjw")}</lexical-unit>{UNKNOWN}</entry>
<entry id="laang"><lexical-unit>{form("laang", "mjw")}</lexical-unit>
<relation type="_component-lexeme" ref="lang_{ENTRY}">
<trait name="variant-type" value="Dialectal Variant"/></relation></entry>
<entry guid="{FIRE}" id="x_{FIRE}" dateDeleted="1999-03-02T15:35:47+05:00"/>
"""
RANGE = (
    f'<range id="{{0}}"><range-element id="mine" guid="{FIRE}"><label>{form("Mine")}</label></range-element></range>'
)
LIFT = (
    f'<lift version="0.13" producer="SIL.FLEx 9"><header><ranges>{RANGE.format("status")}'
    '<range id="grammatical-info" href="k.lift-ranges"/></ranges>'
    f'<fields><field tag="x-field">{form("Ours")}</field></fields></header>'
    f"{ENTRIES}</lift>"
)
RANGES = f"<lift-ranges>{RANGE.format('grammatical-info')}{RANGE.format('x-list')}</lift-ranges>"


def import_lift(database: Database, *files: Path, options: ImportOptions) -> ImportReport:
    return import_files(database, ImportRequest("lift", files, options), now=NOW, on_progress=lambda _: None)


def import_project(database: Database, folder: Path, content: str = LIFT) -> ImportReport:
    (folder / "k.lift").write_text(content, "utf-8")
    (folder / "k.lift-ranges").write_text(RANGES, "utf-8")
    return import_lift(database, folder / "k.lift", folder / "k.lift-ranges", options=ImportOptions(source=SOURCE))


def ids(database: Database, table: Table, **wanted: object) -> list[int]:
    chosen = select(table.c.id).where(*(table.c[name] == value for name, value in wanted.items()))
    with database.engine.begin() as connection:
        return list(connection.execute(chosen).scalars())


def find_word(database: Database, text: str) -> int:
    return ids(database, schema.word, text=text)[0]


def find_idea(database: Database, text: str) -> int:
    chosen = select(schema.sense.c.idea_id).where(schema.sense.c.word_id == find_word(database, text))
    with database.engine.begin() as connection:
        return int(connection.execute(chosen).scalars().one())


def export_lift(database: Database, file: Path) -> tuple[Element, Element]:
    """Export, and return the dictionary and its ranges."""
    export(database, "lift", file)
    with zipfile.ZipFile(file) as made:
        return fromstring(made.read("abhidhan.lift")), fromstring(made.read("abhidhan.lift-ranges"))


def normalize_entry(entry: Element) -> str:
    """Write an entry without what the export has added."""
    for parent in list(entry.iter()):
        for child in list(parent):
            if child.tag == "trait" and child.get("name") in {"abhidhan-source", "abhidhan-key"}:
                parent.remove(child)
    for one in entry.iter():
        one.tail = (one.tail or "").strip()
        one.text = (one.text or "").strip()
    return tostring(entry, encoding="unicode")


def by_id(entries: Iterable[Element]) -> dict[str, str]:
    return {one.get("id", ""): normalize_entry(one) for one in entries}


def test_no_element_of_a_file_is_lost_or_changed_in_a_round_trip(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    came = by_id(fromstring(LIFT).iter("entry"))
    with (
        open_database(sqlite_databases, leave_empty) as database,
        open_database(sqlite_databases, leave_empty) as other,
    ):
        report = import_project(database, tmp_path)
        first, ranges = export_lift(database, tmp_path / "a.zip")
        again = import_lift(other, tmp_path / "a.zip", options=ImportOptions())
        second, ranges_again = export_lift(other, tmp_path / "b.zip")

    assert [one.example.field for one in report.lost_fields] == ["lift@producer"]
    assert [one.detail.partition(".")[0] for one in report.loaded.errors] == [
        "The sense has no meaning",
        "The entry has no sense, and is not a variant of another one",
    ]
    assert again.lost_fields == ()
    for root, listed in ((first, ranges), (second, ranges_again)):
        written = by_id(root.iter("entry"))
        assert {name: written.get(name) for name in came} == came
        assert root.find("header/fields/field[@tag='x-field']") is not None
        assert root.find("header/ranges/range[@id='status']/range-element[@guid]") is not None
        assert [one.get("id") for one in listed.iterfind("range/range-element[@guid]")] == ["mine", "mine"]
    assert len(by_id(second.iter("entry"))) == len(by_id(first.iter("entry")))


def test_only_edited_elements_of_an_imported_file_change(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    with open_database(sqlite_databases, leave_empty) as database:
        import_project(database, tmp_path)
        water, drink = (find_idea(database, text) for text in ("water", "drink"))
        change_record(database, "word", find_word(database, "water"), text="waters")
        change_record(database, "word", find_word(database, "lang"), ipa="la")
        change_record(database, "idea", water, pos_id=1, examples=())
        (of_water,) = ids(database, schema.sense, idea_id=water, word_id=find_word(database, "lang"))
        change_record(database, "sense", of_water, note="Rare.")
        change_record(database, "idea", find_idea(database, "fire"), contexts=(1,), definitions=((1, "What burns."),))
        for sense_id in ids(database, schema.sense, idea_id=drink):
            remove_record(database, "sense", sense_id)
        remove_record(database, "idea", drink)
        import_project(database, tmp_path)
        root, _ = export_lift(database, tmp_path / "a.zip")

    (entry,) = root.findall(f"entry[@guid='{ENTRY}']")
    sense = entry.find("sense")
    assert sense is not None
    assert [one.findtext("text") for one in sense.findall("gloss[@lang='en']")] == ["waters", "river water"]
    assert sense.find("gloss[@lang='as']/text/span") is not None
    assert [one.get("lang") for one in entry.findall("pronunciation/form")] == ["mjw-fonipa"]
    assert entry.findtext("pronunciation/form/text") == "la"
    assert entry.find("pronunciation/media") is not None
    assert [one.get("value") for one in sense.findall("grammatical-info")] != ["Hydronym"]
    assert sense.findall("example") == []
    assert sense.findall("subsense") == []
    assert len(sense.findall("trait[@name='semantic-domain-ddp4']")) == DOMAINS.count("<trait")
    assert sense.find("reversal/main/grammatical-info") is not None
    assert [one.findtext("form/text") for one in sense.findall("note")] == ["Holy.", "Rare."]
    (fire,) = root.findall("entry[@id='me_2']/sense")
    assert fire.find("trait[@name='domain-type']") is not None
    assert fire.findtext("definition/form/text") == "What burns."
    assert [one.findtext("text") for one in fire.findall("gloss")] == ["fire"]
    assert entry.get("dateModified", "") > "2019-10-07T12:41:53Z"


def test_the_unstored_values_of_a_too_long_entry_are_reported(
    dictionary: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_entries, "MAX_ENTRY_LENGTH", 1_000)

    report = import_project(dictionary, tmp_path)

    lost = {one.example.field for one in report.lost_fields}
    assert "entry/sense/trait[x-trait]@value" in lost
    assert "entry/etymology/form@lang" in lost
