"""CLDF word lists of the region: transcriptions of their time, several lists of a language, codes for all."""

import csv
import json
import re
from pathlib import Path

import pytest

from abhidhan.formats.cldf.files import read_work_names
from abhidhan.formats.cldf.recordings import read_recordings
from abhidhan.formats.content_streams import ContentStream
from abhidhan.formats.files import open_contents
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord
from abhidhan.formats.languages import canonical_code
from abhidhan.formats.recording_lists import ListedRecording
from abhidhan.formats.registry import IMPORTERS
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import IdeaRecord, LanguageRecord, SourceRecord, WordRecord
from tests.support.importing import SOURCE, read
from tests.support.lift import ROOT

LISTS = next(
    (path for each in ROOT.parents if (path := each / "shared" / "data").is_dir()), ROOT.parent / "shared" / "data"
)
METADATA = """{"rdf:ID": "hills", "dc:title": "Hills", "dc:license": "https://creativecommons.org/licenses/by/4.0/",
"tables": [{"url": "forms.csv", "dc:conformsTo": "http://cldf.clld.org/v1.0/terms.rdf#FormTable", "tableSchema":
{"columns": [{"name": "ID"}, {"name": "Segments", "propertyUrl": "http://cldf.clld.org/v1.0/terms.rdf#segments"}]}}]}"""
FILES: dict[str, str | bytes] = {
    "cldf-metadata.json": METADATA,
    "languages.csv": "ID,Name,Glottocode,ISO639P3code,Glottolog_Name\n"
    "Chungli,Ao_Ao Chungli,aona1235,njo,Ao\nMongsen,Ao Mongsen,mong1332,njo,Mongsen\n"
    "Bokar,Tani_Bokar,boka1249,,Bokar-Ramo\nLhasa,Lhasa,utsa1239,,Lhasa Tibetan\n",
    "parameters.csv": "ID,Name,Concepticon_ID\n1,water,948\n2,heddle,\n",
    "forms.csv": "ID,Language_ID,Parameter_ID,Value,Form,Segments,Comment,Source,Loan\n"
    'a,Chungli,1,"tzü, x",tzü,ts ə,,Marrison1967[12],\n'
    "b,Mongsen,1,tzü,tzü,ts ə,rare,Marrison1967,true\n"
    "c,Bokar,1,i.ɕi,i...ɕ.i,i + ɕ i,!,Huang1992,false\n"
    "d,Lhasa,2,tʰag ts,tʰ.a/aː.g._.ts.◦,tʰ a/aː g + ts,,,\n"
    "e,Chungli,2,phi◦mhi,phi◦mhi,pʰ i + mh/m̥ i,,Marrison1967,\n",
    "sources.bib": "@phdthesis{Marrison1967,\n  author = {Marrison, Geoffrey Edward},\n  year = {1967}\n}\n"
    "@book{Huang1992,\n  Author = {黃布凡, Huáng Bùfán},\n  Year = {1992}\n}\n",
}


def index_words(found: list[ParsedRecord]) -> dict[tuple[str, str], WordRecord]:
    return {(one.key, word.text): word for one in ideas_of(found) for word in one.words}


def ideas_of(found: list[ParsedRecord]) -> list[IdeaRecord]:
    return [one.record for one in found if isinstance(one, LocatedRecord) and isinstance(one.record, IdeaRecord)]


def test_transcriptions_are_cleaned_and_words_shared_by_several_lists_are_one(tmp_path: Path) -> None:
    found = read(tmp_path, "cldf", dict(FILES), ImportOptions())
    indexed = index_words(found)

    assert indexed["2", "phimhi"] == WordRecord(
        "njo",
        "phimhi",
        ipa="pʰim̥i",
        reference="Marrison 1967: Ao Chungli",
        note="phonetic transcription",
    )

    word = indexed["948", "tzü"]
    assert word.reference == "Marrison 1967, 12: Ao Chungli; Marrison 1967: Ao Mongsen"
    assert (word.note, word.variant, word.source) == ("phonetic transcription; rare", "Loanword", "hills")

    assert set(indexed) == {("948", "tzü"), ("948", "iɕi"), ("2", "tʰag ts"), ("2", "phimhi")}
    assert indexed["2", "tʰag ts"].ipa == "tʰaːgts"

    source = next(
        one.record for one in found if isinstance(one, LocatedRecord) and isinstance(one.record, SourceRecord)
    )

    assert source.code == "hills"
    assert source.notice == "Phonetic transcriptions of 1967 to 1992: not how the languages are spelled today."


def test_a_recording_of_a_form_belongs_to_the_imported_word(tmp_path: Path) -> None:
    terms = "http://cldf.clld.org/v1.0/terms.rdf#"
    metadata = json.loads(METADATA)
    metadata["tables"][0]["tableSchema"]["columns"].append({"name": "Media", "propertyUrl": f"{terms}mediaReference"})
    columns = {"ID": "id", "Media_Type": "mediaType", "Download_URL": "downloadUrl"}
    described = [{"name": name, "propertyUrl": terms + term} for name, term in columns.items()]
    media = {"url": "media.csv", "dc:conformsTo": f"{terms}MediaTable", "tableSchema": {"columns": described}}
    metadata["tables"].append(media)
    forms = "ID,Language_ID,Parameter_ID,Value,Form,Segments,Media\nc,Bokar,1,i.ɕi,i...ɕ.i,i + ɕ i,m\n"
    recorded = {"media.csv": "ID,Media_Type,Download_URL\nm,audio/mpeg,file:///c.mp3\n", "forms.csv": forms}
    for name, content in {**FILES, **recorded, "cldf-metadata.json": json.dumps(metadata)}.items():
        (tmp_path / name).write_text(str(content), "utf-8")

    rows = read_recordings([tmp_path], ImportOptions()).rows

    assert [row.text for row in rows if isinstance(row, ListedRecording)] == ["iɕi"]


def test_a_language_without_an_iso_code_uses_its_glottocode_and_glottolog_name(tmp_path: Path) -> None:
    found = read(tmp_path, "cldf", dict(FILES), ImportOptions())
    (language,) = [
        one.record for one in found if isinstance(one, LocatedRecord) and isinstance(one.record, LanguageRecord)
    ]

    assert language == LanguageRecord(0, "mis-boka1249", None, "Bokar-Ramo", "Bokar-Ramo", "Latn")
    assert canonical_code(language.code) == language.code
    assert {word.language for word in index_words(found).values()} == {"njo", "mis-boka1249", "bo"}
    mapped = read(tmp_path, "cldf", {}, ImportOptions(values={"language": {"Bokar": "adi"}}))
    assert {word.language for word in index_words(mapped).values()} == {"njo", "adi", "bo"}


def test_forms_beside_a_phonetic_column_are_spellings(tmp_path: Path) -> None:
    forms = str(FILES["forms.csv"]).replace("Loan\n", "phon_form\n")
    metadata = METADATA.replace('{"name": "ID"}', '{"name": "ID"}, {"name": "phon_form"}')
    found = read(
        tmp_path, "cldf", {**FILES, "forms.csv": forms, "cldf-metadata.json": metadata}, ImportOptions(source=SOURCE)
    )

    assert not any((one.note or "").startswith("phonetic") for one in index_words(found).values())


def test_a_retired_language_code_is_replaced() -> None:
    assert canonical_code("xia") == "acn"


def test_a_reference_is_named_by_authors_and_year(tmp_path: Path) -> None:
    text = (
        '@book{a,\n author = "Grierson, George A.",\n year = 1928\n}\n'
        "@book{b,\n author={Ann Bo and Cy Do},\n year={2001},\n}\n@misc{Lai2017FN,\n title = {Notes}\n}\n"
        "@misc{many,\n author = {A, B and C, D and E, F},\n year = {1999}\n}\n@misc{bare,\n}\n"
    )
    (tmp_path / "a.bib").write_text(text, "utf-8")
    with (tmp_path / "a.bib").open("rb") as stream:
        assert read_work_names(ContentStream("a.bib", stream)) == {
            "a": "Grierson 1928",
            "b": "Bo and Do 2001",
            "Lai2017FN": "Lai 2017",
            "many": "A and others 1999",
            "bare": "bare",
        }


@pytest.mark.skipif(
    not (LISTS / "lexibank_marrisonnaga").is_dir(), reason=f"The word lists of Marrison and Sagart are not in {LISTS}."
)
@pytest.mark.parametrize(("name", "forms"), [("lexibank_marrisonnaga", 27_594), ("lexibank_sagartst", 12_179)])
def test_the_word_lists_of_the_region_are_imported_completely(name: str, forms: int) -> None:
    folder = LISTS / name
    found = list(IMPORTERS["cldf"].read(open_contents([folder]), ImportOptions()))
    there = {(one.source, one.key, word.language, word.text): word for one in ideas_of(found) for word in one.words}
    assert [one for one in found if isinstance(one, RecordError)] == []

    # What each list says comes out, row by row.
    lists, concepts, rows = (table(folder / f"{each}.csv") for each in ("languages", "parameters", "forms"))
    names = {row["ID"]: " ".join(dict.fromkeys(row["Name"].replace("_", " ").split())) for row in lists}
    keys = {row["ID"]: row["Concepticon_ID"] or row["ID"] for row in concepts}
    given = {(names[row["Language_ID"]], keys[row["Parameter_ID"]], letters(row["Form"])) for row in rows}
    taken = {
        (part.rpartition(": ")[2], key, letters(text))
        for (_, key, _, text), word in there.items()
        for part in (word.reference or "").split("; ")
    }
    assert len(rows) == forms
    assert given == taken


def table(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def letters(form: str) -> str:
    """Take off what stands between sounds, and what is said of one after a slash."""
    return re.sub(r"/[^.]*|[.◦_+\s]", "", form)
