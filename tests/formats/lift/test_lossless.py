"""LIFT: each element and attribute of its schema is kept or named in the report."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring

from abhidhan.formats.importer_api import ImportOptions
from tests.support.databases import SqliteDatabases
from tests.support.importing import SOURCE
from tests.support.kept_values import import_and_export

ENTRY, SENSE, SUBSENSE = (f"0f2e1d3c-1111-4aaa-8bbb-00000000000{number}" for number in (1, 2, 3))

READ_OTHERWISE = frozenset({"lift@version", "sense@order", "subsense@order", "form@lang"})
"""What becomes the order of senses, or the language of a text or that it is a transcription or a romanization."""

KNOWN = frozenset({"paradigm", "semantic-domain-ddp4"})
"""Names of traits that become fields."""


def marked(name: str) -> str:
    """Write what any element of LIFT may have: dates, an annotation, a trait and a field, with unique texts."""
    return (
        f'<annotation name="{name}-status" value="{name}-checked" who="{name}-editor" when="{name}-day">'
        f'<form lang="en"><text>{name}-remark</text></form></annotation>'
        f'<trait name="{name}-trait" value="{name}-class"><annotation name="{name}-sure" value="{name}-very"/></trait>'
        f'<field type="{name}-field" dateCreated="{name}-since" dateModified="{name}-until"><form lang="en">'
        f'<text>{name}-content</text></form><trait name="{name}-inner" value="{name}-kind"/></field>'
    )


def text(words: str, lang: str = "en") -> str:
    return f'<form lang="{lang}"><text>{words}</text></form>'


def dated(name: str) -> str:
    return f'dateCreated="{name}-created" dateModified="{name}-modified"'


def named(name: str) -> str:
    """Write what names a range or one of its values."""
    texts = "".join(f"<{tag}>{text(f'{name}-{tag}')}</{tag}>" for tag in ("description", "label", "abbrev"))
    return texts + marked(name)


def range_of(name: str) -> str:
    """Write a range with a value."""
    value = (
        f'<range-element id="{name}-value" parent="{name}-parent" guid="{name}-value-guid" {dated(f"{name}-value")}>'
    )
    about = f'id="{name}" href="{name}-href" guid="{name}-guid" {dated(name)}'
    return f"<range {about}>{named(name)}{value}{named(f'{name}-value')}</range-element></range>"


NOTE = f'<note type="{{0}}-type" {dated("{0}-note")}>{text("{0}-said")}{marked("{0}-note")}</note>'

EVERYTHING = f"""<?xml version="1.0" encoding="UTF-8"?>
<lift version="0.15" producer="some-producer">
<header><description>{text("header-description")}</description><ranges>{range_of("domestic")}</ranges>
<fields><field-definition name="custom-name" class="entry" type="multi-text" option-range="custom-range"
 writing-system="custom-system"><description>{text("custom-description")}</description>
<label>{text("custom-label")}</label></field-definition></fields></header>
<entry id="{ENTRY}" guid="{ENTRY}" order="7401" {dated("entry")}>{marked("entry")}
<lexical-unit><form lang="mjw"><text>head-word<span lang="mjw" href="span-href" class="span-class"> marked-part
<span> inner-part</span></span>
</text><annotation name="form-flag" value="form-flagged"/></form>{text("unit-ipa", "mjw-fonipa")}
{text("unit-beng", "mjw-Beng")}</lexical-unit>
<citation>{text("cited-word", "mjw")}{text("cited-roman", "mjw-Latn")}</citation>
<pronunciation {dated("said")}>{text("said-ipa", "mjw-fonipa")}{marked("said")}
<media href="said-picture.gif"><label>{text("said-label")}</label></media></pronunciation>
<variant {dated("variant")}>{text("variant-form", "mjw")}{marked("variant")}
<pronunciation {dated("variant-said")}>{text("variant-ipa", "mjw-fonipa")}{marked("variant-said")}</pronunciation>
<relation type="variant-relation" ref="{SUBSENSE}" order="7402"/></variant>
<variant ref="{SUBSENSE}"><form lang="mjw"><text>plural-form</text></form><trait name="paradigm" value="plural-tag"/>
</variant>
{NOTE.format("entry")}<relation type="shared-stem" ref="{SUBSENSE}" order="7403" {dated("related")}>{marked("related")}
<usage>{text("related-usage")}</usage></relation>
<etymology type="proto-type" source="proto-source" {dated("root")}>{text("root-form", "mis")}
<gloss lang="en"><text>root-gloss</text></gloss>{marked("root")}</etymology>
<sense id="{SENSE}" order="7404" {dated("sense")}>{marked("sense")}
<grammatical-info value="part-label"><trait name="slot" value="slot-value"/></grammatical-info>
<gloss lang="en"><text>first gloss, second_gloss</text><annotation name="gloss-flag" value="gloss-flagged"/>
<trait name="gloss-trait" value="gloss-class"/></gloss>
<definition>{text("what it means in words")}</definition>
<relation type="Antonym" ref="{SUBSENSE}" order="7405" {dated("opposed")}>{marked("opposed")}
<usage>{text("opposed-usage")}</usage></relation>
{NOTE.format("sense")}<field name="newer-field">{text("newer-content")}
<annotation name="newer-flag" value="newer-flagged"/></field>
<trait name="semantic-domain-ddp4" value="1.3.4 domain-name"/>
<example source="example-source" {dated("example")}>{text("example-text", "mjw")}{text("example-beng", "mjw-Beng")}
{marked("example")}<translation type="back-type">{text("example-english")}{text("example-hindi", "hi")}</translation>
{NOTE.format("example")}</example>
<reversal type="index-type">{text("index-entry")}<main>{text("index-main")}<main>{text("index-top")}</main>
<grammatical-info value="main-part"/></main><grammatical-info value="index-part"/></reversal>
<illustration href="picture-name.jpg"><label>{text("picture-label")}</label></illustration>
<subsense id="{SUBSENSE}" order="7406" {dated("subsense")}>{marked("subsense")}
<gloss lang="en"><text>third gloss</text></gloss></subsense></sense></entry>
<entry id="gone-entry" dateDeleted="gone-day"/></lift>"""


def values_of(element: Element) -> Iterator[str]:
    for name, value in element.attrib.items():
        if f"{element.tag}@{name}" not in READ_OTHERWISE and value not in KNOWN:
            yield value
    whole = "".join(element.itertext()) if element.tag == "text" else ""
    yield from (piece for piece in whole.replace(",", ";").replace("_", " ").split(";") if piece.strip())
    for child in element:
        yield from values_of(child)


def test_every_value_of_a_file_is_kept_or_reported(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    files = {"all.lift": EVERYTHING, "all.lift-ranges": f"<lift-ranges>{range_of('foreign')}</lift-ranges>"}

    found = import_and_export(sqlite_databases, tmp_path, "lift", files, ImportOptions(source=SOURCE))

    assert found.rejected == 0
    assert found.find_missing(value for content in files.values() for value in values_of(fromstring(content))) == []
