"""CLDF: each column of dictionaries and word lists, and all that metadata and works tell, is kept or reported."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from abhidhan.exchange.service.exporting import export
from abhidhan.exchange.store.dump import dump_records
from abhidhan.formats.files import open_contents
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.registry import IMPORTERS
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import ExampleRecord, IdeaRecord, SourceRecord, WordRecord
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.importing import SOURCE, read, words
from tests.support.kept_values import import_and_export

TERMS = "http://cldf.clld.org/v1.0/terms.rdf#"
DICTIONARIA = (
    *("HeadwordPDLMA", "Sources", "IndoAryan_Proto_Form", "Inflection_Class", "Morphemic_Form", "Origin", "Phonetic"),
    *("Restrictions", "Usage", "Variant_Form", "Vernacular", "1st_Person_SG", "Contains", "Etymology", "Gloss"),
    *("Gloss_Bislama", "Gloss_French", "Heterosemes", "Lovono_Equivalent", "Morphology", "Orthographic_Variant"),
    *("Paradigm_Form", "Phonetic_Form", "Plural_Form", "Reduplication_Form", "Variant_Comment", "Roman", "IPA"),
    *("Comment", "Source", "Gender", "Semantic_Domain", "Scientific_Name", "Encyclopedic_Info", "Literally"),
    *("Etymology_Source", "Infobox", "Link", "Sense_Comment", "Typical_Subject", "AssociatedTaxa"),
)
"""Columns that sets of Dictionaria have beside those of CLDF; each may be of entries or of senses."""

LANGUAGES = {"ID": "l", "ISO639P3code": "asm"} | {
    name: f"language-{name}" for name in ("Name", "Glottocode", "Macroarea", "Latitude", "Longitude", "Family", "Clade")
}
ENTRY = {"ID": "entry-ID", "Language_ID": "l", "Headword": "মাছ", "Part_Of_Speech": "n.fem", "Main_Entry": "other-entry"}
SENSE = {"ID": "sense-ID", "Entry_ID": "entry-ID", "Description": "first word, second_word", "Media_IDs": "m1"}
EXAMPLE = {"ID": "example-ID", "Language_ID": "l", "Meta_Language_ID": "l", "Sense_IDs": "sense-ID"}
FORM = {"ID": "form-ID", "Language_ID": "l", "Parameter_ID": "parameter-ID", "Form": "first-form,second-form"}


def filled(given: Mapping[str, str], table: str, *columns: str) -> dict[str, str]:
    """Write a row with a unique text in each column."""
    return {**given, **{column: f"{table}-{column}-text" for column in columns if column not in given}}


def table(*rows: Mapping[str, str]) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


TABLES: dict[str, list[dict[str, str]]] = {
    "languages.csv": [LANGUAGES],
    "entries.csv": [
        filled(ENTRY, "entries", *DICTIONARIA),
        filled({**ENTRY, "ID": "other-entry", "Headword": "জন্তু"}, "other", *DICTIONARIA),
    ],
    "senses.csv": [
        filled(SENSE, "senses", *DICTIONARIA, "alt_translation1", "Synonym", "Antonym", "Parameter_ID"),
        filled({**SENSE, "ID": "other-ID", "Entry_ID": "other-entry"}, "others", *DICTIONARIA),
    ],
    "examples.csv": [
        filled(
            *(EXAMPLE, "examples", "Primary_Text", "Analyzed_Word", "Gloss", "Translated_Text", "LGR_Conformance"),
            *("Comment", "Corpus_Reference", "alt_translation1", "Media_IDs", "Sources", "Source"),
        )
    ],
    "media.csv": [
        filled(
            {"ID": "m1", "mimetype": "image/png"}, "media", "Name", "Description", "Filename", "URL", "size", "Speaker"
        )
    ],
    "parameters.csv": [
        filled(
            {"ID": "parameter-ID"}, "parameters", "Name", "Description", "Concepticon_ID", "Concepticon_Gloss", "TBL_ID"
        )
    ],
    "forms.csv": [
        filled(
            *(
                FORM,
                "forms",
                "Local_ID",
                "Value",
                "Segments",
                "Comment",
                "Source",
                "Cognacy",
                "Loan",
                "Gloss",
                "phon_form",
            ),
            *("Phonemic", "Phonemic_Segments", "native_script", "url", "Graphemes", "Profile"),
        )
    ],
    "cognates.csv": [filled({}, "cognates", "ID", "Form_ID", "Cognateset_ID", "Doubt")],
}
METADATA = {
    "rdf:ID": "set-id",
    "dc:title": "set-title",
    "dc:license": "set-licence",
    "dc:creator": "set-creator",
    "dc:identifier": "set-identifier",
    "dcat:accessURL": "https://set.example",
    "dc:bibliographicCitation": "set-citation",
    "prov:wasDerivedFrom": [{"dc:title": "set-origin", "dc:created": "set-version"}],
    "tables": [
        {
            "url": "senses.csv",
            "dc:conformsTo": f"{TERMS}SenseTable",
            "tableSchema": {"columns": [{"name": "alt_translation1", "titles": "Spanish"}]},
        }
    ],
}
WORKS = "@book{work-key,\n  author = {work-author},\n  title = {work-title},\n  year = {1967}\n}\n"

READ_OTHERWISE = frozenset({"l", "m1", "asm", "other-entry", "entry-ID", "parameter-ID", "n.fem"})
"""Codes of languages, links between rows, and what becomes a part of speech."""


def leaves(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from leaves(each)
    else:
        yield str(value)


def test_every_value_of_a_data_set_is_kept_or_reported(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    files = {name: table(*rows) for name, rows in TABLES.items()}
    files |= {"cldf-metadata.json": json.dumps(METADATA), "sources.bib": WORKS}

    found = import_and_export(sqlite_databases, tmp_path, "cldf", files, ImportOptions())

    cells = (cell for rows in TABLES.values() for row in rows for cell in row.values() if cell not in READ_OTHERWISE)
    given = [piece for cell in cells for piece in cell.split(",")]
    metadata_texts = [text for text in leaves({**METADATA, "tables": []}) if text != "[]"]
    assert found.rejected == 0
    assert found.find_missing([*given, *metadata_texts, "work-key", "work-author", "work-title"]) == []


def test_a_sense_has_the_examples_sounds_script_and_remarks_of_its_entry(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "languages.csv": "ID,ISO639P3code\nl,asm\n",
        "entries.csv": "ID,Language_ID,Headword,Part_Of_Speech,Phonetic_Form,Vernacular,Etymology,Usage,Variant_Form,"
        "Main_Entry\ne1,l,mas,n.fem,maɕ,মাছ,Skt. matsya,rare,mach; maas,e2\ne2,l,jontu,v.intr,,,,,,\n",
        "senses.csv": "ID,Entry_ID,Description,Comment,Gloss_French\ns1,e1,fish,see below,poisson\ns2,e2,to go,,\n",
        "examples.csv": "ID,Language_ID,Primary_Text,Translated_Text,Sense_IDs\n"
        "x1,l,ek mas,one fish,s1 ; s2\nx2,l,a,,\n",
    }
    found = read(tmp_path, "cldf", files, ImportOptions(source=SOURCE))
    fish, going = (one.record for one in found if isinstance(one, LocatedRecord) and isinstance(one.record, IdeaRecord))

    assert words(fish) == [("as", "মাছ"), ("en", "fish"), ("fr", "poisson")]
    head = fish.words[0]
    assert (head.roman, head.ipa, head.origin, head.forms) == ("mas", "maɕ", "Skt. matsya", ("mach", "maas"))
    assert head.note == "see below; Usage: rare; Main Entry: jontu; n.fem"
    assert (fish.pos, going.pos) == ("Common Noun", "Intransitive")
    assert fish.examples == going.examples == (ExampleRecord("as", "ek mas", "one fish"),)
    assert [(one.file, one.line) for one in found if isinstance(one, RecordError)] == [("examples.csv", 3)]


def test_each_form_of_a_cell_is_a_word_and_placeholders_are_reported(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "languages.csv": "ID,ISO639P3code\nde,deu\n",
        "parameters.csv": "ID,Name,Concepticon_ID\n1327,uncle,1327\n",
        "forms.csv": "ID,Language_ID,Parameter_ID,Form\n1,de,1327,Onkel\n"
        '2,de,1327,"Ohm,Oheim, etc."\n3,de,1327,?\n4,de,1327,\n',
    }
    found = read(tmp_path, "cldf", files, ImportOptions(source=SOURCE))
    read_words = [
        word
        for one in found
        if isinstance(one, LocatedRecord) and isinstance(one.record, IdeaRecord)
        for word in words(one.record)
    ]

    assert sorted(read_words) == [("de", "Oheim"), ("de", "Ohm"), ("de", "Onkel")]
    assert [one.detail for one in found if isinstance(one, RecordError)] == [
        "The row has no form, only '?'.",
        "The row has no form.",
    ]


def test_our_own_data_set_round_trips(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    with open_database(sqlite_databases, load_sample) as database:
        export(database, "cldf", tmp_path / "set.zip")
        with database.snapshot() as reader:
            there = list(dump_records(reader))
    found = list(IMPORTERS["cldf"].read(open_contents([tmp_path / "set.zip"]), ImportOptions()))

    records = [one.record for one in found if isinstance(one, LocatedRecord)]
    assert len(records) == len(found)
    used = {one.code: one for one in there if isinstance(one, SourceRecord)}
    assert all(used[one.code] == one for one in records if isinstance(one, SourceRecord))
    assert [one for one in records if isinstance(one, IdeaRecord)] == [
        held for one in there if isinstance(one, IdeaRecord) if (held := held_by_cldf(one)).words
    ]


def held_by_cldf(idea: IdeaRecord) -> IdeaRecord:
    """Take of an idea what our data sets hold: one definition, and of words how they are written and said."""
    english = [one for one in idea.definitions if one.language == "en"]
    held = [WordRecord(one.language, one.text, roman=one.roman, ipa=one.ipa, source=one.source) for one in idea.words]
    return IdeaRecord(
        idea.source,
        idea.key,
        idea.pos,
        tuple(held),
        definitions=(*english, *idea.definitions)[:1],
        examples=idea.examples,
    )
