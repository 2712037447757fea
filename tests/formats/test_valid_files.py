"""Files as the schemas of their formats want them, by the schemas themselves where they are at hand."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

import pytest
import wn
from defusedxml import ElementTree

from abhidhan.exchange.model import ExportSelection
from abhidhan.exchange.service import exporting
from abhidhan.exchange.service.exporting import export
from abhidhan.formats.files import open_contents
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.registry import EXPORTERS, IMPORTERS
from abhidhan.platform.database.database import Database
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import IdeaRecord, SourceRecord
from abhidhan.records.words import Meaning, Word
from tests.formats.test_other_programs import TEI_SCHEMA
from tests.support.complete_sample import load_more
from tests.support.databases import SqliteDatabases, leave_empty, open_database
from tests.support.programs import find_program, run
from tests.support.schemas import find_schema

TEI: Final = "{http://www.tei-c.org/ns/1.0}"
XML: Final = "{http://www.w3.org/XML/1998/namespace}"
CHOICES: Final[dict[str, dict[str, list[str]]]] = {
    "everything": {},
    "a pair of languages": {"languages": ["as"], "extra_languages": ["en"]},
    "a source": {"sources": ["1 a:b/ç <x>"]},
    "a language without words": {"languages": ["kha"]},
}


@pytest.fixture(scope="module")
def rich(sqlite_databases: SqliteDatabases) -> Iterator[Database]:
    """Open a dictionary that has something of everything."""
    with open_database(sqlite_databases, load_more) as database:
        yield database


def export_choice(database: Database, name: str, folder: Path, selection: str = "everything") -> Path:
    """Export what is chosen."""
    file = folder / EXPORTERS[name].file
    choice = database.read_now(lambda reader: exporting.build_selection(reader.catalogue, **CHOICES[selection]))
    export(database, name, file, choice)
    return file


def read_back(name: str, file: Path, contexts: Iterable[str] = ()) -> list[IdeaRecord]:
    """Read a file by our own importer, which must have no fault to find."""
    values = {"context": {context: context for context in contexts}}
    options = ImportOptions(source=SourceRecord("back", "Back", "CC0-1.0"), values=values)
    found = list(IMPORTERS[name].read(open_contents([file]), options))
    assert [one for one in found if isinstance(one, RecordError)] == []
    return [one.record for one in found if isinstance(one, LocatedRecord) and isinstance(one.record, IdeaRecord)]


# --- TEI ----------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("whole", [False, True], ids=["our own words", "the real schema"])
def test_tei_is_valid(rich: Database, tmp_path: Path, subtests: pytest.Subtests, *, whole: bool) -> None:
    rules = find_schema("tei") / "TEILex0.rng" if whole else TEI_SCHEMA
    xmllint = find_program("xmllint", "libxml2-utils")

    for selection in CHOICES:
        with subtests.test(selection):
            run(xmllint, "--noout", "--relaxng", str(rules), str(export_choice(rich, "tei", tmp_path, selection)))


@pytest.mark.thorough
def test_tei_of_an_empty_dictionary_is_valid(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    with open_database(sqlite_databases, leave_empty) as database:
        file = export_choice(database, "tei", tmp_path)

    run(find_program("xmllint", "libxml2-utils"), "--noout", "--relaxng", str(TEI_SCHEMA), str(file))


def read_entries(file: Path) -> dict[str, Element]:
    """Read the entries of a TEI file, by their headwords."""
    found = ElementTree.parse(file).getroot()
    assert found is not None
    return {str(one.findtext(f"{TEI}form/{TEI}orth")): one for one in found.iter(f"{TEI}entry")}


def test_translations_and_definitions_name_their_language_in_tei(rich: Database, tmp_path: Path) -> None:
    found = read_entries(export_choice(rich, "tei", tmp_path, "a pair of languages"))

    languages = Counter(cit.get(f"{XML}lang") for one in found.values() for cit in one.iter(f"{TEI}cit"))
    assert set(languages) == {"as", "en"}
    assert {one.get(f"{XML}lang") for entry in found.values() for one in entry.iter(f"{TEI}def")} == {"as", "en"}


def test_synonyms_in_tei_are_references_to_existing_entries(rich: Database, tmp_path: Path) -> None:
    found = read_entries(export_choice(rich, "tei", tmp_path))
    names = {f"#{one.get(f'{XML}id')}" for one in found.values()}
    synonyms = [one for entry in found.values() for one in entry.iterfind(f".//{TEI}xr[@type='synonymy']/{TEI}ref")]

    assert [one.text for one in found["go on"].iterfind(f".//{TEI}xr[@type='synonymy']/{TEI}ref")] == ["run"]
    assert all(one.get("target") for one in synonyms)
    assert names & {one.get("target") for one in synonyms}
    for entry in found.values():
        own = entry.get(f"{XML}lang")
        cits = entry.iterfind(f".//{TEI}cit[@type='translationEquivalent']")
        assert own not in {one.get(f"{XML}lang") for one in cits}


def test_grammar_shared_by_all_meanings_is_written_with_the_word(rich: Database, tmp_path: Path) -> None:
    found = read_entries(export_choice(rich, "tei", tmp_path))

    def grammar(path: str, word: str) -> list[tuple[str | None, str | None]]:
        return [
            (one.get("norm"), one.text) for one in found[word].iterfind(f"{path}{TEI}gramGrp/{TEI}gram[@type='pos']")
        ]

    assert grammar("", "go on") == [("VERB", "Transitive")]
    assert grammar(f"{TEI}sense/", "go on") == []
    assert grammar("", "run") == []
    assert [text for _, text in grammar(f"{TEI}sense/", "run")] == ["Transitive", "Intransitive", "Common Noun"]


MeaningDescription = tuple[object, ...]


def normalize(head: tuple[str, str], *rest: object) -> MeaningDescription:
    """Return the description of a meaning, with normal white space."""
    return (head, *(" ".join(one.split()) if isinstance(one, str) else one for one in rest))


def describe_meaning(
    word: Word, meaning: Meaning, codes: dict[int, str], notices: set[str | None]
) -> MeaningDescription:
    """Describe a meaning of the dictionary as far as TEI can hold it."""
    return normalize(
        (codes[word.language_id], word.word),
        meaning.pos.value if meaning.pos else None,
        meaning.gender.value if meaning.gender else None,
        frozenset(context.value for context in meaning.contexts),
        frozenset((codes[one.language_id], one.word) for one in meaning.translations),
        frozenset((codes[one.language_id], " ".join(one.text.split())) for one in meaning.definitions),
        frozenset((codes[one.language_id], one.text, one.translation) for one in meaning.examples),
        meaning.note if meaning.note not in notices else None,
        meaning.reference,
        None if word.roman_generated else word.roman,
        word.explicit_ipa,
        word.origin,
    )


def describe_record(idea: IdeaRecord) -> MeaningDescription:
    """Describe an imported idea likewise: its first word is the headword."""
    head, *others = idea.words
    return normalize(
        (head.language, head.text),
        idea.pos,
        idea.gender,
        frozenset(idea.contexts),
        frozenset((one.language, one.text) for one in others),
        frozenset((one.language, one.text) for one in idea.definitions),
        frozenset((one.language, one.text, one.translation) for one in idea.examples),
        head.note,
        head.reference,
        head.roman,
        head.ipa,
        head.origin,
    )


def test_tei_round_trips_through_our_own_importer(rich: Database, tmp_path: Path) -> None:
    file = export_choice(rich, "tei", tmp_path)
    with rich.snapshot() as reader:
        book = exporting.build_export_source(reader, ExportSelection())
        codes = {language.id: language.code for language in book.languages}
        notices = {source.notice for source in book.sources}
        there = [
            describe_meaning(word, meaning, codes, notices)
            for language in book.languages
            for word in book.words(language.id)
            for meaning in word.meanings
            # Of what says nothing of a meaning no importer makes an idea.
            if meaning.translations or meaning.definitions
        ]
        contexts = [item.value for item in reader.catalogue.items if item.list == "CTX"]

    back = [describe_record(one) for one in read_back("tei", file, contexts)]

    missing, more = Counter(there) - Counter(back), Counter(back) - Counter(there)
    assert (list(missing), list(more)) == ([], [])


# --- WN-LMF -------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_wn_lmf_is_valid_against_its_dtd(rich: Database, tmp_path: Path, subtests: pytest.Subtests) -> None:
    rules = find_schema("wn-lmf") / "WN-LMF-1.4.dtd"
    xmllint = find_program("xmllint", "libxml2-utils")

    for selection in ("everything", "a pair of languages", "a source"):
        with subtests.test(selection):
            file = export_choice(rich, "wn-lmf", tmp_path, selection)
            run(xmllint, "--noout", "--nonet", "--dtdvalid", str(rules), str(file))


@pytest.fixture(scope="module")
def wordnets(rich: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Load the file into the other program's own database."""
    folder = tmp_path_factory.mktemp("wn")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("wn.config.data_directory", folder)
        wn.add(export_choice(rich, "wn-lmf", folder), progress_handler=None)
        yield


@pytest.mark.usefixtures("wordnets")
def test_wn_reads_the_words_senses_and_synsets_of_every_language(rich: Database) -> None:
    with rich.snapshot() as reader:
        ideas = list(exporting.build_export_source(reader, ExportSelection()).ideas())
    senses = Counter(word.language for idea in ideas for word in idea.words)
    synsets = Counter(code for idea in ideas for code in {word.language for word in idea.words})
    loaded = {lexicon.language: wn.Wordnet(lexicon=lexicon.specifier()) for lexicon in wn.lexicons()}

    assert {code: len(wordnet.senses()) for code, wordnet in loaded.items()} == senses
    assert {code: len(wordnet.synsets()) for code, wordnet in loaded.items()} == synsets
    assert {code: {word.lemma() for word in wordnet.words()} for code, wordnet in loaded.items()} == {
        code: {word.text for idea in ideas for word in idea.words if word.language == code} for code in senses
    }


@pytest.mark.usefixtures("wordnets")
def test_wn_follows_a_word_to_its_synonyms_relations_and_romanization() -> None:
    (verb,) = wn.words("run", pos="v", lang="en")
    play, flow = verb.synsets()
    (sola,) = wn.words("চলা", lang="as")

    assert play.lemmas() == ["run", "go on"]
    assert flow.hypernyms() == [play]
    assert play.hyponyms() == [flow]
    assert "They go on." in play.examples()
    assert {"sola", "চলে", "চলিল"} <= set(sola.forms())
    assert {form.value: form.script for form in sola.forms(data=True)}["sola"] == "Latn"


def test_wn_lmf_round_trips_with_romanizations_numbers_and_languages(rich: Database, tmp_path: Path) -> None:
    found = read_back("wn-lmf", export_choice(rich, "wn-lmf", tmp_path))
    words = [word for idea in found for word in idea.words]
    numbers = [word.position for word in words if word.text == "run"]
    examples = {(one.language, one.text) for idea in found for one in idea.examples}

    assert {word.roman for word in words if word.text == "চলা"} == {"sola"}
    assert sorted(number or 0 for number in numbers) == [1, 2, 3, 4]
    assert {("en", "They go on."), ("as", "চলি থকা।")} <= examples
    assert not {language for language, text in examples if text == "They go on."} - {"en"}
