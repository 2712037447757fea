"""LIFT files like those of FieldWorks, written by hand from the specification, and the path of the real schema."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCHEMA_FOLDER = next(
    (path for each in ROOT.parents if (path := each / "shared" / "schemas" / "lift").is_dir()),
    ROOT.parent / "shared" / "schemas" / "lift",
)
"""LIFT's RELAX NG schema with two real exports of FieldWorks, which are not part of the project."""

needs_schema = pytest.mark.skipif(
    not SCHEMA_FOLDER.is_dir(), reason=f"LIFT's schema and FieldWorks's own exports are not in {SCHEMA_FOLDER}."
)

WATER, HOT = "0f2e1d3c-1111-4aaa-8bbb-000000000001", "0f2e1d3c-1111-4aaa-8bbb-000000000002"
ENTRY, OTHER = "5a5a5a5a-2222-4ccc-9ddd-000000000003", "5a5a5a5a-2222-4ccc-9ddd-000000000004"
DRINK = "0f2e1d3c-1111-4aaa-8bbb-000000000005"

FIELDWORKS = f"""<?xml version="1.0" encoding="UTF-8" ?>
<lift producer="SIL.FLEx 9.1.22" version="0.13">
<header><ranges><range id="grammatical-info" href="file://C:/lists.lift-ranges"/></ranges></header>
<entry dateCreated="2015-06-19T08:46:53Z" id="lang_{ENTRY}" guid="{ENTRY}" order="1">
<lexical-unit><form lang="mjw"><text>lang</text></form><form lang="mjw-fonipa"><text>laŋ</text></form>
<form lang="mjw-Beng"><text>লাং</text></form><form lang="mjw-Zxxx-x-audio"><text>lang.wav</text></form></lexical-unit>
<trait name="morph-type" value="stem"/><trait name="dialect-labels" value="Dialect"/>
<variant><form lang="mjw"><text>lāng</text></form><trait name="morph-type" value="stem"/></variant>
<variant><form lang="mjw"><text>langatum</text></form><trait name="paradigm" value="plural"/></variant>
<etymology type="proto" source="Proto-Karbi"><form lang="x"><text>*laŋ</text></form>
<gloss lang="en"><text>water</text></gloss><field type="comment"><form lang="en"><text>sure</text></form></field>
</etymology>
<pronunciation><media href="lang-2.wav"/></pronunciation>
<sense id="{WATER}" order="0"><grammatical-info value="n_x"><trait name="type" value="inflAffix"/></grammatical-info>
<gloss lang="en"><text>water|river_water</text></gloss><gloss lang="as"><text>পানী</text></gloss>
<definition><form lang="en">
<text>What <span class="emphasis">falls</span> as rain.{chr(0x2028)}Clear.</text></form></definition>
<example source="T 12"><form lang="mjw"><text>Lang jun.</text></form>
<translation type="Free translation"><form lang="tpi"><text>Dring wara.</text></form>
<form lang="en"><text>Drink water.</text></form></translation></example>
<relation type="Synonyms" ref="{DRINK}"/>
<trait name="semantic-domain-ddp4" value="1.3.4 Be in water"/><trait name="semantic-domain-ddp4" value="2.3 Sense"/>
<note type="source"><form lang="en"><text>Grüssner 1978</text></form></note>
<note><form lang="en"><text>Common.</text></form></note>
<note type="anthropology"><form lang="en"><text>Holy.</text></form></note>
<field type="scientific-name"><form lang="en"><text>Aqua pura</text></form></field>
<illustration href="lang.jpg"/>
<subsense id="{DRINK}"><gloss lang="en"><text>drink</text></gloss></subsense></sense>
</entry>
<entry id="lang_{OTHER}" guid="{OTHER}" order="2">
<lexical-unit><form lang="mjw"><text>lang</text></form></lexical-unit>
<relation type="_component-lexeme" ref="lang_{ENTRY}"><trait name="complex-form-type" value="Compound"/></relation>
<sense id="{HOT}"><grammatical-info value="Adjective"/><gloss lang="en"><text>hot(?)</text></gloss></sense>
</entry>
<entry id="langk" dateDeleted="2016-01-01T00:00:00Z"/>
<entry id="laang_9"><lexical-unit><form lang="mjw"><text>laang</text></form></lexical-unit>
<relation type="_component-lexeme" ref="lang_{ENTRY}"><trait name="variant-type" value="Dialectal Variant"/></relation>
</entry>
</lift>
"""

RANGES = """<?xml version="1.0" encoding="UTF-8"?>
<lift-ranges><range id="grammatical-info"><range-element id="Noun"/>
<range-element id="n_x" parent="Noun"><label><form lang="en"><text>a noun</text></form></label></range-element>
</range></lift-ranges>
"""
