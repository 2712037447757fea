"""TEI: each element and attribute of FreeDict's dictionaries and of TEI Lex-0 is kept or named in the report."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import fromstring

from abhidhan.formats.importer_api import ImportOptions
from abhidhan.formats.tei.losses import CONVERTED_ATTRIBUTES
from tests.support.databases import SqliteDatabases
from tests.support.importing import SOURCE
from tests.support.kept_values import import_and_export, words_of


def label(name: str) -> str:
    """Write what groups of grammar hold, with unique texts."""
    names = ("case", "colloc", "gen", "mood", "num", "number", "per", "subc", "tns")
    others = "".join(f"<{each}>{name}-{each}</{each}>" for each in names)
    return (
        f'<gramGrp><pos expand="{name}-expanded">{name}-pos</pos>{others}<gram type="{name}-kind">{name}-gram</gram>'
        f'<gramGrp><gram type="cl-agr">{name}-inner</gram></gramGrp>'
        f'<note type="{name}-say">{name}-note</note></gramGrp>'
    )


def references(name: str) -> str:
    kinds = ("", "ant", "cf", "der", "imp-form", "infl-base", "plural-form", "see", "syn", "meronymy")
    return (
        "".join(
            f'<xr type="{kind}"><lbl>{name}-{kind}-label</lbl>'
            f'<ref n="{name}-{kind}-number" target="{name}-{kind}-target">{name}-{kind}-ref</ref></xr>'
            for kind in kinds
        )
        + f'<xr type="hypernymy"><ref type="sense">{name}-meaning</ref></xr>'
        f'<xr>{name}-said <ref>{name}-there</ref><ptr target="{name}-pointer"/></xr>'
    )


def notes(name: str) -> str:
    kinds = ("sense", "hint", "usage", "gram", "def", "pos", "reference", "editor", "dom", "obj", "stagr", "stagk")
    typed = "".join(f'<note type="{kind}">{name}-{kind}-note</note>' for kind in kinds)
    return (
        f'{typed}<note resp="{name}-who" rend="{name}-look" xml:lang="ta">{name}-remark <q>{name}-quoted</q> <name>'
        f'{name}-named</name><note type="lbl">{name}-deep</note></note>'
    )


def usages(name: str) -> str:
    kinds = ("dom", "geo", "reg", "hint", "colloc", "time", "style", "plev", "pri", "re_pri")
    return f"<usg>{name}-usage</usg>" + "".join(f'<usg type="{one}">{name}-{one}-usage</usg>' for one in kinds)


def citation(name: str, kind: str, inner: str = "") -> str:
    """Write a citation with all that any one has."""
    return (
        f'<cit type="{kind}" subtype="{name}-subtype" xml:lang="ta"><quote type="nR" xml:lang="te">{name}-first, '
        f"{name}-second ({name}-brackets) &lt;fem, sg&gt;</quote><quote>{name}-third<note>{name}-aside</note></quote>"
        f'<form type="infl"><orth type="pl">{name}-plural</orth><lbl>{name}-formed</lbl></form><form><orth>{name}-orth'
        f"</orth></form><orth>{name}-bare</orth><pos>{name}-pos</pos><gen>{name}-gen</gen><number>{name}-number</number>"
        f"<lbl>{name}-lbl</lbl><def>{name}-def</def>{label(f'{name}-grammar')}{usages(name)}{notes(name)}{inner}</cit>"
    )


def citations(name: str) -> str:
    translated = citation(f"{name}-back", "trans", citation(f"{name}-far", "trans"))
    return "".join(
        [
            citation(f"{name}-word", "trans", citation(f"{name}-shown", "example", translated)),
            citation(f"{name}-equal", "translationEquivalent"),
            citation(f"{name}-example", "example", citation(f"{name}-english", "trans") + translated),
            citation(f"{name}-short", "abbrev"),
            f"<cit><quote>{name}-untyped</quote><cit type='trans'><quote>{name}-retyped</quote></cit></cit>",
        ]
    )


def sense(name: str, inner: str = "") -> str:
    return (
        f'<sense n="7" level="{name}-level" xml:id="{name}-id" xml:lang="hi">{label(name)}<def resp="{name}-author">'
        f'{name}-means <ref target="{name}-link">{name}-linked</ref><note type="num" rend="{name}-rend" xml:lang="mr">'
        f"{name}-beside</note></def>{usages(name)}{notes(name)}{references(name)}<lbl>{name}-label</lbl>"
        f'<lang orig="{name}-orig" split="{name}-split" xml:lang="mai">{name}-lender</lang><etym>{name}-etym</etym>'
        f'<ref type="{name}-link-type" target="{name}-link-target">{name}-link-text</ref>'
        f"{citations(name)}{inner}</sense>"
    )


EVERYTHING = f"""<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0" version="some-version"><teiHeader type="header-type"><fileDesc>
<titleStmt><title>header-title</title><respStmt><resp>header-task</resp><name xml:id="header-id">header-name</name>
</respStmt></titleStmt><editionStmt><edition>header-edition</edition></editionStmt><extent>header-extent</extent>
<publicationStmt><availability status="header-status"><p>header-terms <ref target="header-link">header-licence</ref></p>
</availability><date when="header-when">header-date</date></publicationStmt>
<sourceDesc><p>header-source</p></sourceDesc>
</fileDesc><revisionDesc><change n="header-n" who="header-who">header-change
<list><item>header-item</item></list></change></revisionDesc></teiHeader><text><front><div><head>front-head</head><p>front-text</p></div></front>
<body><div type="division-type" xml:lang="as"><head>division-head</head><p>division-text</p>
<entry xml:id="entry-id" type="entry-type" n="entry-number"><form type="form-type" xml:lang="as">
<orth n="orth-number" extent="orth-extent">head-<hi rend="orth-look">word</hi></orth>
<orth type="variant">other-spelling</orth><orth type="transliterated">romanized-head</orth>
<pron>/spoken-ipa/</pron><pron notation="Beng">অসমীয়া</pron><pron notation="SAMPA">spoken-sampa</pron>
<hyph>hy-phen</hyph>
<lbl>form-label</lbl><lbl type="ke_inf">form-information</lbl>{usages("form")}<number>form-number</number>
<pos>form-pos</pos>{label("form-grammar")}<form type="infl"><orth type="pl">many-heads</orth><orth>-ending</orth>
{label("inflected")}{usages("inflected")}</form><form type="abbrev"><orth>short-head</orth></form></form>
<form type="imitative"><orth>like-head</orth></form>{label("entry")}{notes("entry")}{references("entry")}
{usages("entry")}<def>entry-def</def>{citation("entry-cit", "example", citation("entry-back", "trans"))}
<hom>{label("hom")}{sense("outer", sense("inner") + sense("other"))}</hom>{sense("plain")}
<etym xml:lang="sa">entry-etym <lang>etym-language</lang></etym><re><form><orth>run-on</orth></form></re></entry>
<entryFree><form><orth>free-head</orth></form>
<sense><cit type="trans"><quote>free-word</quote></cit></sense></entryFree>
</div></body><back><p>back-text</p></back></text></TEI>"""


def values_of(element: Element) -> Iterator[str]:
    name_of = {"{http://www.w3.org/XML/1998/namespace}lang": "lang"}
    tag = element.tag.rpartition("}")[2]
    for name, value in element.attrib.items():
        if name_of.get(name) != "lang" and not is_read(f"{tag}@{name}", value):
            yield value
    for text in (element.text, *(child.tail for child in element)):
        yield from (
            piece for piece in (text or "").replace("(", ",").replace(")", ",").split(",") if words_of(piece) != "  "
        )
    for child in element:
        yield from values_of(child)


def is_read(attribute: str, value: str) -> bool:
    values = CONVERTED_ATTRIBUTES.get(attribute, ())
    return values is None or value in values


def test_every_value_of_a_file_is_kept_or_reported(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    found = import_and_export(
        sqlite_databases, tmp_path, "tei", {"all.tei": EVERYTHING}, ImportOptions(source=SOURCE, target="en")
    )

    assert found.rejected == 0
    assert found.find_missing(values_of(fromstring(EVERYTHING))) == []
