import gzip
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from xlsxwriter import Workbook

from abhidhan.formats.grammar_marks import extract_labels
from abhidhan.formats.importer_api import ImportOptions, build_key
from abhidhan.formats.registry import IMPORTERS
from abhidhan.formats.wordnet import FREQUENCY_SOURCE
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import FormsRecord, FrequencyRecord, IdeaRecord, PhraseRecord, RelationRecord, WordRecord
from tests.support.importing import SOURCE, ideas, read, records, words


def test_no_importer_crashes_on_an_empty_folder(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name in sorted(set(IMPORTERS) - {"recordings", "jsonl", "wordnet", "omw", "wn-lmf", "unimorph"}):
        with subtests.test(name):
            try:
                assert records(read(tmp_path, name, {})) == []
            except InputError as error:
                message = str(error)
            else:
                message = "."
            assert message.endswith((".", "?"))


def test_a_table_is_read_by_its_column_names(tmp_path: Path) -> None:
    content = "No,English,Assamese,as_roman,POS,Definition,Context\n7,fish,মাছ; মীন,mas|min,noun,An animal.,Fish\n"
    (idea,) = ideas(read(tmp_path, "csv", {"a.csv": content}, ImportOptions(source=SOURCE)))

    assert (idea.key, idea.pos, idea.contexts) == ("7", "Common Noun", ("Fish",))
    assert words(idea) == [("en", "fish"), ("as", "মাছ"), ("as", "মীন")]
    assert [word.roman for word in idea.words] == [None, "mas", "min"]
    assert idea.definitions[0].text == "An animal."


LABELS = [
    ("Noun", "Noun"),
    ("Verb", "Verb"),
    ("Adjective", "Adjective"),
    ("Other", "Other"),
    ("noun", "Common Noun"),
    ("verb", "Verb"),
    ("v.", "Verb"),
    ("v.t.", "Transitive"),
    ("adj.", "Proper Adjective"),
    ("prefix", "Prefix"),
    ("suff.", "Suffix"),
    ("Mapped", "Adverb"),
]


def test_labels_of_parts_of_speech_in_a_table_become_list_values(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for label, value in LABELS:
        with subtests.test(label):
            options = ImportOptions(source=SOURCE, values={"pos": {"Mapped": "Adverb"}})
            (idea,) = ideas(read(tmp_path, "csv", {"a.csv": f"word:en,pos\nx,{label}\n"}, options))

            assert idea.pos == value

    remapped = ImportOptions(source=SOURCE, values={"pos": {"Noun": "Common Noun"}})
    (idea,) = ideas(read(tmp_path, "csv", {"a.csv": "word:en,pos\nx,Noun\n"}, remapped))
    assert idea.pos == "Common Noun"


GRAMMAR_MARKS: list[tuple[str, str, tuple[str, ...]]] = [
    ("casa <n>", "casa", ("n",)),
    ("casa <n, f>, hogar <n, m>", "casa, hogar", ("n", "f", "n", "m")),
    ("tijeras <fpl>", "tijeras", ("fpl",)),
    ("take off <PhrV> [aviation]", "take off [aviation]", ("phrv",)),
    ("the <p> tag", "the <p> tag", ()),
    ("the <a> and <html>", "the <a> and <html>", ()),
    ("<n>", "<n>", ()),
    ("a <b", "a <b", ()),
    ("write to <me>", "write to <me>", ()),
]


def test_grammar_marks_are_removed_and_other_text_in_angle_brackets_stays() -> None:
    for text, plain, labels in GRAMMAR_MARKS:
        assert extract_labels(text) == (plain, labels), text


def test_text_in_brackets_beside_a_word_is_its_note(tmp_path: Path) -> None:
    content = 'English,Assamese\n"bank (of a river, lake)","পাৰ, ঘাট (নৈৰ)"\n'
    (idea,) = ideas(read(tmp_path, "csv", {"a.csv": content}, ImportOptions(source=SOURCE)))

    assert [(word.text, word.note) for word in idea.words] == [
        ("bank", "of a river, lake"),
        ("পাৰ", None),
        ("ঘাট", "নৈৰ"),
    ]


def test_a_table_with_a_language_column_has_a_word_a_row(tmp_path: Path) -> None:
    content = "key\tlanguage\tword\n1\tasm\tমাছ\n1\ten\tfish\n"
    found = ideas(read(tmp_path, "csv", {"a.tsv": content}, ImportOptions(source=SOURCE)))

    assert [(idea.key, words(idea)) for idea in found] == [("1", [("as", "মাছ")]), ("1", [("en", "fish")])]


def test_columns_and_values_of_a_table_can_be_mapped(tmp_path: Path) -> None:
    options = ImportOptions(source=SOURCE, columns={"A": "word:as", "B": "pos"}, values={"pos": {"কৰ্ম": "Transitive"}})
    (idea,) = ideas(read(tmp_path, "csv", {"a.csv": "A,B\nখা,কৰ্ম\n"}, options))

    assert (words(idea), idea.pos) == ([("as", "খা")], "Transitive")


def test_a_table_without_a_word_column_is_rejected_with_advice(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="mapping file"):
        read(tmp_path, "csv", {"a.csv": "column one,column two\n1,2\n"})


def test_mixed_line_ends_are_read_and_a_broken_row_is_reported_by_its_line(tmp_path: Path) -> None:
    content = b"en,as\r\nfish,\xe0\xa6\xae\r\nwater,\xff\nbird,\xe0\xa6\x9a\n"
    found = read(tmp_path, "csv", {"a.csv": content}, ImportOptions(source=SOURCE))

    assert [(one.line, one.detail.split(".")[0]) for one in found if isinstance(one, RecordError)] == [
        (3, "The line is not UTF-8 text"),
    ]
    assert [one.line for one in found if isinstance(one, LocatedRecord)] == [0, 2, 4]


def test_only_sheets_with_the_columns_of_the_first_are_read(tmp_path: Path) -> None:
    with Workbook(str(tmp_path / "words.xlsx")) as workbook:
        for name, rows in {
            "Empty": [],
            "Words 1": [["en", "as"], ["fish", "মাছ"]],
            "Words 2": [["en", "as"], ["water", "পানী"]],
            "Sources": [["code", "name"], ["s", "S"]],
        }.items():
            sheet = workbook.add_worksheet(name)
            for place, row in enumerate(rows):
                sheet.write_row(place, 0, row)
    found = ideas(read(tmp_path, "csv", {}, ImportOptions(source=SOURCE)))

    assert [words(idea) for idea in found] == [
        [("en", "fish"), ("as", "মাছ")],
        [("en", "water"), ("as", "পানী")],
    ]


def test_a_table_in_utf_16_is_read(tmp_path: Path) -> None:
    (idea,) = ideas(read(tmp_path, "csv", {"a.csv": "en,as\nfish,মাছ\n".encode("utf-16")}, ImportOptions(source=SOURCE)))

    assert words(idea) == [("en", "fish"), ("as", "মাছ")]


def test_a_cell_of_a_million_characters_is_reported_and_the_rest_read(tmp_path: Path) -> None:
    content = "en,as\n" + "x" * 1_100_000 + ",a\nfish,মাছ\n"
    found = read(tmp_path, "csv", {"a.csv": content}, ImportOptions(source=SOURCE))

    assert [one.line for one in found if isinstance(one, RecordError)] == [2]
    assert [one.line for one in found if isinstance(one, LocatedRecord)] == [0, 3]


def test_pairs_take_their_languages_from_the_name_of_the_file(tmp_path: Path) -> None:
    found = ideas(read(tmp_path, "pairs", {"en_mni-Mtei.tsv": "water\tꯏꯁꯤꯡ\n"}, ImportOptions(source=SOURCE)))

    assert [(idea.key, words(idea)) for idea in found] == [("water", [("en", "water"), ("mni-Mtei", "ꯏꯁꯤꯡ")])]


def test_an_import_without_a_source_is_rejected_with_advice(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--licence"):
        read(tmp_path, "pairs", {"en_as.tsv": "a\tb\n"}, ImportOptions())


WORDNET = {
    "data.noun": "  1 This is the licence.\n"
    "00000001 05 n 02 fish 0 sea_fish 0 002 @ 00000002 n 0000 "
    '~ 00000003 n 0000 | a water animal; "he caught a fish"  \n'
    "00000002 03 n 01 animal 0 000 | a living thing  \n",
    "data.verb": "00000009 29 v 01 eat 0 000 01 + 08 00 | take food  \n",
    "index.noun": "fish n 1 2 @ ~ 1 1 00000001  \nanimal n 1 0 1 1 00000002  \n",
    "noun.exc": "fishes fish\n",
}


def test_wordnet_becomes_ideas_with_relations_and_numbered_meanings(tmp_path: Path) -> None:
    found = records(read(tmp_path, "wordnet", dict(WORDNET), ImportOptions()))

    fish = found[0]
    assert isinstance(fish, IdeaRecord)
    assert (fish.key, fish.pos, fish.contexts) == ("00000001-n", "Common Noun", ("Animal",))
    assert fish.words == (WordRecord("en", "fish", position=1), WordRecord("en", "sea fish"))
    assert (fish.definitions[0].text, fish.examples[0].text) == ("a water animal", "he caught a fish")
    assert fish.relations == (RelationRecord("Hypernym", "wordnet:00000002-n"),)
    assert found[2] == IdeaRecord(
        "wordnet",
        "00000009-v",
        "Transitive",
        (WordRecord("en", "eat"),),
        definitions=found[2].definitions,  # type: ignore[union-attr]
    )
    assert found[3] == FormsRecord("en", "fish", (("fishes", ""),), optional=True)


def test_wordnet_frequencies_count_all_senses_of_a_word(tmp_path: Path) -> None:
    by_sense = {
        "cntlist.rev": "eat%2:34:00:: 1 30\nfish%1:05:00:: 1 50\nfish%1:13:00:: 2 10\nsea_fish%1:05:00:: 1 10\n"
    }
    by_count = {"cntlist": "30 eat%2:34:00:: 1\n50 fish%1:05:00:: 1\n10 fish%1:13:00:: 2\n10 sea_fish%1:05:00:: 1\n"}

    for counts in (by_sense, by_count):
        folder = tmp_path / next(iter(counts))
        found = ideas(read(folder, "wordnet", {**WORDNET, **counts}, ImportOptions()))

        frequencies = {word.text: word.frequency for idea in found for word in idea.words}
        assert frequencies == {"fish": 600_000, "sea fish": 100_000, "animal": None, "eat": 300_000}
        assert {word.frequency_source for idea in found for word in idea.words} == {FREQUENCY_SOURCE, None}


def test_broken_wordnet_counts_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cntlist\.rev has a line that does not follow cntlist"):
        read(tmp_path, "wordnet", {**WORDNET, "cntlist.rev": "fish%1:05:00:: 1\n"}, ImportOptions())


def test_words_of_other_wordnets_join_the_ideas_of_wordnet(tmp_path: Path) -> None:
    content = (
        "# A Wordnet\tasm\thttp://x\tCC BY\n00000001-n\tasm:lemma\tমাছ\n00000001-n\tlemma\tমীন\n"
        "00000002-s\tasm:lemma\tভাল\n"
    )
    found = ideas(read(tmp_path, "omw", {"wn-data-asm.tab": content}, ImportOptions()))

    assert [(idea.source, idea.key, words(idea)) for idea in found] == [
        ("wordnet", "00000001-n", [("as", "মাছ"), ("as", "মীন")]),
        ("wordnet", "00000002-a", [("as", "ভাল")]),
    ]
    assert found[0].words[0].source == "omw-a-wordnet"


def test_unimorph_gathers_the_forms_of_a_lemma(tmp_path: Path) -> None:
    content = "চহৰ\tচহৰত\tN;LOC\nচহৰ\tচহৰৰ\tN;GEN\nমাছ\tমাছে\tN;ERG\nbroken\n"
    found = read(tmp_path, "unimorph", {"asm.train": content})

    assert [one.record for one in found if isinstance(one, LocatedRecord)] == [
        FormsRecord("as", "চহৰ", (("চহৰত", "N;LOC"), ("চহৰৰ", "N;GEN"))),
        FormsRecord("as", "মাছ", (("মাছে", "N;ERG"),)),
    ]
    assert [one.line for one in found if isinstance(one, RecordError)] == [4]


def test_frequencies_are_per_million_words_or_counts_of_the_running_words(tmp_path: Path) -> None:
    content = "source\tper_million\tForm\na corpus\t12.50\t মাছ \n\ta\tঘৰ\n\t3\tপানী\n# no row\n"
    found = read(tmp_path, "frequencies", {"a.tsv": content}, ImportOptions(source=SOURCE, language="asm"))

    assert [one.record for one in found if isinstance(one, LocatedRecord)] == [
        FrequencyRecord("as", "মাছ", 12.5, "a corpus"),
        FrequencyRecord("as", "পানী", 3.0, "S"),
    ]
    assert [str(one) for one in found if isinstance(one, RecordError)] == [
        "a.tsv:3: 'a' is not a number in digits, such as 12.5."
    ]

    content = "# Running words: 8,000,000\nword\tcount\tsource\nমাছ\t731\tnews\nঘৰ\t9000000\tnews\n"
    found = read(tmp_path, "frequencies", {"a.tsv": content}, ImportOptions(language="as"))

    assert [one.record for one in found if isinstance(one, LocatedRecord)] == [
        FrequencyRecord("as", "মাছ", 91.375, "news")
    ]
    assert [one.detail for one in found if isinstance(one, RecordError)] == [
        "A word cannot occur 9000000 times in that many running words. Check both figures."
    ]


AMBIGUOUS_FREQUENCIES = [
    ("মাছ\t731\t12\n", "The first row of a.tsv must name the columns"),
    ("word\tsource\nমাছ\tnews\n", "The first row of a.tsv must name the columns"),
    ("word\tcount\tsource\nমাছ\t731\tnews\n", "How many running words do the counts of a.tsv refer to?"),
    ("word\tfrequency\nমাছ\t731\n", "Who counted the words of a.tsv?"),
]


def test_an_ambiguous_frequency_table_is_rejected(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for content, message in AMBIGUOUS_FREQUENCIES:
        with subtests.test(message), pytest.raises(InputError, match=re.escape(message)):
            read(tmp_path, "frequencies", {"a.tsv": content}, ImportOptions(language="as"))

    with pytest.raises(InputError, match=r"Which language are the words in\?"):
        read(tmp_path, "frequencies", {"a.tsv": "word\tfrequency\tsource\n"}, ImportOptions())


def test_proverbs_take_their_language_from_the_column(tmp_path: Path) -> None:
    content = "no\ttheme\tassamese\troman_gurdon\tenglish\n5\tBoasting\tনগৈ কয়\tnagai\tTells.\n6\t\t\t\t\n"
    found = read(tmp_path, "proverbs", {"p.tsv": content}, ImportOptions(source=SOURCE))

    assert found[1] == LocatedRecord("p.tsv", 2, PhraseRecord("s", "5", "as", "নগৈ কয়", "Other", "Tells.", "nagai"))
    assert isinstance(found[-1], RecordError)


def test_dictpress_has_definitions_under_entries_and_reports_entries_without(tmp_path: Path) -> None:
    content = (
        "-,W,মাছ,assamese,,,,,mas,,\n^,,fish,english,,,,,,noun,\n"
        "^,,An animal that lives in the water of rivers,english,,,,,,,\nx\n"
    )
    found = read(tmp_path, "dictpress", {"d.csv": content}, ImportOptions(source=SOURCE))

    first, second = (one.record for one in found[1:] if isinstance(one, LocatedRecord))
    assert isinstance(first, IdeaRecord)
    assert isinstance(second, IdeaRecord)
    assert (words(first), first.pos) == ([("as", "মাছ"), ("en", "fish")], "Common Noun")
    assert second.definitions[0].text.startswith("An animal")
    assert isinstance(found[-1], RecordError)

    content = "-,W,মাছ,assamese,,,,,,,\n-,W,পানী,assamese,,,,,,,\n^,,water,english,,,,,,noun,\n-,W,চৰাই,assamese,,,,,,,\n"
    found = read(tmp_path, "dictpress", {"d.csv": content}, ImportOptions(source=SOURCE))

    assert [one.line for one in found if isinstance(one, RecordError)] == [1, 4]


def test_other_wiktextract_editions_name_their_language_and_number_their_senses(tmp_path: Path) -> None:
    entry = {
        "word": "Rock",
        "lang_code": "de",
        "pos": "noun",
        "tags": ["masculine"],
        "etymology_texts": ["von englisch rock"],
        "sounds": [{"ipa": "\\\\ʁɔk\\\\"}],
        "senses": [
            {"glosses": ["eine Richtung der Musik seit 1950"], "sense_index": "1", "topics": ["music"]},
            {"glosses": ["ein Kleid unterhalb der Taille"], "sense_index": "2"},
        ],
        "translations": [{"word": "jupe", "lang_code": "fr", "sense": "Kleidung: ein Kleid", "sense_index": "2"}],
    }
    options = ImportOptions(target="de", values={"context": {"music": "Music"}})
    music, skirt = ideas(read(tmp_path, "wiktextract", {"k.jsonl": json.dumps(entry) + "\n"}, options))

    assert (music.gender, music.contexts, skirt.contexts) == ("Masculine", ("Music",), ())
    assert {definition.language for definition in (*music.definitions, *skirt.definitions)} == {"de"}
    assert (words(music), words(skirt)) == ([("de", "Rock")], [("de", "Rock"), ("fr", "jupe")])
    assert (music.words[0].origin, music.words[0].ipa) == ("von englisch rock", "ʁɔk")


def test_a_short_gloss_with_a_remark_and_semicolons_is_a_list_of_words(tmp_path: Path) -> None:
    entry = {"word": "田", "lang_code": "zh", "pos": "noun", "senses": [{"glosses": ["field (classifier: 坵); paddy"]}]}
    (idea,) = ideas(read(tmp_path, "wiktextract", {"k.jsonl": json.dumps(entry) + "\n"}, ImportOptions()))

    assert words(idea) == [("zh", "田"), ("en", "field"), ("en", "paddy")]
    assert idea.words[1].note == "classifier: 坵"


TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body xml:lang="kha">
<entry><form><orth>um</orth><pron>um</pron></form><gramGrp><pos>n</pos><gen>f</gen></gramGrp>
<sense><cit type="trans" xml:lang="en"><quote>water</quote></cit><def>What one drinks.</def></sense></entry>
<entry><form><orth>empty</orth></form></entry>
</body></text></TEI>"""


def test_tei_entries_become_ideas(tmp_path: Path) -> None:
    found = read(tmp_path, "tei", {"k.tei": TEI}, ImportOptions(source=SOURCE))

    idea = found[1].record  # type: ignore[union-attr]
    assert isinstance(idea, IdeaRecord)
    assert (words(idea), idea.pos, idea.gender) == ([("kha", "um"), ("en", "water")], "Common Noun", "Feminine")
    assert found[2] == RecordError(
        "k.tei", 5, "The entry has no headword, or no meaning. It needs an orth in a form, and a sense."
    )


BOMB = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><TEI><entry><form><orth>&b;</orth></form></entry></TEI>'


BAD_XML = [(BOMB, "XML bomb"), (TEI[:300], "incomplete"), ("<a", "incomplete")]


def test_bad_xml_is_rejected(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for content, message in BAD_XML:
        with subtests.test(message), pytest.raises(InputError, match=message):
            read(tmp_path, "tei", {"k.xml": content})


LMF = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.4.dtd">
<LexicalResource><Lexicon id="w" label="W" language="as" email="a@b" license="CC0-1.0" version="1">
<LexicalEntry id="e1"><Lemma writtenForm="মাছ" partOfSpeech="n"/><Sense id="s1" synset="w-1"/></LexicalEntry>
<Synset id="w-1" ili="" partOfSpeech="n"><Definition language="en">An animal.</Definition>
<SynsetRelation relType="hypernym" target="w-2"/></Synset>
</Lexicon></LexicalResource>"""


def test_wn_lmf_joins_words_and_synsets_by_their_id(tmp_path: Path) -> None:
    word, synset = ideas(read(tmp_path, "wn-lmf", {"w.xml": LMF}, ImportOptions()))

    assert (word.source, word.key, words(word)) == ("w", "w-1", [("as", "মাছ")])
    assert (synset.key, synset.relations) == ("w-1", (RelationRecord("Hypernym", "w:w-2"),))


def test_words_of_a_synset_have_the_order_of_its_members(tmp_path: Path, subtests: pytest.Subtests) -> None:
    entry = (
        '<LexicalEntry id="e2"><Lemma writtenForm="মীন" partOfSpeech="n"/><Sense id="s2" synset="w-1"/></LexicalEntry>'
    )
    for members in ["e2 e1", "s2 s1"]:
        with subtests.test(members):
            content = LMF.replace('<Synset id="w-1"', f'{entry}<Synset id="w-1" members="{members}"')
            found = ideas(read(tmp_path, "wn-lmf", {"w.xml": content}, ImportOptions()))

            assert [(word.text, word.rank) for idea in found for word in idea.words] == [("মাছ", 2), ("মীন", 1)]


def test_senses_that_are_opposites_relate_their_ideas(tmp_path: Path) -> None:
    entry = (
        '<LexicalEntry id="e{0}"><Lemma writtenForm="{1}" partOfSpeech="a"/><Sense id="s{0}" synset="w-{0}">'
        '<SenseRelation relType="{2}" target="s{3}"/></Sense></LexicalEntry>'
    )
    entries = entry.format(8, "ভাল", "antonym", 9) + entry.format(9, "বেয়া", "antonym", 8)
    content = LMF.replace("<Synset ", entries + entry.format(7, "নাই", "antonym", 77) + "<Synset ", 1)
    found = ideas(read(tmp_path, "wn-lmf", {"w.xml": content}, ImportOptions()))

    assert [(idea.key, idea.relations) for idea in found[-2:]] == [
        ("w-8", (RelationRecord("Antonym", "w:w-9"),)),
        ("w-9", (RelationRecord("Antonym", "w:w-8"),)),
    ]


def test_adjectives_of_wn_lmf_gather_round_others_and_latin_forms_are_romanizations(tmp_path: Path) -> None:
    entry = (
        '<Lemma writtenForm="情報" partOfSpeech="s"/><Form writtenForm="じょうほう" script="Hira"/>'
        '<Form writtenForm="joho" script="Latn-hepburn"/><Sense id="s1" synset="w-1"/>'
    )
    content = LMF.replace('<Lemma writtenForm="মাছ" partOfSpeech="n"/><Sense id="s1" synset="w-1"/>', entry)
    word = ideas(read(tmp_path, "wn-lmf", {"w.xml": content}, ImportOptions()))[0]

    assert word.pos == "Proper Adjective"
    assert (word.words[0].roman, word.words[0].forms) == ("joho", ("じょうほう",))


def test_cldf_forms_join_by_concepticon(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "forms.csv": "ID,Language_ID,Parameter_ID,Form,native_script\n1,l1,p1,mās,মাছ\n2,l2,p1,x,\n",
        "languages.csv": "ID,Name,ISO639P3code\nl1,Assamese,asm\nl2,Unknown,\n",
        "parameters.csv": "ID,Name,Concepticon_ID,Concepticon_Definition\np1,fish,227,A water animal.\n",
    }
    found = read(tmp_path, "cldf", files, ImportOptions(source=SOURCE))
    idea = next(one.record for one in found if isinstance(one, LocatedRecord) and isinstance(one.record, IdeaRecord))

    assert (idea.source, idea.key) == ("concepticon", "227")
    assert idea.words == (WordRecord("as", "মাছ", roman="mās", source="s"),)
    assert "--map language:l2=" in next(one.detail for one in found if isinstance(one, RecordError))


def list_packed_files() -> Iterator[tuple[str, bytes]]:
    """Pack the same file in every way."""
    content = "water\tপানী\n".encode()
    yield "en_as.tsv.gz", gzip.compress(content)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("folder/en_as.tsv", content)
    yield "words.zip", stream.getvalue()
    yield "outer.zip.gz", gzip.compress(stream.getvalue())


def test_packed_files_are_read_like_plain_ones(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name, content in list_packed_files():
        with subtests.test(name):
            (idea,) = ideas(
                read(tmp_path / name.replace(".", "-"), "pairs", {name: content}, ImportOptions(source=SOURCE))
            )

            assert words(idea) == [("en", "water"), ("as", "পানী")]


def test_keys_that_are_too_long_are_hashed() -> None:

    assert len(build_key("x" * 500)) <= 200
    assert build_key("x" * 500) != build_key("x" * 501)
