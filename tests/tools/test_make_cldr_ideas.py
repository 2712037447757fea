import json
from pathlib import Path

import pytest

from abhidhan.records.kinds import IdeaRecord, WordRecord
from tools.make_cldr_ideas import (
    CodeSelection,
    EmojiGroup,
    EmojiTable,
    ExistingWords,
    NamesTable,
    add_idea,
    clean_name,
    is_new,
    iter_example_cities,
    main,
    make_city_ideas,
    make_emoji_ideas,
    make_language_ideas,
    make_region_ideas,
)

ELEPHANT = {"as": "হাতী", "bn": "হাতি", "en": "elephant", "hi": "हाथी"}
GRAPES = {"as": "আঙুৰ", "bn": "আঙুর", "en": "grapes", "hi": "अंगूर, फल"}
AMBULANCE = {"as": "এম্বুলেঞ্চ", "bn": "অ্যাম্বুলেন্স", "en": "ambulance", "hi": "एम्बुलेंस"}
TROPHY = {"as": "বঁটা", "bn": "ট্রফি", "en": "trophy", "hi": "ट्रॉफ़ी"}
NAMELESS = {"bn": "ডোডো", "en": "dodo"}


def write(file: Path, tree: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(tree, ensure_ascii=False), "utf-8")


def make_annotations(folder: Path, emoji: dict[str, dict[str, str]]) -> Path:
    for language in ("as", "bn", "en", "hi"):
        names = {sign: {"tts": [in_all[language]]} for sign, in_all in emoji.items() if language in in_all}
        write(folder / "annotations" / language / "annotations.json", {"annotations": {"annotations": names}})
    return folder


def make_names(folder: Path, kind: str, names: dict[str, dict[str, str]]) -> Path:
    for language in ("as", "bn", "brx", "en", "hi", "ne"):
        own = {code: in_all[language] for code, in_all in names.items() if language in in_all}
        tree = {"main": {language: {"localeDisplayNames": {kind: own}}}}
        write(folder / "main" / language / f"{kind}.json", tree)
    return folder


def make_zones(folder: Path, zones: dict[str, object]) -> Path:
    for language in ("as", "bn", "en", "hi", "ne"):
        of_language = zones.get(language, {})
        tree = {"main": {language: {"dates": {"timeZoneNames": {"zone": of_language}}}}}
        write(folder / "main" / language / "timeZoneNames.json", tree)
    return folder


def section(**codes: str) -> CodeSelection:
    return CodeSelection("Proper Noun", "Neuter", ("Place",), **codes)


def names_table(
    *, regions: CodeSelection | None = None, languages: CodeSelection | None = None, cities: str = ""
) -> NamesTable:
    return NamesTable(
        languages=languages or section(),
        regions=regions or section(),
        continents=section(codes="002"),
        cities=section(codes=cities),
    )


def texts(idea: IdeaRecord | None) -> dict[str, str]:
    assert idea is not None
    return {word.language: word.text for word in idea.words}


def test_a_name_is_cleaned_or_rejected() -> None:
    for language, name, cleaned in (
        ("hi", "अंगूर, फल", "अंगूर"),
        ("as", "শ্রীলংকা", "শ্ৰীলংকা"),
        ("bn", "শ্রীলঙ্কা", "শ্রীলঙ্কা"),
        ("en", "Myanmar (Burma)", "Myanmar"),
        ("en", "", None),
        ("bn", "গোল [CFA]", None),
        ("en", "12 o’clock", None),
        ("as", "চাক্\N{ZERO WIDTH NON-JOINER}মা", None),
    ):
        assert clean_name(language, name) == cleaned, name


def test_an_emoji_becomes_an_idea_with_its_picture_and_its_group_s_facts(tmp_path: Path) -> None:
    group = EmojiGroup("Common Noun", "Common", ("Mammal",), "abhidhan:animal", emoji="🐘")
    (idea,) = make_emoji_ideas(make_annotations(tmp_path, {"🐘": ELEPHANT}), EmojiTable((group,)))
    assert texts(idea) == ELEPHANT
    assert idea is not None
    assert (idea.key, idea.glyph, idea.contexts) == ("emoji-1f418", "🐘", ("Mammal",))
    assert [(relation.type, relation.idea) for relation in idea.relations] == [("Hypernym", "abhidhan:animal")]


def test_a_name_in_the_drop_table_is_left_out_of_its_language_only(tmp_path: Path) -> None:
    group = EmojiGroup("Common Noun", "Neuter", ("Fruit",), emoji="🍇")
    (idea,) = make_emoji_ideas(make_annotations(tmp_path, {"🍇": GRAPES}), EmojiTable((group,), drop={"bn": "🍇"}))
    assert texts(idea) == {"as": "আঙুৰ", "en": "grapes", "hi": "अंगूर"}


def test_an_emoji_without_an_assamese_name_gives_no_idea(tmp_path: Path) -> None:
    group = EmojiGroup("Common Noun", "Common", ("Bird",), emoji="🦤")
    assert list(make_emoji_ideas(make_annotations(tmp_path, {"🦤": NAMELESS}), EmojiTable((group,)))) == [None]


def test_excluded_codes_and_other_forms_of_a_name_give_no_ideas(tmp_path: Path) -> None:
    names = {code: {"as": f"ভাষা {code}", "en": f"language {code}"} for code in ("as", "az", "az-alt-short", "und")}
    folder = make_names(tmp_path, "languages", names)
    ideas = list(make_language_ideas(folder, names_table(languages=section(exclude="und"))))
    assert [idea.key for idea in ideas if idea] == ["language-as", "language-az"]


def test_the_preferred_form_of_a_region_s_name_is_taken(tmp_path: Path) -> None:
    names = {
        "002": {"as": "আফ্ৰিকা", "en": "Africa"},
        "HK": {"as": "হং কং এছ. এ. আৰ.", "en": "Hong Kong SAR"},
        "HK-alt-short": {"as": "হং কং", "en": "Hong Kong"},
    }
    africa, hong_kong = make_region_ideas(
        make_names(tmp_path, "territories", names), names_table(regions=section(short="HK"))
    )
    assert texts(africa)["en"] == "Africa"
    assert texts(hong_kong) == {"as": "হং কং", "en": "Hong Kong"}


def test_a_city_takes_its_english_name_from_its_zone_where_cldr_has_none(tmp_path: Path) -> None:
    zones: dict[str, object] = {"as": {"Africa": {"Addis_Ababa": {"exemplarCity": "আদ্দিছ আবাবা"}}}}
    (city,) = make_city_ideas(make_zones(tmp_path, zones), names_table(cities="Africa/Addis_Ababa"))
    assert texts(city) == {"as": "আদ্দিছ আবাবা", "en": "Addis Ababa"}


def test_zones_are_found_at_any_depth() -> None:
    zones = {"America": {"Indiana": {"Knox": {"exemplarCity": "Knox"}}, "Lima": {"exemplarCity": "Lima"}}}
    assert dict(iter_example_cities(zones, "")) == {"America/Indiana/Knox": "Knox", "America/Lima": "Lima"}


def test_an_idea_is_new_when_its_picture_and_its_english_are_unknown() -> None:
    seen = ExistingWords()
    add_idea(seen, IdeaRecord("abhidhan", "elephant", "Common Noun", (WordRecord("en", "elephant"),), glyph="🐘"))
    add_idea(seen, IdeaRecord("abhidhan", "heart", "Common Noun", (WordRecord("en", "heart"),), glyph="❤\ufe0f"))
    for glyph, english, new in (
        ("🐘", "pachyderm", False),
        (None, "ELEPHANT", False),
        ("❤", "love", False),
        ("🐒", "monkey", True),
    ):
        idea = IdeaRecord("cldr", "x", "Common Noun", (WordRecord("en", english),), glyph=glyph)
        assert is_new(seen, idea) is new, english


def test_the_program_writes_each_new_idea_on_a_line(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    annotations = make_annotations(
        tmp_path / "annotations", {"🐘": ELEPHANT, "🍇": GRAPES, "🚑": AMBULANCE, "🏆": TROPHY}
    )
    names = make_names(tmp_path / "names", "languages", {})
    make_names(names, "territories", {})
    dates = make_zones(tmp_path / "dates", {})
    there = tmp_path / "there.jsonl"
    there.write_text('{"record":"idea","source":"abhidhan","key":"e","pos":"Common Noun","words":[],"glyph":"🐘"}\n')
    assert main([str(annotations), str(names), str(dates), "--without", str(there)]) == 0
    ideas = {idea["key"]: idea for idea in map(json.loads, capfdbinary.readouterr().out.splitlines())}
    assert set(ideas) == {"emoji-1f347", "emoji-1f3c6"}  # The ambulance is one that was merged into another idea.
    assert ideas["emoji-1f3c6"]["words"][0] == {"language": "as", "text": "বঁটা", "position": 2}
