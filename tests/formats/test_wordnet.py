"""Wordnets: each field of WN-LMF, of Princeton WordNet and of the Open Multilingual Wordnet is kept or reported."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring

from abhidhan.formats.importer_api import ImportOptions
from abhidhan.records.import_records import RecordError, UnstoredValue
from abhidhan.records.kinds import FormsRecord, RelationRecord
from tests.support.databases import SqliteDatabases
from tests.support.importing import SOURCE, ideas, read, records
from tests.support.kept_values import import_and_export

DUBLIN_CORE = (
    *("contributor", "coverage", "creator", "date", "description", "format", "identifier", "publisher", "relation"),
    *("rights", "source", "subject", "title", "type"),
)


def about(name: str) -> str:
    """Write the attributes that any element of WN-LMF may have, with unique values."""
    attributes = [*(f"dc:{each}" for each in DUBLIN_CORE), "status", "note", "confidenceScore"]
    return " ".join(f'{each}="{name}-{each.removeprefix("dc:")}"' for each in attributes)


def pronunciation_and_tag(name: str) -> str:
    """Write a pronunciation and a tag of a form."""
    about_it = f'variety="{name}-variety" notation="{name}-notation" phonemic="{name}-phonemic" audio="{name}-audio"'
    return f'<Pronunciation {about_it}>{name}-ipa</Pronunciation><Tag category="{name}-category">{name}-tag</Tag>'


def example(name: str) -> str:
    return f'<Example language="hi" {about(f"{name}-example")}>{name}-example-text</Example>'


def relation(name: str, of: str, kind: str, target: str = "") -> str:
    return f'<{of}Relation relType="{kind}" target="{target or f"{name}-target"}" {about(f"{name}-relation")}/>'


def sense(name: str) -> str:
    return (
        f'<Sense id="{name}-id" synset="{name}-synset" n="7501" lexicalized="{name}-lexicalized" '
        f'adjposition="{name}-position" subcat="{name}-subcat" {about(name)}>{relation(name, "Sense", "derivation")}'
        f"{relation(f'{name}-opposite', 'Sense', 'antonym')}{example(name)}"
        f"<Count {about(f'{name}-count')}>{name}-count-text</Count></Sense>"
    )


def synset(name: str) -> str:
    return (
        f'<Definition language="en" sourceSense="{name}-sense" {about(f"{name}-definition")}>{name}-definition-text'
        f"</Definition>{relation(name, 'Synset', 'hypernym', 'sense-synset')}"
        f"{relation(f'{name}-other', 'Synset', 'entails')}{example(name)}"
    )


WN_LMF = f"""<?xml version="1.0" encoding="UTF-8"?>
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
<Lexicon id="lexicon-id" label="lexicon-label" language="as" email="lexicon-email" license="CC0-1.0"
 version="lexicon-version" url="https://lexicon.example" citation="lexicon-citation" logo="lexicon-logo"
 {about("lexicon")}>
<Requires ref="required-ref" version="required-version" url="required-url"/>
<LexicalEntry id="entry-id" index="entry-index" {about("entry")}>
<Lemma writtenForm="মাছ" script="lemma-script" partOfSpeech="t">{pronunciation_and_tag("lemma")}</Lemma>
<Form id="form-id" writtenForm="mas-roman" script="Latn"/>
<Form writtenForm="tagged-form" script="tagged-script">{pronunciation_and_tag("tagged")}</Form>
<Form writtenForm="plain-form"/>{sense("sense")}
<SyntacticBehaviour id="frame-id" subcategorizationFrame="frame-text" senses="frame-senses"/></LexicalEntry>
<Synset id="synset-id" ili="synset-ili" partOfSpeech="a" lexicalized="synset-lexicalized" members="entry-id"
 lexfile="synset-lexfile" {about("synset")}>{synset("synset")}
<ILIDefinition {about("ili")}>ili-text</ILIDefinition></Synset>
<SyntacticBehaviour id="outer-id" subcategorizationFrame="outer-text" senses="outer-senses"/></Lexicon>
<LexiconExtension id="extension-id" label="extension-label" language="as" email="extension-email"
 license="extension-license" version="extension-version" url="https://extension.example" citation="extension-citation"
 {about("extension")}><Extends ref="extended-ref" version="extended-version" url="extended-url"/>
<ExternalLexicalEntry id="outside-id"><ExternalLemma>{pronunciation_and_tag("outside-lemma")}</ExternalLemma>
<ExternalForm id="outside-form">{pronunciation_and_tag("outside-form")}</ExternalForm><ExternalSense id="outside-sense">
{relation("outside-sense", "Sense", "antonym")}{example("outside-sense")}</ExternalSense></ExternalLexicalEntry>
<ExternalSynset id="outside-synset">{synset("outside")}</ExternalSynset></LexiconExtension></LexicalResource>"""


def list_values(element: Element) -> Iterator[str]:
    for name, value in element.attrib.items():
        # Languages and the script of a romanization are read into other fields, relations named in the report's.
        if name not in {"language", "relType"} and value != "Latn":
            yield value
    if element.text and element.text.strip():
        yield element.text
    for child in element:
        yield from list_values(child)


WORDNET = {
    "data.noun": "00000001 05 n 02 fish 4 sea_fish 7 003 @ 00000002 n 0000 + 00000003 v 0102 ;c 00000004 n 0000 | "
    'an animal; "some fish"- A. Writer; "two fish"\n00000002 03 n 01 animal 0 000 | a being  \n',
    "data.verb": "00000003 38 v 01 swim 0 001 ! 00000006 r 0201 01 + 22 00 | move in water  \n",
    "data.adj": "00000005 00 s 01 wet(ip) 0 000 | with water on it  \n",
    "data.adv": "00000006 02 r 01 wetly 0 000 | in a wet way  \n",
    "index.noun": "fish n 1 1 @ 1 57 00000001  \n",
    "index.verb": "swim v 1 1 ! 1 0 00000003  \n",
    "noun.exc": "fishes fish\noctopodes octopus\nfish fish\n",
    "cntlist.rev": "fish%1:05:00:: 1 8191\n",
}
OMW = {
    "wn-data-asm.tab": "# A Wordnet\tasm\thttps://wordnet.example\tCC0-1.0\textra-heading\n# later-comment\n"
    "00000001-n\tasm:lemma\tমাছ\n00000001-n\tasm:lemma:root\troot-text\n00000001-n\tasm:lemma:brokenplural\tplural-text\n"
    "00000001-n\tasm:lemma\textra-column\tword-text\n00000001-n\tasm:def\t1\tlater-meaning\n"
    "00000001-n\tasm:def\t0\tfirst-meaning\n00000001-n\tasm:exe\t0\texample-text\n00000003-v\tasm:lemma\tসাঁতোৰ\n"
}


FILES: list[tuple[str, Mapping[str, str], list[str]]] = [
    ("wn-lmf", {"a.xml": WN_LMF}, [*list_values(fromstring(WN_LMF))]),
    (
        "wordnet",
        WORDNET,
        [
            *("lex_filenum 03", "lex_id 4", "ptr + 00000003 v", "ptr c 00000004 n", "gloss A Writer"),
            *("source target 0201", "f_num 22", "ss_type s", "syntactic marker ip", "tagsense_cnt 57"),
            *("irregular form octopodes octopus", "tag_cnt 8191"),
            *(
                "some fish",
                "two fish",
                "an animal",
                "sea fish",
                "fishes",
                "wordnet 00000002 n",
                "wordnet 00000006 r",
            ),
        ],
    ),
    (
        "omw",
        OMW,
        [
            *("A Wordnet", "wordnet.example", "extra-heading", "later-comment", "root-text", "brokenplural"),
            *("plural-text", "extra-column", "word-text", "later-meaning", "first-meaning", "example-text"),
            *("00000001-n", "00000003-v", "মাছ", "সাঁতোৰ"),
        ],
    ),
]


def test_every_value_of_a_file_is_kept_or_reported(
    sqlite_databases: SqliteDatabases, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for name, files, values in FILES:
        with subtests.test(name):
            (tmp_path / name).mkdir()
            found = import_and_export(sqlite_databases, tmp_path / name, name, files, ImportOptions())

            assert found.rejected == 0
            assert found.find_missing(values) == []


def test_a_repeated_id_in_wn_lmf_is_reported_once(tmp_path: Path) -> None:
    entry = (
        '<LexicalEntry id="e"><Lemma writtenForm="{}" partOfSpeech="n"/><Sense id="{}" synset="y"/></LexicalEntry>\n'
    )
    content = (
        '<LexicalResource><Lexicon id="l" language="en" license="CC0-1.0">\n'
        + entry.format("a", "s")
        + entry.format("b", "s")
        + '<Synset id="y" partOfSpeech="n"/><Synset id="y" partOfSpeech="n"/>\n</Lexicon></LexicalResource>'
    )
    faults = [
        one for one in read(tmp_path, "wn-lmf", {"a.xml": content}, ImportOptions()) if isinstance(one, RecordError)
    ]

    assert sorted((one.line, one.detail.partition(",")[0]) for one in faults) == [
        (3, "2 elements `LexicalEntry` have the ID 'e'"),
        (3, "2 elements `Sense` have the ID 's'"),
        (4, "2 elements `Synset` have the ID 'y'"),
    ]


def test_verbs_tagged_forms_and_relations_of_wn_lmf_are_kept(tmp_path: Path) -> None:
    entry = (
        '<LexicalEntry id="{0}"><Lemma writtenForm="{0}" partOfSpeech="{1}"/>{2}<Sense id="s{0}" synset="y{0}">'
        '<SenseRelation relType="pertainym" target="{3}"/></Sense></LexicalEntry>'
    )
    form = '<Form writtenForm="swam"><Tag category="penn">VBD</Tag></Form>'
    entries = entry.format("swim", "v", form, "swater") + entry.format("water", "n", "", "nowhere")
    content = f'<LexicalResource><Lexicon id="l" language="en" license="CC0-1.0">{entries}</Lexicon></LexicalResource>'
    found = read(tmp_path, "wn-lmf", {"a.xml": content}, ImportOptions())
    swim, *_, related = ideas(found)

    assert swim.pos == "Verb"
    assert [one for one in records(found) if isinstance(one, FormsRecord)] == [
        FormsRecord("en", "swim", (("swam", "VBD"),))
    ]
    assert (related.key, related.relations) == ("yswim", (RelationRecord("Derived from", "l:ywater"),))
    assert [one.value for one in found if isinstance(one, UnstoredValue) and "pertainym" in one.field] == ["nowhere"]


def test_an_unknown_part_of_speech_is_passed_on_unless_mapped(tmp_path: Path) -> None:
    for number, mapped in enumerate(({}, {"t": "Interjection"}, {"t": ""})):
        options = ImportOptions(source=SOURCE, values={"pos": mapped})
        found = ideas(read(tmp_path / str(number), "wn-lmf", {"a.xml": WN_LMF}, options))
        assert found[0].pos == (mapped.get("t", "t") or None)
