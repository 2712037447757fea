"""TEI as dictionaries really are: FreeDict's ways, and TEI Lex-0."""

from pathlib import Path

from abhidhan.formats.importer_api import ImportOptions
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import DefinitionRecord, IdeaRecord
from tests.support.importing import SOURCE, ideas, read, words

TEI = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body xml:lang="en">{}</body></text></TEI>'
ENTRY = "<entry><form><orth>{}</orth></form>{}</entry>"


def read_entry(folder: Path, head: str, rest: str, **options: str) -> IdeaRecord:
    """Read the only meaning of an entry."""
    (idea,) = read_entries(folder, ENTRY.format(head, rest), **options)
    return idea


def read_entries(folder: Path, entries: str, **options: str) -> list[IdeaRecord]:
    """Read the meanings of entries in a file with FreeDict's kind of name."""
    chosen = ImportOptions(source=SOURCE, **options)  # type: ignore[arg-type]
    return ideas(read(folder, "tei", {"deu-hin.tei": TEI.format(entries)}, chosen))


def test_the_name_of_a_freedict_file_takes_precedence_over_xml_lang_of_the_body(tmp_path: Path) -> None:
    idea = read_entry(tmp_path, "Fisch", '<sense><cit type="trans"><quote>मछली</quote></cit></sense>')

    assert words(idea) == [("de", "Fisch"), ("hi", "मछली")]


def test_the_language_of_a_word_takes_precedence_over_the_options(tmp_path: Path) -> None:
    entry = (
        '<entry xml:lang="as"><form type="lemma"><orth>মাছ</orth><orth type="transliterated">mas</orth></form>'
        '<gramGrp><gram type="pos">noun</gram><gram type="gender">masculine</gram></gramGrp>'
        '<sense><cit type="translationEquivalent" xml:lang="bn"><form><orth>মীন</orth></form></cit></sense>'
        "<etym>Sanskrit</etym></entry>"
    )
    (idea,) = read_entries(tmp_path, entry, language="de", target="hi")

    assert words(idea) == [("as", "মাছ"), ("bn", "মীন")]
    assert (idea.words[0].roman, idea.words[0].origin, idea.words[0].forms) == ("mas", "Sanskrit", ())
    assert (idea.pos, idea.gender) == ("Common Noun", "Masculine")


def test_forms_of_headwords_and_translations_are_search_forms_but_endings_are_not(tmp_path: Path) -> None:
    entry = (
        '<entry><form type="k_ele"><orth>魚</orth></form><form type="r_ele"><orth>さかな</orth></form>'
        '<form><form type="infl"><orth>-nen</orth></form><form type="infl"><orth>Fische</orth></form></form>'
        "<sense><cit><quote>मछली</quote></cit></sense></entry>"
    )
    (idea,) = read_entries(tmp_path, entry)

    assert idea.words[0].text == "魚"
    assert idea.words[0].forms == ("さかな", "Fische")

    cit = '<cit type="trans"><quote>मछली</quote><form type="infl"><orth>मछलियाँ</orth></form></cit>'
    idea = read_entry(tmp_path, "Fisch", f"<sense>{cit}</sense>")

    assert words(idea) == [("de", "Fisch"), ("hi", "मछली")]
    assert idea.words[1].forms == ("मछलियाँ",)


def test_remarks_become_notes_and_mapped_usages_contexts(tmp_path: Path) -> None:
    sense = (
        '<sense><usg type="dom">Kochen</usg><note>selten</note>'
        '<cit type="trans"><quote>मछली (पानी में)</quote><note>बड़ी</note></cit></sense>'
    )
    idea = read_entry(tmp_path, "Fisch", sense)

    assert idea.words[0].note == "Kochen; selten"
    assert (idea.words[1].text, idea.words[1].note) == ("मछली", "पानी में; बड़ी")

    sense = '<sense><usg type="dom">Kochen</usg><cit type="trans"><quote>मछली</quote></cit></sense>'
    options = ImportOptions(source=SOURCE, values={"context": {"Kochen": "Food"}})
    (idea,) = ideas(read(tmp_path, "tei", {"deu-hin.tei": TEI.format(ENTRY.format("Fisch", sense))}, options))

    assert (idea.contexts, idea.words[0].note) == (("Food",), None)


def test_short_translations_are_split_into_words_and_long_ones_are_definitions(tmp_path: Path) -> None:
    entries = ENTRY.format("aber", "<sense><cit><quote>किंतु, परंतु</quote></cit></sense>") + ENTRY.format(
        "ABC", "<sense><cit><quote>एक दो तीन चार, पाँच और छह</quote></cit></sense>"
    )
    short, phrase = read_entries(tmp_path, entries)

    assert [word.text for word in short.words] == ["aber", "किंतु", "परंतु"]
    assert [word.text for word in phrase.words] == ["ABC", "एक दो तीन चार, पाँच और छह"]

    idea = read_entry(tmp_path, "Verhalten", "<sense><cit><quote>behavio(u)r</quote></cit></sense>", target="en")

    assert words(idea) == [("de", "Verhalten"), ("en", "behavio(u)r")]

    idea = read_entry(tmp_path, "Fisch", f"<sense><cit><quote>{'लंबा ' * 60}</quote></cit></sense>")

    assert words(idea) == [("de", "Fisch")]
    assert idea.definitions[0].language == "hi"


def test_definitions_are_no_words_and_are_read_from_notes_too(tmp_path: Path) -> None:
    entries = ENTRY.format("Fisch", "<sense xml:lang='el'><def>ψάρι<note>ζώο</note></def></sense>")
    (idea,) = read_entries(tmp_path, entries)

    assert words(idea) == [("de", "Fisch")]
    assert (idea.definitions, idea.words[0].note) == ((DefinitionRecord("el", "ψάρι"),), "ζώο")

    rest = (
        "<xr type='plural-form'><ref target='#x'>Fische</ref></xr>"
        "<sense><note type='def'>एक जीव जो पानी में रहता है और तैरता है</note></sense>"
    )
    idea = read_entry(tmp_path, "Fisch", rest)

    assert idea.words[0].forms == ("Fische",)
    assert idea.definitions[0].text == "एक जीव जो पानी में रहता है और तैरता है"

    sense = "<sense><note type='pos'>noun (common) (futsuumeishi)</note><cit><quote>मछली</quote></cit></sense>"

    assert read_entry(tmp_path, "Fisch", sense).pos == "Common Noun"


def test_outer_senses_homonyms_and_the_entry_apply_to_each_inner_sense(tmp_path: Path) -> None:
    outer = (
        "<sense xml:lang='sv'><gramGrp><colloc>an</colloc></gramGrp><cit type='trans'><quote>artig</quote></cit>"
        "<usg>chem.</usg>{}</sense>"
    )
    entry = ENTRY.format("haft", outer.format("<sense><def>one</def></sense><sense><def>two</def></sense><sense/>"))
    found = read_entries(tmp_path, entry)

    assert [words(idea) for idea in found] == [[("de", "haft"), ("sv", "artig")]] * 3
    assert [[one.text for one in idea.definitions] for idea in found] == [["one"], ["two"], []]
    assert {idea.words[0].note for idea in found} == {"chem.; colloc: an"}

    rest = (
        "<gramGrp><gen>f</gen></gramGrp><hom><gramGrp><pos>v. tr.</pos></gramGrp>"
        "<sense><sense><cit><quote>एक</quote></cit></sense>"
        "<sense><cit><quote>दो</quote></cit></sense></sense></hom>"
    )
    found = read_entries(tmp_path, ENTRY.format("Bank", rest))

    assert [(idea.words[1].text, idea.pos, idea.gender) for idea in found] == [
        ("एक", "Transitive", "Feminine"),
        ("दो", "Transitive", "Feminine"),
    ]


def test_meanings_that_differ_only_in_remarks_have_different_keys(tmp_path: Path) -> None:
    cit = "<cit type='trans'><quote>मछली</quote></cit>"
    shades = f"<sense>{cit}<sense><usg>a</usg></sense><sense><usg>b</usg></sense><sense><usg>b</usg></sense></sense>"
    found = read_entries(tmp_path, ENTRY.format("Fisch", f"{shades}<etym>old</etym>") + ENTRY.format("Fisch", shades))

    assert len({idea.key for idea in found}) == 4
    assert [idea.words[0].note for idea in found] == ["a", "b", "b"] * 2


def test_differences_of_a_second_entry_of_a_word_are_remarks(tmp_path: Path) -> None:
    entry = ENTRY.format("Bank", "<sense><cit type='trans'><quote>{}</quote></cit></sense><etym>{}</etym>")
    found = read_entries(tmp_path, entry.format("किनारा", "one") + entry.format("बैंक", "two"))

    assert [idea.words[0].note for idea in found] == [None, "origin: two"]


def test_an_untyped_citation_with_a_translation_is_an_example(tmp_path: Path) -> None:
    sense = (
        "<sense><cit type='trans'><quote>मछली</quote></cit>"
        "<cit><quote>frischer Fisch</quote><cit type='trans'><quote>ताज़ी मछली</quote></cit></cit></sense>"
    )
    idea = read_entry(tmp_path, "Fisch", sense)

    assert words(idea) == [("de", "Fisch"), ("hi", "मछली")]
    assert [(one.language, one.text, one.translation) for one in idea.examples] == [
        ("de", "frischer Fisch", "ताज़ी मछली"),
    ]


def test_an_entry_that_only_refers_to_another_is_reported(tmp_path: Path) -> None:
    options = ImportOptions(source=SOURCE)
    entry = ENTRY.format("Fische", "<xr type='plural-form'><ref target='#x'>Fisch</ref></xr>")
    found = read(tmp_path, "tei", {"deu-hin.tei": TEI.format(entry)}, options)

    assert [one for one in found if not isinstance(one, LocatedRecord)] == [
        RecordError(
            "deu-hin.tei", 1, "The entry has no headword, or no meaning. It needs an orth in a form, and a sense."
        ),
    ]


def test_grammar_marks_are_removed_from_words_and_differing_grammar_of_a_translation_is_its_note(
    tmp_path: Path,
) -> None:
    casa = '<sense><cit type="trans"><quote>casa &lt;n&gt;, hogar &lt;n, m&gt;</quote></cit></sense>'
    (of_translation,) = read_entries(tmp_path, ENTRY.format("Haus", casa))
    house = '<sense><cit type="trans"><quote>मकान</quote></cit></sense>'
    (of_headword,) = read_entries(tmp_path, ENTRY.format("Kirche &lt;n, f&gt;", house))

    assert words(of_translation) == [("de", "Haus"), ("hi", "casa"), ("hi", "hogar")]
    assert (of_translation.pos, of_translation.words[2].note) == ("Common Noun", "m")
    assert words(of_headword) == [("de", "Kirche"), ("hi", "मकान")]
    assert (of_headword.pos, of_headword.gender) == ("Common Noun", "Feminine")

    cit = (
        "<cit type='trans'><quote>delta</quote><gramGrp><pos>v</pos><gen>neut</gen><colloc>i</colloc></gramGrp>"
        "<note>old</note></cit>"
    )
    idea = read_entry(tmp_path, "teilnehmen", f"<gramGrp><pos>v</pos></gramGrp><sense>{cit}</sense>")

    assert (idea.pos, idea.words[1].note) == ("Verb", "neut; colloc: i; old")


def test_synonym_references_are_words_and_other_references_remarks(tmp_path: Path) -> None:
    rest = (
        "<sense><cit type='trans'><quote>मछली</quote></cit><xr type='syn'><ref>Fischlein</ref></xr>"
        "<xr type='ant'><ref>Vogel</ref><ref>Hund</ref></xr><xr>vgl. <ref>Wal</ref></xr></sense>"
    )
    idea = read_entry(tmp_path, "Fisch", rest)

    assert words(idea) == [("de", "Fisch"), ("de", "Fischlein"), ("hi", "मछली")]
    assert idea.words[0].note == "ant: Vogel, Hund; vgl. Wal"
