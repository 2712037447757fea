"""TEI as dictionaries really are: FreeDict's ways, and TEI Lex-0."""

from pathlib import Path

from abhidhan.formats.importer_api import ImportOptions
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import DefinitionRecord, IdeaRecord
from tests.support.importing import SOURCE, ideas, read, words

TEI = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body xml:lang="en">{}</body></text></TEI>'
ENTRY = "<entry><form><orth>{}</orth></form>{}</entry>"


def read_entry(folder: Path, head: str, rest: str, **told: str) -> IdeaRecord:
    """Read the only meaning of an entry."""
    (idea,) = read_entries(folder, ENTRY.format(head, rest), **told)
    return idea


def read_entries(folder: Path, entries: str, **told: str) -> list[IdeaRecord]:
    """Read the meanings of entries in a file with FreeDict's kind of name."""
    options = ImportOptions(source=SOURCE, **told)  # type: ignore[arg-type]
    return ideas(read(folder, "tei", {"deu-hin.tei": TEI.format(entries)}, options))


def test_the_name_of_a_freedict_file_says_its_languages_before_the_language_round_the_entries(tmp_path: Path) -> None:
    idea = read_entry(tmp_path, "Fisch", '<sense><cit type="trans"><quote>मछली</quote></cit></sense>')

    assert words(idea) == [("de", "Fisch"), ("hi", "मछली")]


def test_languages_at_the_words_themselves_go_before_those_of_the_command(tmp_path: Path) -> None:
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


def test_other_spellings_and_inflected_forms_find_the_headword_but_endings_do_not(tmp_path: Path) -> None:
    entry = (
        '<entry><form type="k_ele"><orth>魚</orth></form><form type="r_ele"><orth>さかな</orth></form>'
        '<form><form type="infl"><orth>-nen</orth></form><form type="infl"><orth>Fische</orth></form></form>'
        "<sense><cit><quote>मछली</quote></cit></sense></entry>"
    )
    (idea,) = read_entries(tmp_path, entry)

    assert idea.words[0].text == "魚"
    assert idea.words[0].forms == ("さかな", "Fische")


def test_an_inflected_form_of_a_translation_is_no_translation(tmp_path: Path) -> None:
    cit = '<cit type="trans"><quote>मछली</quote><form type="infl"><orth>मछलियाँ</orth></form></cit>'
    idea = read_entry(tmp_path, "Fisch", f"<sense>{cit}</sense>")

    assert words(idea) == [("de", "Fisch"), ("hi", "मछली")]
    assert idea.words[1].forms == ("मछलियाँ",)


def test_remarks_become_notes_of_the_words_they_stand_with(tmp_path: Path) -> None:
    sense = (
        '<sense><usg type="dom">Kochen</usg><note>selten</note>'
        '<cit type="trans"><quote>मछली (पानी में)</quote><note>बड़ी</note></cit></sense>'
    )
    idea = read_entry(tmp_path, "Fisch", sense)

    assert idea.words[0].note == "Kochen; selten"
    assert (idea.words[1].text, idea.words[1].note) == ("मछली", "पानी में; बड़ी")


def test_a_usage_that_the_mapping_knows_is_a_context(tmp_path: Path) -> None:
    sense = '<sense><usg type="dom">Kochen</usg><cit type="trans"><quote>मछली</quote></cit></sense>'
    options = ImportOptions(source=SOURCE, values={"context": {"Kochen": "Food"}})
    (idea,) = ideas(read(tmp_path, "tei", {"deu-hin.tei": TEI.format(ENTRY.format("Fisch", sense))}, options))

    assert (idea.contexts, idea.words[0].note) == (("Food",), None)


def test_a_list_of_short_equivalents_is_parted_and_a_phrase_with_commas_is_not(tmp_path: Path) -> None:
    entries = ENTRY.format("aber", "<sense><cit><quote>किंतु, परंतु</quote></cit></sense>") + ENTRY.format(
        "ABC", "<sense><cit><quote>एक दो तीन चार, पाँच और छह</quote></cit></sense>"
    )
    short, phrase = read_entries(tmp_path, entries)

    assert [word.text for word in short.words] == ["aber", "किंतु", "परंतु"]
    assert [word.text for word in phrase.words] == ["ABC", "एक दो तीन चार, पाँच और छह"]


def test_a_bracket_within_a_word_belongs_to_it(tmp_path: Path) -> None:
    idea = read_entry(tmp_path, "Verhalten", "<sense><cit><quote>behavio(u)r</quote></cit></sense>", target="en")

    assert words(idea) == [("de", "Verhalten"), ("en", "behavio(u)r")]


def test_a_translation_too_long_for_a_word_is_a_definition_and_rejects_nothing(tmp_path: Path) -> None:
    idea = read_entry(tmp_path, "Fisch", f"<sense><cit><quote>{'लंबा ' * 60}</quote></cit></sense>")

    assert words(idea) == [("de", "Fisch")]
    assert idea.definitions[0].language == "hi"


def test_a_definition_is_never_a_word(tmp_path: Path) -> None:
    entries = ENTRY.format("Fisch", "<sense xml:lang='el'><def>ψάρι<note>ζώο</note></def></sense>")
    (idea,) = read_entries(tmp_path, entries)

    assert words(idea) == [("de", "Fisch")]
    assert (idea.definitions, idea.words[0].note) == ((DefinitionRecord("el", "ψάρι"),), "ζώο")


def test_what_an_outer_sense_says_holds_for_each_of_its_inner_ones(tmp_path: Path) -> None:
    outer = (
        "<sense xml:lang='sv'><gramGrp><colloc>an</colloc></gramGrp><cit type='trans'><quote>artig</quote></cit>"
        "<usg>chem.</usg>{}</sense>"
    )
    entry = ENTRY.format("haft", outer.format("<sense><def>one</def></sense><sense><def>two</def></sense><sense/>"))
    found = read_entries(tmp_path, entry)

    assert [words(idea) for idea in found] == [[("de", "haft"), ("sv", "artig")]] * 3
    assert [[one.text for one in idea.definitions] for idea in found] == [["one"], ["two"], []]
    assert {idea.words[0].note for idea in found} == {"chem.; colloc: an"}


def test_meanings_that_differ_only_in_what_is_said_of_them_have_keys_of_their_own(tmp_path: Path) -> None:
    cit = "<cit type='trans'><quote>मछली</quote></cit>"
    shades = f"<sense>{cit}<sense><usg>a</usg></sense><sense><usg>b</usg></sense><sense><usg>b</usg></sense></sense>"
    found = read_entries(tmp_path, ENTRY.format("Fisch", f"{shades}<etym>old</etym>") + ENTRY.format("Fisch", shades))

    assert len({idea.key for idea in found}) == 4
    assert [idea.words[0].note for idea in found] == ["a", "b", "b"] * 2


def test_what_a_second_entry_says_otherwise_of_the_same_word_is_a_remark(tmp_path: Path) -> None:
    entry = ENTRY.format("Bank", "<sense><cit type='trans'><quote>{}</quote></cit></sense><etym>{}</etym>")
    found = read_entries(tmp_path, entry.format("किनारा", "one") + entry.format("बैंक", "two"))

    assert [idea.words[0].note for idea in found] == [None, "origin: two"]


def test_a_definition_in_a_note_and_a_plural_in_a_reference_are_read(tmp_path: Path) -> None:
    rest = (
        "<xr type='plural-form'><ref target='#x'>Fische</ref></xr>"
        "<sense><note type='def'>एक जीव जो पानी में रहता है और तैरता है</note></sense>"
    )
    idea = read_entry(tmp_path, "Fisch", rest)

    assert idea.words[0].forms == ("Fische",)
    assert idea.definitions[0].text == "एक जीव जो पानी में रहता है और तैरता है"


def test_a_citation_without_a_type_that_is_translated_is_an_example(tmp_path: Path) -> None:
    sense = (
        "<sense><cit type='trans'><quote>मछली</quote></cit>"
        "<cit><quote>frischer Fisch</quote><cit type='trans'><quote>ताज़ी मछली</quote></cit></cit></sense>"
    )
    idea = read_entry(tmp_path, "Fisch", sense)

    assert words(idea) == [("de", "Fisch"), ("hi", "मछली")]
    assert [(one.language, one.text, one.translation) for one in idea.examples] == [
        ("de", "frischer Fisch", "ताज़ी मछली"),
    ]


def test_homonyms_and_inner_senses_are_meanings_with_the_grammar_round_them(tmp_path: Path) -> None:
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


def test_a_part_of_speech_in_a_note_is_read(tmp_path: Path) -> None:
    sense = "<sense><note type='pos'>noun (common) (futsuumeishi)</note><cit><quote>मछली</quote></cit></sense>"

    assert read_entry(tmp_path, "Fisch", sense).pos == "Common Noun"


def test_an_entry_that_only_refers_to_another_is_told(tmp_path: Path) -> None:
    options = ImportOptions(source=SOURCE)
    entry = ENTRY.format("Fische", "<xr type='plural-form'><ref target='#x'>Fisch</ref></xr>")
    found = read(tmp_path, "tei", {"deu-hin.tei": TEI.format(entry)}, options)

    assert [one for one in found if not isinstance(one, LocatedRecord)] == [
        RecordError(
            "deu-hin.tei", 1, "The entry has no headword, or no meaning. It needs an orth in a form, and a sense."
        ),
    ]


def test_marks_of_grammar_in_headwords_and_translations_are_no_part_of_the_words(tmp_path: Path) -> None:
    casa = '<sense><cit type="trans"><quote>casa &lt;n&gt;, hogar &lt;n, m&gt;</quote></cit></sense>'
    (of_translation,) = read_entries(tmp_path, ENTRY.format("Haus", casa))
    house = '<sense><cit type="trans"><quote>मकान</quote></cit></sense>'
    (of_headword,) = read_entries(tmp_path, ENTRY.format("Kirche &lt;n, f&gt;", house))

    assert words(of_translation) == [("de", "Haus"), ("hi", "casa"), ("hi", "hogar")]
    assert (of_translation.pos, of_translation.words[2].note) == ("Common Noun", "m")
    assert words(of_headword) == [("de", "Kirche"), ("hi", "मकान")]
    assert (of_headword.pos, of_headword.gender) == ("Common Noun", "Feminine")


def test_grammar_of_a_translation_is_its_note_unless_it_is_that_of_the_headword(tmp_path: Path) -> None:
    cit = (
        "<cit type='trans'><quote>delta</quote><gramGrp><pos>v</pos><gen>neut</gen><colloc>i</colloc></gramGrp>"
        "<note>old</note></cit>"
    )
    idea = read_entry(tmp_path, "teilnehmen", f"<gramGrp><pos>v</pos></gramGrp><sense>{cit}</sense>")

    assert (idea.pos, idea.words[1].note) == ("Verb", "neut; colloc: i; old")


def test_references_are_remarks_and_synonyms_words(tmp_path: Path) -> None:
    rest = (
        "<sense><cit type='trans'><quote>मछली</quote></cit><xr type='syn'><ref>Fischlein</ref></xr>"
        "<xr type='ant'><ref>Vogel</ref><ref>Hund</ref></xr><xr>vgl. <ref>Wal</ref></xr></sense>"
    )
    idea = read_entry(tmp_path, "Fisch", rest)

    assert words(idea) == [("de", "Fisch"), ("de", "Fischlein"), ("hi", "मछली")]
    assert idea.words[0].note == "ant: Vogel, Hund; vgl. Wal"
