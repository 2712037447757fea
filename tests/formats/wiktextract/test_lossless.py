"""Wiktextract: every value of an entry is kept or reported, and a line of the wrong shape costs only itself."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from abhidhan.formats.importer_api import ImportOptions, ParsedRecord
from abhidhan.formats.losses import list_leaves
from abhidhan.formats.wiktextract.entries import CONVERTED_FIELDS
from abhidhan.records.import_records import LocatedRecord, RecordError, UnstoredValue
from abhidhan.records.kinds import FormsRecord, IdeaRecord
from tests.support.databases import SqliteDatabases
from tests.support.importing import read, words
from tests.support.lossless import NO_OPTIONS, import_file

Entry = dict[str, Any]


def linked(name: str) -> Entry:
    """Make a related word with every key."""
    keys = ("word", "roman", "alt", "translation", "english", "extra", "qualifier", "source", "taxonomic", "sense")
    return {
        **{key: f"{key}-of-{name}" for key in keys},
        **{key: [f"{key}-of-{name}"] for key in ("tags", "raw_tags", "topics", "urls")},
        "ruby": [[f"base-of-{name}", f"ruby-of-{name}"]],
    }


OF_SENSES: Final = ("synonyms", "antonyms", "hypernyms", "hyponyms", "holonyms", "meronyms", "coordinate_terms")
OF_ENTRIES: Final = (
    *OF_SENSES,
    "derived",
    "related",
    "troponyms",
    "instances",
    "abbreviations",
    "proverbs",
    "anagrams",
)

ENGLISH: Final[Entry] = {
    "word": "bankword",
    "lang": "English",
    "lang_code": "en",
    "pos": "noun",
    "original_title": "bankword/original",
    "redirects": ["bankword-redirects"],
    "etymology_number": 1,
    "etymology_text": "From banca, a bench.",
    "etymology_templates": [
        {"name": "der-name", "args": {"1": "der-one", "sort": "der-sort"}, "expansion": "der-expansion"}
    ],
    "etymology_examples": [{"text": "etymology-example", "ref": "etymology-ref", "type": "etymology-type"}],
    "head_templates": [{"name": "head-name", "args": {"1": "head-one"}, "expansion": "head-expansion"}],
    "inflection_templates": [{"name": "infl-name", "args": {"1": "infl-one"}}],
    "info_templates": [
        {"name": "info-name", "extra_data": {"tags": ["info-tag"], "words": ["info-word"], "meaning": "i"}}
    ],
    "categories": ["entry-category"],
    "literal_meaning": "entry-literal",
    "wikidata": ["Q22687"],
    "wikipedia": ["entry-wikipedia"],
    "hyphenation": ["hyphen-old"],
    "hyphenations": [{"parts": ["hyphen-one", "hyphen-two"], "tags": ["hyphen-tag"]}],
    "forms": [
        {
            "form": "bankwords",
            "tags": ["plural"],
            "raw_tags": ["form-raw-tag"],
            "head_nr": 77,
            "ipa": "form-ipa",
            "roman": "form-roman",
            "ruby": [["form-base", "form-ruby"]],
            "source": "form-source",
            "topics": ["form-topic"],
            "links": [["form-link", "form-target"]],
        },
        {"form": "bankwordish"},
        {"form": "romanized-bank", "tags": ["romanization"]},
        {"form": "no-table-tags", "tags": ["table-tags"]},
    ],
    "sounds": [
        {"ipa": "/bæŋkə/"},
        {
            "ipa": "/beɪŋkɪ/",
            **{key: [f"sound-{key}"] for key in ("tags", "topics")},
            **{
                key: f"sound-{key}"
                for key in (
                    *("audio", "audio-ipa", "enpr", "form", "hangeul", "homophone", "mp3_url", "note", "ogg_url"),
                    *("other", "rhymes", "text", "zh-pron"),
                )
            },
        },
    ],
    "descendants": [
        {
            "lang_code": "de",
            "lang": "German",
            **{key: f"descendant-{key}" for key in ("word", "roman", "sense")},
            **{key: [f"descendant-{key}"] for key in ("tags", "raw_tags")},
            "ruby": [["descendant-base", "descendant-ruby"]],
            "descendants": [{"lang": "Danish", "word": "descendant-below"}],
        }
    ],
    "alt_of": [{"word": "alt-of-word", "extra": "alt-of-extra"}],
    "form_of": [{"word": "form-of-word", "extra": "form-of-extra", "roman": "form-of-roman"}],
    "senses": [
        {
            "id": "en-bankword-1",
            "senseid": ["en:money"],
            "head_nr": 78,
            "glosses": ["Kind of firm.", "An institution for money."],
            "raw_glosses": ["raw-gloss"],
            "tags": ["countable"],
            "raw_tags": ["sense-raw-tag"],
            "topics": ["sense-topic"],
            "qualifier": "sense-qualifier",
            "categories": ["sense-category"],
            "links": [["sense-link", "sense-link#English"]],
            "taxonomic": "sense-taxonomic",
            "wikidata": ["Q837171"],
            "wikipedia": ["sense-wikipedia"],
            "attestations": [{"date": "1474", "references": [{"text": "attested", "refn": "attested-refn"}]}],
            "alt_of": [{"word": "sense-alt", "extra": "sense-alt-extra"}],
            "form_of": [{"word": "sense-form-of"}],
            "compound_of": [{"word": "sense-compound"}],
            "related": [linked("sense-related")],
            "instances": [linked("sense-instances")],
            "translations": [{"word": "bankübersetzt", "lang_code": "de", "lang": "German"}],
            "examples": [
                {
                    "text": "She works at a bank.",
                    "translation": "তাই বেংকত কাম কৰে।",
                    "bold_text_offsets": [[901, 902]],
                    "bold_translation_offsets": [[903, 904]],
                    "bold_roman_offsets": [[905, 906]],
                    "bold_literal_offsets": [[907, 908]],
                    **{key: f"example-{key}" for key in ("english", "note", "ref", "roman", "type", "literal_meaning")},
                    **{key: [f"example-{key}"] for key in ("tags", "raw_tags")},
                    "ruby": [["example-base", "example-ruby"]],
                }
            ],
            **{name: [linked(f"sense-{name}")] for name in OF_SENSES},
        },
        {"glosses": ["Edge of a river."]},
    ],
    **{name: [linked(name)] for name in OF_ENTRIES},
    "translations": [
        {
            "word": "পাৰৰ শব্দ",
            "code": "as",
            "lang_code": "as",
            "lang": "Assamese",
            "sense": "edge of a river",
            "roman": "translation-roman",
            **{key: f"translation-{key}" for key in ("alt", "english", "translation", "note", "taxonomic")},
            **{key: [f"translation-{key}"] for key in ("tags", "topics")},
        },
        {"word": "অন্য শব্দ", "code": "as", "lang": "Assamese", "sense": "a sense that is no gloss"},
        {"lang": "Sanskrit", "note": "translation-without-word"},
    ],
}
"""Every key of the English edition."""

GERMAN: Final[Entry] = {
    "word": "Rockwort",
    "lang": "Deutsch",
    "lang_code": "de",
    "pos": "noun",
    "other_pos": ["other-pos"],
    "tags": ["masculine"],
    "raw_tags": ["entry-raw-tag"],
    "categories": ["Substantiv (Deutsch)"],
    "redirects": ["Rockworte"],
    "etymology_text": "von englisch rockword",
    "forms": [{"form": "des Rockworts", "tags": ["genitive"], "raw_tags": ["raw-genitive"], "source": "Flexion:Rock"}],
    "sounds": [
        {
            "ipa": "ʁɔkvɔʁt",
            "lang": "Deutsch",
            "lang_code": "de",
            "tags": ["sound-tag"],
            "raw_tags": ["sound-raw-tag"],
            **{key: f"sound-{key}" for key in ("audio", "wav_url", "ogg_url", "mp3_url", "oga_url", "flac_url")},
        }
    ],
    "senses": [
        {
            "senseid": "1",
            "glosses": ["ein Kleid unterhalb der Taille"],
            "raw_tags": ["sense-raw-tag"],
            "tags": ["sense-tag"],
            "categories": ["sense-category"],
            "examples": [
                {
                    "text": "Der Rock ist rot.",
                    **{
                        key: f"example-{key}"
                        for key in (
                            *("raw_ref", "url", "author", "title", "title_complement", "pages", "year", "publisher"),
                            *("editor", "translator", "collection", "volume", "comment", "day", "month", "accessdate"),
                            *("date", "number", "place", "edition", "isbn"),
                        )
                    },
                }
            ],
        },
        {"senseid": "2", "glosses": ["eine Richtung der Musik seit 1950"]},
    ],
    "translations": [
        {
            "sense": "Kleidung von früher",
            "word": "jupon",
            "lang_code": "fr",
            "lang": "Französisch",
            "uncertain": True,
            "roman": "translation-roman",
            "sense_id": "1",
            "raw_tags": ["translation-raw-tag"],
            "tags": ["feminine"],
            "notes": ["translation-note"],
        }
    ],
    **{
        name: [{"word": f"{name}-word", "sense_id": "2"}]
        for name in (
            *("antonyms", "derived", "hyponyms", "hypernyms", "holonyms", "expressions", "coordinate_terms"),
            *("proverbs", "synonyms"),
        )
    },
}
"""Every key of the German edition."""

FRENCH: Final[Entry] = {
    "word": "chatmot",
    "lang": "Français",
    "lang_code": "fr",
    "pos": "noun",
    "pos_title": "Nom commun 1",
    "title": "entry-title",
    "tags": ["masculine"],
    "raw_tags": ["entry-raw-tag"],
    "categories": ["entry-category"],
    "notes": ["entry-note"],
    "etymology_texts": ["Du latin cattus.", "Sens figuré."],
    "forms": [
        {
            "form": "chatmots",
            "tags": ["plural"],
            "raw_tags": ["form-raw-tag"],
            "ipas": ["ʃamo"],
            **{key: f"form-{key}" for key in ("source", "hiragana", "roman")},
        }
    ],
    "sounds": [
        {
            "ipa": "ʃamɔ",
            "tags": ["sound-tag"],
            "raw_tags": ["sound-raw-tag"],
            **{
                key: f"sound-{key}"
                for key in ("zh_pron", "audio", "wav_url", "oga_url", "ogg_url", "mp3_url", "opus_url", "flac_url")
            },
        }
    ],
    "senses": [
        {
            "glosses": ["Mammifère domestique."],
            "tags": ["sense-tag"],
            "raw_tags": ["sense-raw-tag"],
            "topics": ["sense-topic"],
            "categories": ["sense-category"],
            "note": "sense-note",
            "alt_of": [{"word": "sense-alt"}],
            "form_of": [{"word": "sense-form"}],
            "examples": [
                {"text": "Le chat dort.", "translation": "ex-tr", "roman": "example-roman", "ref": "example-ref"}
            ],
        },
        {"glosses": ["Jeu de poursuite."]},
    ],
    "translations": [
        {
            "lang_code": "en",
            "lang": "Anglais",
            "word": "tag-game",
            "sense": "jeu d’enfants",
            "sense_index": 2,
            "tags": ["translation-tag"],
            "raw_tags": ["translation-raw-tag"],
            "roman": "translation-roman",
            "traditional_writing": "translation-traditional",
        }
    ],
    **{
        name: [
            {
                **{key: f"{name}-{key}" for key in ("word", "roman", "alt", "translation", "sense")},
                **{key: [f"{name}-{key}"] for key in ("tags", "raw_tags", "topics")},
                "sense_index": 1,
                "lang": "Français",
                "lang_code": "fr",
            }
        ]
        for name in (
            *("antonyms", "synonyms", "hyponyms", "hypernyms", "holonyms", "meronyms", "derived", "troponyms"),
            *("paronyms", "related", "abbreviation", "proverbs"),
        )
    },
}
"""Every key of the French edition."""


def lines(*entries: Entry) -> str:
    """Write entries as lines."""
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)


def test_every_value_is_exported_or_reported(
    sqlite_databases: SqliteDatabases, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for entry in [ENGLISH, GERMAN, FRENCH]:
        with subtests.test(entry["lang"]):
            imported = import_file(sqlite_databases, tmp_path, "wiktextract", lines(entry))

            values = [
                value
                for field, value in list_leaves(entry)
                if field not in CONVERTED_FIELDS or field == "senses/topics"
            ]
            assert imported.rejected == []
            assert imported.find_unaccounted(values) == []


KEPT: Final = (
    *("From banca, a bench.", "bankwords", "plural", "bankwordish", "romanized-bank", "bæŋkə", "beɪŋkɪ", "sound-tags"),
    *("Kind of firm.", "An institution for money.", "countable", "sense-qualifier", "She works at a bank."),
    *("তাই বেংকত কাম কৰে।", "example-ref", "bankübersetzt", "word-of-sense-synonyms", "word-of-sense-antonyms"),
    *("পাৰৰ শব্দ", "translation-roman", "translation-note", "অন্য শব্দ", "a sense that is no gloss"),
)


def test_values_with_a_field_of_their_own_are_kept_in_it(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    imported = import_file(sqlite_databases, tmp_path, "wiktextract", lines(ENGLISH))

    assert [value for value in KEPT if not imported.has(value)] == []
    assert imported.report.unknown_names == {("context", "sense-topic"): 1}
    assert imported.reports("Sanskrit")


def test_the_report_counts_each_field_and_names_its_first_value(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    categories = [{**FRENCH, "word": word, "categories": [f"c-{word}", "c"]} for word in ("un", "deux")]

    lost = import_file(sqlite_databases, tmp_path, "wiktextract", lines(*categories)).report.lost_fields

    assert [(one.count, one.example) for one in lost if one.example.field == "categories"] == [
        (4, UnstoredValue("file.jsonl", 1, "categories", "c-un"))
    ]


def entries(tmp_path: Path, *some: Entry, options: ImportOptions = NO_OPTIONS) -> list[ParsedRecord]:
    """Read entries, without the source."""
    return read(tmp_path, "wiktextract", {"k.jsonl": lines(*some)}, options)[1:]


def ideas(found: list[ParsedRecord]) -> list[IdeaRecord]:
    """Take the ideas."""
    return [one.record for one in found if isinstance(one, LocatedRecord) and isinstance(one.record, IdeaRecord)]


def forms(found: list[ParsedRecord]) -> list[FormsRecord]:
    """Take the inflected forms."""
    return [one.record for one in found if isinstance(one, LocatedRecord) and isinstance(one.record, FormsRecord)]


BIRD: Final[Entry] = {
    "word": "bird",
    "lang_code": "en",
    "pos": "noun",
    "senses": [{"glosses": ["An animal that flies."]}],
}


LINES_OF_WRONG_SHAPE = [
    '{"word": "x", "lang_code": "en", "senses": [{"glosses": "Not a list."}]}',
    '{"word": ["x"], "lang_code": "en"}',
    '{"word": "x", "lang_code": "en", "translations": {"as": "y"}}',
    '{"word": "x", "lang_code": "en", "sounds": [null]}',
    '[{"word": "x", "lang_code": "en"}]',
    '"x"',
    "null",
    '{"word": "x"',
    '{"lang_code": "en"}',
    '{"word": "x", "lang_code": "en"}',
]


def test_a_line_of_the_wrong_shape_is_reported_and_the_others_are_kept(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for line in LINES_OF_WRONG_SHAPE:
        with subtests.test(line):
            found = read(
                tmp_path, "wiktextract", {"k.jsonl": lines(BIRD) + line + "\n" + lines(BIRD)}, ImportOptions()
            )[1:]

            assert [type(one) for one in found] == [LocatedRecord, RecordError, LocatedRecord]
            assert isinstance(found[1], RecordError)
            assert (found[1].file, found[1].line) == ("k.jsonl", 2)


TRANSLATIONS: list[tuple[str, Entry]] = [
    ("edge of a river", {}),
    ("Edge of a river", {}),
    ("Edge", {}),
    ("Ufer", {"sense_index": "2"}),
    ("Ufer", {"sense_index": 2}),
    ("Ufer", {"sense_id": "2"}),
]


def test_a_translation_finds_its_sense(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for sense, translation in TRANSLATIONS:
        with subtests.test(f"{sense} {translation}"):
            senses = [{"glosses": ["Institution."]}, {"glosses": ["Edge of a river."]}]
            named = {"word": "পাৰ", "code": "as", "sense": sense, **translation}

            money, river = ideas(entries(tmp_path, {**BIRD, "senses": senses, "translations": [named]}))

            assert (words(money), words(river)) == ([("en", "bird")], [("en", "bird"), ("as", "পাৰ")])


def test_a_translation_that_names_no_sense_of_several_is_a_meaning_of_its_own(tmp_path: Path) -> None:
    senses = [{"glosses": ["Institution."]}, {"glosses": ["Edge of a river."]}]
    named = [{"word": "পাৰ", "code": "as", "sense": "Translations"}, {"word": "কূল", "lang": "Assamese"}]

    found = entries(tmp_path, {**BIRD, "senses": senses, "translations": named})

    assert words(ideas(found)[2]) == [("en", "bird"), ("as", "পাৰ"), ("as", "কূল")]
    assert ideas(found)[2].definitions == ()
    assert [(one.field, one.value) for one in found if isinstance(one, UnstoredValue)] == [
        ("translations/sense", "Translations")
    ]


def test_the_wider_gloss_is_a_definition_unless_it_is_a_word_of_the_meaning(tmp_path: Path) -> None:
    senses = [{"glosses": ["bird", "bird (of prey)"]}, {"glosses": ["To move.", "To fly"]}]

    same, wider = ideas(entries(tmp_path, {**BIRD, "lang_code": "as", "word": "চৰাই", "senses": senses}))

    assert (words(same), same.definitions) == ([("as", "চৰাই"), ("en", "bird")], ())
    assert [one.text for one in wider.definitions] == ["To move."]


def test_an_inflected_form_finds_its_word_even_later_or_is_rejected_without_one(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    oxen = {"glosses": ["plural of oxword"], "tags": ["form-of", "plural"], "form_of": [{"word": "oxword"}]}
    plurals = [{**BIRD, "word": word, "senses": [oxen]} for word in ("oxwords", "oxworden")]
    imported = import_file(sqlite_databases, tmp_path, "wiktextract", lines(*plurals, {**BIRD, "word": "oxword"}))

    assert '"text":"oxword","forms":[["oxworden","plural"],["oxwords","plural"]]' in "".join(imported.lines)
    assert {loss.field for loss in imported.lost} == {"pos"}

    imported = import_file(sqlite_databases, tmp_path, "wiktextract", lines(BIRD, plurals[0]))

    assert [str(fault) for fault in imported.rejected] == [
        "file.jsonl:2: There is no word 'oxword' that has these forms."
    ]


def test_a_form_that_is_no_inflection_has_a_meaning_of_its_own(tmp_path: Path) -> None:
    euphemism = {
        "glosses": ["euphemistic form of birdy"],
        "tags": ["form-of", "euphemistic"],
        "form_of": [{"word": "birdy"}],
    }

    (idea,) = ideas(entries(tmp_path, {**BIRD, "senses": [euphemism]}))

    assert ([one.text for one in idea.definitions], idea.words[0].note) == (
        ["euphemistic form of birdy"],
        "euphemistic",
    )


def test_senses_of_the_same_gloss_are_several_meanings(tmp_path: Path) -> None:
    senses = [{"glosses": ["A rare thing."], "tags": [tag]} for tag in ("archaic", "slang")]
    found = ideas(entries(tmp_path, {**BIRD, "senses": senses}))

    assert [(idea.key.rpartition(":")[2], idea.words[0].note) for idea in found] == [
        ("A rare thing.", "archaic"),
        ("2", "slang"),
    ]


def test_forms_keep_their_tags(tmp_path: Path) -> None:
    written = [
        {"form": "flew", "tags": ["past"]},
        {"form": "flown", "tags": ["past", "participle"]},
        {"form": "flown", "tags": ["rare"]},
        {"form": "flie"},
    ]
    found = entries(tmp_path, {**BIRD, "forms": written})

    assert forms(found) == [FormsRecord("en", "bird", (("flew", "past"), ("flown", "past, participle; rare")))]
    assert ideas(found)[0].words[0].forms == ("flie",)


def test_a_second_entry_of_a_word_notes_its_differences(tmp_path: Path) -> None:
    first = {**BIRD, "sounds": [{"ipa": "/a/"}], "etymology_text": "From one."}
    second = {**BIRD, "pos": "verb", "sounds": [{"ipa": "/a/"}], "etymology_text": "From another."}

    one, other = (idea.words[0] for idea in ideas(entries(tmp_path, first, second)))

    assert (one.ipa, one.origin, one.note) == ("a", "From one.", None)
    assert (other.ipa, other.origin, other.note) == ("a", "From one.", "From another.")


GLOSS_LANGUAGES: list[tuple[Entry, str | None, str]] = [
    ({"lang_code": "de", "lang": "Deutsch"}, None, "de"),
    ({"lang_code": "en", "lang": "Anglais"}, None, "fr"),
    ({"lang_code": "en", "lang": "English"}, None, "en"),
    ({"lang_code": "en", "lang": "anything"}, None, "en"),
    ({"lang_code": "de", "lang": "Deutsch"}, "fr", "fr"),
]


def test_glosses_are_in_the_language_in_which_the_file_names_languages(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for named, target, language in GLOSS_LANGUAGES:
        with subtests.test(f"{named} {target}"):
            (idea,) = ideas(
                entries(
                    tmp_path,
                    {**BIRD, **named, "senses": [{"glosses": ["x y z and more words"]}]},
                    options=ImportOptions(target=target),
                )
            )

            assert [one.language for one in idea.definitions] == [language]


def test_entries_of_other_languages_are_counted_and_redirects_reported(tmp_path: Path) -> None:
    found = entries(tmp_path, BIRD, {**BIRD, "word": "Vogel", "lang_code": "de"}, options=ImportOptions(language="en"))

    assert [one for one in found if isinstance(one, UnstoredValue)] == [
        UnstoredValue("k.jsonl", 2, "word of another language", "Vogel")
    ]

    found = entries(tmp_path, {"title": "colour", "redirect": "color"})

    assert found == [UnstoredValue("k.jsonl", 1, "title", "colour"), UnstoredValue("k.jsonl", 1, "redirect", "color")]


PARTS_OF_SPEECH: list[tuple[str, dict[str, str], str | None]] = [
    ("noun", {}, "Common Noun"),
    ("suffix", {}, "Suffix"),
    ("wibble", {}, "wibble"),
    ("suffix", {"suffix": ""}, None),
    ("suffix", {"suffix": "X"}, "X"),
]


def test_parts_of_speech_are_mapped_and_unknown_ones_passed_on_to_be_reported(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for label, mapped, value in PARTS_OF_SPEECH:
        with subtests.test(f"{label} {mapped}"):
            (idea,) = ideas(entries(tmp_path, {**BIRD, "pos": label}, options=ImportOptions(values={"pos": mapped})))

            assert idea.pos == value
