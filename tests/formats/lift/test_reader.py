"""LIFT as FieldWorks exports it, read into ideas; made by hand, and FieldWorks's own where it is at hand."""

import re
import time
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest

from abhidhan.formats.error_reports import iter_report_rows
from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.lift import links
from abhidhan.formats.lift.multitext import get_timestamp, parse_writing_system, phonetic_tag, respelling_tag, roman_tag
from abhidhan.formats.lift.recordings import read_recordings
from abhidhan.formats.lift.vocabulary import find_context
from abhidhan.formats.recording_lists import ListedRecording
from abhidhan.records.errors import InputError
from abhidhan.records.import_records import LocatedRecord, RecordError
from abhidhan.records.kinds import ExampleRecord, FormsRecord, IdeaRecord, RelationRecord, WordRecord
from tests.support.importing import SOURCE, ideas, read, records, words
from tests.support.lift import DRINK, ENTRY, FIELDWORKS, HOT, OTHER, RANGES, ROOT, SCHEMA_FOLDER, WATER, needs_schema

BARE = ImportOptions(source=SOURCE)
LIFT = '<lift version="0.13">\n{}\n</lift>'
ENTRY_OF = '<entry id="{0}"><lexical-unit><form lang="as"><text>{0}</text></form></lexical-unit>{1}</entry>\n'
GLOSSED = '<sense id="{0}"><gloss lang="en"><text>{0}</text></gloss>{1}</sense>'


def read_fieldworks(folder: Path) -> list[IdeaRecord]:
    return ideas(read(folder, "lift", {"k/k.lift": FIELDWORKS, "k/k.lift-ranges": RANGES}, BARE))


def read_faults(folder: Path, entries: str) -> list[RecordError]:
    found = read(folder, "lift", {"a.lift": LIFT.format(entries)}, BARE)
    return [one for one in found if isinstance(one, RecordError)]


def test_every_sense_and_subsense_is_an_idea_with_the_headword_and_its_glosses(tmp_path: Path) -> None:
    water, drink, *others = read_fieldworks(tmp_path)

    assert water.key == f"mjw/{ENTRY}/{WATER}"
    assert words(water) == [("mjw", "lang"), ("en", "water"), ("en", "river water"), ("as", "পানী"), ("la", "Aqua pura")]
    assert (water.pos, water.contexts) == ("Common Noun", ("Water",))
    assert [(one.language, one.text) for one in water.definitions] == [("en", "What falls as rain.\nClear.")]
    assert water.examples == (ExampleRecord("mjw", "Lang jun.", "Drink water. / Dring wara. (tpi)"),)

    assert (drink.key, drink.pos, words(drink)[1]) == (f"mjw/{ENTRY}/{DRINK}", "Common Noun", ("en", "drink"))

    hot = next(one for one in others if one.key.endswith(HOT))
    assert (hot.words[1].text, hot.words[1].note) == ("hot", "?")


def test_every_field_of_a_headword_is_kept(tmp_path: Path) -> None:
    head = read_fieldworks(tmp_path)[0].words[0]

    assert (head.ipa, head.roman, head.variant) == ("laŋ", None, "Dialect")
    assert head.forms == ("লাং", "lāng")
    assert head.origin == "proto: Proto-Karbi *laŋ ‘water’; sure"
    assert head.reference == "Grüssner 1978; T 12"
    assert head.note == (
        "Common.; anthropology: Holy.; picture: lang.jpg; semantic domain: 1.3.4 Be in water; "
        "semantic domain: 2.3 Sense; part of speech: n_x"
    )


def test_relations_and_variants_are_resolved_by_the_ids_of_senses_and_entries(tmp_path: Path) -> None:
    imported = read_fieldworks(tmp_path)

    related = {one.key: one for one in imported if one.relations}
    assert related[f"mjw/{ENTRY}/{WATER}"].relations == (RelationRecord("Near-synonym", f"s:mjw/{ENTRY}/{DRINK}"),)
    assert related[f"mjw/{OTHER}/{HOT}"].relations == (RelationRecord("Derived from", f"s:mjw/{ENTRY}/{WATER}"),)

    variants = [one for one in imported if words(one) == [("mjw", "laang")]]
    assert [one.key for one in variants] == [f"mjw/{ENTRY}/{WATER}", f"mjw/{ENTRY}/{DRINK}"]
    assert variants[0].words[0].variant == "Dialect"
    assert variants[0].words[0].note == "variant of lang (Dialectal Variant)"


def test_a_relation_to_an_id_of_too_many_senses_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "MAX_IDEAS_PER_ID", 3)
    same = "".join(GLOSSED.format(f"sense {number}", "") for number in range(9))
    leading = ENTRY_OF.format("b", '<relation type="_component-lexeme" ref="a"/>')

    faults = read_faults(tmp_path, ENTRY_OF.format("a", same) + leading)

    assert [one.detail[:37] for one in faults] == ["More than 3 senses have the ID 'a' of"]


def test_a_repeated_id_is_reported_once(tmp_path: Path) -> None:
    twice = f'<entry id="a_{ENTRY}" guid="{ENTRY}">' + ENTRY_OF.format("a", GLOSSED.format(HOT, "")).partition(">")[2]
    faults = read_faults(tmp_path, twice * 2 + ENTRY_OF.format("b", GLOSSED.format(HOT, "<note/>")))

    assert [(one.line, one.detail.partition(" Give")[0]) for one in faults] == [
        (3, f"3 elements `sense` have the ID '{HOT}', the first on line 2."),
        (3, f"2 elements `entry` have the ID 'a_{ENTRY}', the first on line 2."),
    ]


CATEGORIES: list[tuple[str, str | None, str | None]] = [
    ("Verb", "Verb", None),
    ("v", "Verb", None),
    ("Transitive verb", "Transitive", None),
    ("Suffix", "Suffix", None),
    ("Copulative", "Verb", "part of speech: Copulative"),
    ("aux", "Verb", None),
    ("Hydronym", None, "part of speech: Hydronym"),
]


def test_a_category_becomes_the_part_of_speech_of_its_name_or_parent(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for category, pos, note in CATEGORIES:
        with subtests.test(category):
            ranges = (
                '<lift-ranges><range id="grammatical-info"><range-element id="Verb"/>'
                '<range-element id="Copulative" parent="Verb"/>'
                '<range-element id="aux" parent="Other"><label><form lang="en"><text>verb</text></form></label>'
                "</range-element>"
                "</range></lift-ranges>"
            )
            entry = ENTRY_OF.format("a", GLOSSED.format("x", f'<grammatical-info value="{category}"/>'))
            (idea,) = ideas(read(tmp_path, "lift", {"a.lift": LIFT.format(entry), "a.lift-ranges": ranges}, BARE))

            assert (idea.pos, idea.words[0].note) == (pos, note)


def test_a_file_without_any_known_headword_language_is_rejected(tmp_path: Path) -> None:
    entries = ENTRY_OF.format("a", GLOSSED.format("x", "")) + ENTRY_OF.format("b", GLOSSED.format("y", ""))
    content = LIFT.format(entries).replace('"as"', '"qaa-x-kamrup"')

    with pytest.raises(InputError, match=r"2 headwords.*: --map 'language:qaa-x-kamrup=CODE'\.$"):
        read(tmp_path, "lift", {"a.lift": content}, BARE)
    for tag in ("qaa-x-kamrup", "qaa"):
        mapped = ImportOptions(source=SOURCE, values={"language": {tag: "as"}})
        assert len(ideas(read(tmp_path, "lift", {"a.lift": content}, mapped))) == len("ab")
    one_known = content.replace("qaa-x-kamrup", "as", 1)
    assert len(ideas(read(tmp_path, "lift", {"a.lift": one_known}, BARE))) == len("ab")


def test_senses_are_sorted_by_their_order_attribute(tmp_path: Path) -> None:
    senses = [
        GLOSSED.format(gloss, "").replace("<sense", f'<sense order="{order}"') for order, gloss in ((2, "b"), (1, "a"))
    ]
    found = ideas(read(tmp_path, "lift", {"a.lift": LIFT.format(ENTRY_OF.format("ক", "".join(senses)))}, BARE))

    assert [idea.words[1].text for idea in found] == ["a", "b"]


def test_ranges_within_the_file_name_parts_of_speech(tmp_path: Path) -> None:
    ranges = RANGES.partition("<lift-ranges>")[2].partition("</lift-ranges>")[0]
    text = FIELDWORKS.replace('<range id="grammatical-info" href="file://C:/lists.lift-ranges"/>', ranges)
    assert text != FIELDWORKS

    assert ideas(read(tmp_path, "lift", {"k.lift": text}, BARE))[0].pos == "Common Noun"


def test_inflected_forms_keep_their_type(tmp_path: Path) -> None:
    found = records(read(tmp_path, "lift", {"k.lift": FIELDWORKS}, BARE))

    assert [one for one in found if isinstance(one, FormsRecord)] == [
        FormsRecord("mjw", "lang", (("langatum", "plural"),))
    ]


def test_the_citation_form_in_the_requested_language_is_the_headword(tmp_path: Path) -> None:
    unit = '<lexical-unit><form lang="en"><text>x</text></form><form lang="as"><text>মাছ</text></form>'
    unit += '<form lang="as-Latn"><text>mas</text></form></lexical-unit>'
    cited = '<citation><form lang="as"><text>মাছটো</text></form></citation>'
    entry = f"<entry>{cited}{unit}{GLOSSED.format('fish', '')}</entry>"
    options = ImportOptions(source=SOURCE, language="as")
    (idea,) = ideas(read(tmp_path, "lift", {"a.lift": LIFT.format(entry)}, options))

    assert idea.words[0] == WordRecord("as", "মাছটো", roman="mas", forms=("x", "মাছ"))


def test_a_gloss_becomes_a_word_or_a_definition_by_its_form(tmp_path: Path) -> None:
    glosses = {
        "to_go": "word",
        "-PL": "definition",
        "3SG": "definition",
        "?": "nothing",
        "one who goes far away": "def",
    }
    entries = [
        ENTRY_OF.format(f"ক{number}", f'<sense><gloss lang="en"><text>{gloss}</text></gloss></sense>')
        for number, gloss in enumerate(glosses)
    ]
    found = read(tmp_path, "lift", {"a.lift": LIFT.format("".join(entries))}, BARE)
    imported = [one.record for one in found if isinstance(one, LocatedRecord) and isinstance(one.record, IdeaRecord)]

    assert [[word.text for word in one.words[1:]] for one in imported] == [["to go"], [], [], []]
    assert [[each.text for each in one.definitions] for one in imported] == [
        [],
        ["-PL"],
        ["3SG"],
        ["one who goes far away"],
    ]
    assert [fault.line for fault in found if isinstance(fault, RecordError)] == [5]


def test_a_semantic_domain_becomes_the_context_of_its_nearest_ancestor() -> None:
    for domain, context in [
        ("1.6.1.2.3 Water bird", "Bird"),
        ("1.5 Plant", "Botany"),
        ("3 Language and thought", None),
        ("body", None),
    ]:
        assert find_context(domain) == context, domain


def test_domains_parts_of_speech_and_languages_can_be_mapped(tmp_path: Path) -> None:
    traits = '<grammatical-info value="hydronym"/><trait name="semantic-domain-ddp4" value="2.3 Sense"/>'
    content = LIFT.format(ENTRY_OF.format("ক", GLOSSED.format("x", traits))).replace('"as"', '"qaa-x-kamrup"')
    values = {"language": {"qaa": "as"}, "pos": {"hydronym": "Proper Noun"}, "context": {"2.3 Sense": "Anatomy"}}
    (idea,) = ideas(read(tmp_path, "lift", {"a.lift": content}, ImportOptions(source=SOURCE, values=values)))

    assert (idea.words[0].language, idea.pos, idea.contexts) == ("as", "Proper Noun", ("Anatomy",))


def test_each_fault_names_its_line_its_element_and_the_remedy(tmp_path: Path) -> None:
    long = ENTRY_OF.format("ক" * 201, GLOSSED.format("y", '<relation type="Antonym" ref="x"/>'))
    entries = (
        "<entry/>\n"
        + ENTRY_OF.format("ক", "")
        + ENTRY_OF.format("খ", "<sense><gloss lang='en'><text/></gloss></sense>")
        + ENTRY_OF.format("গ", GLOSSED.format("x", '<relation type="Antonym" ref="nowhere"/>'))
        + long
    )
    rows = [row for fault in read_faults(tmp_path, entries) for row in iter_report_rows(fault)]

    assert [(row.row, row.column) for row in rows] == [
        (2, "lexical-unit"),
        (3, "sense"),
        (4, "sense"),
        (6, "lexical-unit"),
        (5, "relation"),
    ]
    assert all(row.problem and row.remedy for row in rows)


def test_an_enormous_text_an_entity_and_a_file_cut_short_are_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE lift [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>' + LIFT.format("<entry>&b;</entry>")
    outside = '<!DOCTYPE lift SYSTEM "file:///etc/passwd">' + LIFT.format(ENTRY_OF.format("ক", GLOSSED.format("x", "")))
    deep = LIFT.format("<entry>" + "<subsense>" * 200)
    huge = LIFT.format(f"<entry><note><form><text>{'x' * 17_000_000}</text></form></note></entry>")
    for number, content in enumerate((bomb, deep, huge, LIFT[:-5].format("<entry>"))):
        with pytest.raises(InputError, match=r"is not read|incomplete"):
            read(tmp_path / str(number), "lift", {"a.lift": content}, BARE)
    assert len(ideas(read(tmp_path / "dtd", "lift", {"a.lift": outside}, BARE))) == 1


def test_recordings_are_found_by_name_or_path(tmp_path: Path) -> None:
    for name in ("k/k.lift", "k/audio/lang.wav", "k/elsewhere/lang-2.wav"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(FIELDWORKS if name.endswith("lift") else "", "utf-8")
    found = read_recordings([tmp_path], BARE)
    (tmp_path / "k/audio/lang.wav").unlink()
    lost = read_recordings([tmp_path], BARE)

    named = [(one.file, one.language, one.text) for one in found.rows if isinstance(one, ListedRecording)]
    assert sorted(named) == [("k/audio/lang.wav", "mjw", "lang"), ("k/elsewhere/lang-2.wav", "mjw", "lang")]
    assert [one.detail for one in lost.rows if isinstance(one, RecordError)] == [
        "There is no file 'lang.wav' in the folder `audio`. Put it there, next to the .lift file."
    ]


def test_recordings_of_any_format_are_found_and_missing_ones_reported(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for ending in ["mp3", "webm"]:
        with subtests.test(ending):
            folder = tmp_path / ending
            media = f'<pronunciation><media href="a.{ending}"/><media href="b.{ending}"/></pronunciation>'
            spoken = f'<lexical-unit><form lang="as-Zxxx-x-audio"><text>c.{ending}</text></form>'
            entry = ENTRY_OF.format("ক", media + GLOSSED.format("x", "")).replace("<lexical-unit>", spoken)
            (folder / "audio").mkdir(parents=True)
            (folder / "a.lift").write_text(LIFT.format(entry), "utf-8")
            for name in "ac":
                (folder / "audio" / f"{name}.{ending}").write_text("")
            found = read_recordings([folder], BARE).rows

            assert [one.file for one in found if isinstance(one, ListedRecording)] == [
                f"audio/a.{ending}",
                f"audio/c.{ending}",
            ]
            assert [one.detail[:30] for one in found if isinstance(one, RecordError)] == [
                f"There is no file 'b.{ending}' in the"[:30]
            ]


def test_a_deleted_entry_yields_no_words_and_no_recordings(tmp_path: Path) -> None:
    gone = re.sub("<entry (?![^>]*dateDeleted)", '<entry dateDeleted="2024-01-01T00:00:00Z" ', FIELDWORKS)
    (tmp_path / "k/audio").mkdir(parents=True)
    (tmp_path / "k/k.lift").write_text(gone, "utf-8")

    assert gone != FIELDWORKS
    assert ideas(read(tmp_path / "read", "lift", {"k.lift": gone}, BARE)) == []
    assert read_recordings([tmp_path], BARE).rows == []


def test_dates_without_a_time_zone_are_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    for written in ["2008-01-01", "2008-01-01T00:00:00", "2008-01-01T00:00:00Z"]:
        monkeypatch.setenv("TZ", "Asia/Kolkata")
        time.tzset()
        moment = get_timestamp(Element("entry", dateCreated=written), "dateCreated")
        monkeypatch.undo()
        time.tzset()

        assert moment == 1_199_145_600, written


def test_writing_systems_are_distinguished_and_named() -> None:
    assert parse_writing_system("qaa-Zxxx-x-audio").is_audio
    assert parse_writing_system("mjw-fonipa").is_phonetic
    assert parse_writing_system("as").is_spelling
    assert [roman_tag(code) for code in ("as", "en", "mni-Mtei")] == [
        "as-Latn-x-roman",
        "en-x-roman",
        "mni-Latn-x-roman",
    ]
    assert (phonetic_tag("as"), respelling_tag("mni-Mtei")) == ("as-fonipa", "mni-Beng-x-respell")


@needs_schema
def test_real_exports_of_fieldworks_are_imported_completely(tmp_path: Path) -> None:
    counts = {}
    for name in ("FlexLiftExport", "lift_with_semantic_domain"):
        content = (SCHEMA_FOLDER / "examples" / f"{name}.lift").read_text("utf-8")
        options = ImportOptions(source=SOURCE, values={"language": {"qaa": "aau"}})
        found = read(tmp_path / name, "lift", {"a.lift": content}, options)
        imported = [
            one.record for one in found if isinstance(one, LocatedRecord) and isinstance(one.record, IdeaRecord)
        ]
        kinds = [row.problem for one in found if isinstance(one, RecordError) for row in iter_report_rows(one)]
        senses = content.count("<sense ") + content.count("<subsense ")
        meaningless = kinds.count("The sense has no meaning.")
        counts[name] = (senses, sum(bool(one.words and one.words[0].language != "en") for one in imported), meaningless)
        assert len({one.key for one in imported}) + meaningless == senses
    assert set(counts) == {"FlexLiftExport", "lift_with_semantic_domain"}


def test_the_example_in_the_documentation_is_right(tmp_path: Path) -> None:
    text = (ROOT / "docs/importing.md").read_text("utf-8")
    entry, claims = text.split("```xml\n<entry")[1].split("\n```\n")[:2]
    (idea,) = ideas(read(tmp_path, "lift", {"a.lift": LIFT.format("<entry" + entry)}, BARE))

    assert f'"{idea.pos}"' in claims
    assert f'"{idea.contexts[0]}"' in claims
    assert ", ".join(f"`{language}: {word}`" for language, word in words(idea)) in claims
