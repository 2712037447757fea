"""Generate the ideas of the starter dictionary that come from Unicode CLDR.

Usage: make_cldr_ideas.py ANNOTATIONS LOCALENAMES DATES [--without IDEAS.jsonl] > ideas_cldr.jsonl

The first three arguments are the unpacked npm packages cldr-annotations-full, cldr-localenames-full and cldr-dates-full
(the folders that contain `annotations` and `main`). The selection is in tools/cldr/*.toml. Ideas whose emoji or English
word IDEAS.jsonl already has, and ideas that merged.tsv merges into others, are left out.
"""

import argparse
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import msgspec

from abhidhan.records.kinds import IdeaRecord, Record, RelationRecord, WordRecord

TABLES_FOLDER = Path(__file__).parent / "cldr"
MERGED_FILE = Path(__file__).parents[1] / "src" / "abhidhan" / "data" / "merged.tsv"

NAME_LANGUAGES = ("as", "bn", "brx", "en", "hi", "ne")
"""Languages of the names of languages and regions."""

EMOJI_LANGUAGES = ("as", "bn", "en", "hi")
"""Languages of emoji names. CLDR 48 has too many errors in Nepali and others (melon and watermelon are swapped)."""

CITY_LANGUAGES = ("as", "bn", "en", "hi", "ne")

REQUIRED_LANGUAGES = frozenset({"as", "en"})
"""Languages in which an idea must have a word."""

ASSAMESE_RA = str.maketrans({"\N{BENGALI LETTER RA}": "\N{BENGALI LETTER RA WITH MIDDLE DIAGONAL}"})
BRACKETED = re.compile(r"\s*\([^)]*\)")
NOT_A_WORD = re.compile("[0-9:;/\\[\\]\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}]")


class IdeaFields(msgspec.Struct, frozen=True):
    """Common fields of all ideas in one section of a table."""

    pos: str
    gender: str
    contexts: tuple[str, ...]
    hypernym: str | None = None


class EmojiGroup(IdeaFields, frozen=True):
    """A [[group]] of emoji.toml: emoji separated by spaces."""

    name: str = ""
    emoji: str = ""


class EmojiTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """emoji.toml: groups, emoji with another part of speech than their group, and names to drop by language."""

    group: tuple[EmojiGroup, ...]
    pos: dict[str, str] = {}
    drop: dict[str, str] = {}


class CodeSelection(IdeaFields, frozen=True):
    """A section of names.toml: codes to include (empty: all) or exclude, separated by spaces.

    `short` and `variant` list the codes for which CLDR's name in that form is preferred.
    """

    codes: str = ""
    exclude: str = ""
    short: str = ""
    variant: str = ""


class NamesTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """names.toml: the codes of the languages, regions, continents and cities that become ideas."""

    languages: CodeSelection
    regions: CodeSelection
    continents: CodeSelection
    cities: CodeSelection


@dataclass(slots=True)
class ExistingWords:
    """Emoji and lower-case English words that the dictionary already has."""

    glyphs: set[str] = field(default_factory=set)
    english: set[str] = field(default_factory=set)


class Annotation(msgspec.Struct):
    """The names of an emoji; the first is CLDR's text-to-speech name."""

    tts: tuple[str, ...] = ()


class AnnotationBlock(msgspec.Struct):
    """The object inside annotations.json that has the names of all emoji."""

    annotations: dict[str, Annotation]


class AnnotationFile(msgspec.Struct):
    """annotations.json of cldr-annotations-full."""

    annotations: AnnotationBlock


def read_annotations(package: Path, language: str) -> dict[str, str]:
    """Return the names of emoji in a language, by emoji."""
    file = package / "annotations" / language / "annotations.json"
    annotations = msgspec.json.decode(file.read_bytes(), type=AnnotationFile).annotations.annotations
    return {emoji: annotation.tts[0] for emoji, annotation in annotations.items() if annotation.tts}


def read_names(package: Path, language: str, kind: str) -> dict[str, str]:
    """Return the names in a language by code; `kind` is `languages` or `territories`."""
    tree = msgspec.json.decode((package / "main" / language / f"{kind}.json").read_bytes())
    names: dict[str, str] = tree["main"][language]["localeDisplayNames"][kind]
    return names


def read_cities(package: Path, language: str) -> dict[str, str]:
    """Return the names of example cities by time zone; English has only names that differ from the zone's."""
    tree = msgspec.json.decode((package / "main" / language / "timeZoneNames.json").read_bytes())
    return dict(iter_example_cities(tree["main"][language]["dates"]["timeZoneNames"]["zone"], ""))


def iter_example_cities(zones: Mapping[str, object], path: str) -> Iterator[tuple[str, str]]:
    """Yield each zone below `path` with its example city."""
    for name, value in zones.items():
        if isinstance(value, dict):
            city = value.get("exemplarCity")
            if isinstance(city, str):
                yield path + name, city
            yield from iter_example_cities(value, f"{path}{name}/")


def clean_name(language: str, text: str) -> str | None:
    """Clean a name for the dictionary; return None if it is not a word.

    Of several names ("अंगूर, फल"), the first is used; remarks in brackets are removed; Bengali র in an Assamese name is
    corrected to ৰ.
    """
    name = BRACKETED.sub("", unicodedata.normalize("NFC", text)).split(",")[0].strip()
    if language == "as":
        name = name.translate(ASSAMESE_RA)
    return None if not name or NOT_A_WORD.search(name) else name


def make_words(names: Mapping[str, Mapping[str, str]], code: str, drop: Iterable[str] = ()) -> tuple[WordRecord, ...]:
    """Return the words for a code in every language, sorted by language code."""
    cleaned = ((language, clean_name(language, names[language].get(code, ""))) for language in sorted(names))
    return tuple(make_word(language, name) for language, name in cleaned if name and language not in drop)


def make_word(language: str, name: str) -> WordRecord:
    """Return a cleaned name as a word, with corrections."""
    text = correct_name(language, name)
    return WordRecord(language, text, position=read_positions().get(text) if language == "as" else None)


@cache
def read_positions() -> Mapping[str, int]:
    """Return the explicit positions of senses of Assamese words, for senses that are not appended at the end."""
    return msgspec.toml.decode((TABLES_FOLDER / "senses.toml").read_bytes(), type=dict[str, int])


@cache
def read_corrections() -> Mapping[str, Mapping[str, str]]:
    """Return the corrections of names that a reading found to be wrong, by language."""
    return msgspec.toml.decode((TABLES_FOLDER / "mends.toml").read_bytes(), type=dict[str, dict[str, str]])


def correct_name(language: str, name: str) -> str:
    """Return the correction of a wrong name, or the name unchanged."""
    return read_corrections().get(language, {}).get(name, name)


def make_idea(key: str, kind: IdeaFields, words: tuple[WordRecord, ...], glyph: str | None = None) -> IdeaRecord | None:
    """Return an idea with these words, or None if a required language has none."""
    if not {word.language for word in words} >= REQUIRED_LANGUAGES:
        return None
    relations = (RelationRecord("Hypernym", kind.hypernym),) if kind.hypernym else ()
    return IdeaRecord(
        "cldr", key, kind.pos, words, gender=kind.gender, glyph=glyph, contexts=kind.contexts, relations=relations
    )


def make_emoji_ideas(package: Path, table: EmojiTable) -> Iterator[IdeaRecord | None]:
    """Yield an idea for each emoji of the table."""
    names = {language: read_annotations(package, language) for language in EMOJI_LANGUAGES}
    drop = {language: emoji.split() for language, emoji in table.drop.items()}
    pos_by_emoji = {emoji: pos for pos, emoji_list in table.pos.items() for emoji in emoji_list.split()}
    for group in table.group:
        for emoji in group.emoji.split():
            key = "emoji-" + "-".join(f"{ord(sign):04x}" for sign in emoji)
            dropped = {language for language, emoji_list in drop.items() if emoji in emoji_list}
            kind = msgspec.structs.replace(group, pos=pos_by_emoji.get(emoji, group.pos))
            yield make_idea(key, kind, make_words(names, emoji, dropped), emoji)


def make_language_ideas(package: Path, table: NamesTable) -> Iterator[IdeaRecord | None]:
    """Yield an idea for each language with an Assamese name."""
    names = {language: read_names(package, language, "languages") for language in NAME_LANGUAGES}
    excluded = set(table.languages.exclude.split())
    for code in sorted(names["as"]):
        if code not in excluded and "-" not in code:
            yield make_idea(f"language-{code}", table.languages, make_words(names, code))


def make_region_ideas(package: Path, table: NamesTable) -> Iterator[IdeaRecord | None]:
    """Yield an idea for each continent, country and territory."""
    names = {language: read_region_names(package, language, table.regions) for language in NAME_LANGUAGES}
    excluded, continents = set(table.regions.exclude.split()), set(table.continents.codes.split())
    for code in sorted(names["as"]):
        if code in continents:
            yield make_idea(f"region-{code}", table.continents, make_words(names, code))
        elif code not in excluded and "-" not in code:
            yield make_idea(f"region-{code}", table.regions, make_words(names, code))


def read_region_names(package: Path, language: str, regions: CodeSelection) -> dict[str, str]:
    """Return the names of regions in the preferred form, by code."""
    names = read_names(package, language, "territories")
    preferred = {"short": regions.short.split(), "variant": regions.variant.split()}
    for form, codes in preferred.items():
        names |= {code: names[f"{code}-alt-{form}"] for code in codes if f"{code}-alt-{form}" in names}
    return names


def make_city_ideas(package: Path, table: NamesTable) -> Iterator[IdeaRecord | None]:
    """Yield an idea for each city of the table."""
    names = {language: read_cities(package, language) for language in CITY_LANGUAGES}
    for zone in table.cities.codes.split():
        english = names["en"].setdefault(zone, zone.rsplit("/", 1)[-1].replace("_", " "))
        key = english.lower().replace(" ", "-").replace(".", "")
        yield make_idea(f"city-{key}", table.cities, make_words(names, zone))


def read_existing_words(files: Sequence[Path]) -> ExistingWords:
    """Return the emoji and English words of the ideas in JSON Lines files."""
    existing = ExistingWords()
    decoder = msgspec.json.Decoder(Record)
    for line in (line for file in files for line in file.read_bytes().splitlines()):
        record = decoder.decode(line)
        if isinstance(record, IdeaRecord):
            add_idea(existing, record)
    return existing


def add_idea(existing: ExistingWords, idea: IdeaRecord) -> None:
    """Record the emoji and English words of an idea."""
    if idea.glyph:
        existing.glyphs.add(without_selectors(idea.glyph))
    existing.english |= collect_english_words(idea)


def without_selectors(glyph: str) -> str:
    """Return an emoji without variation selectors, which CLDR's keys leave out."""
    return glyph.replace("\N{VARIATION SELECTOR-16}", "")


def collect_english_words(idea: IdeaRecord) -> set[str]:
    """Return the English words of an idea, in lower case."""
    return {word.text.lower() for word in idea.words if word.language == "en"}


def read_merged_keys() -> set[str]:
    """Return the keys (`source:key`) of the ideas that were merged into others."""
    return {line.partition("\t")[0] for line in MERGED_FILE.read_text("utf-8").splitlines()}


def is_new(existing: ExistingWords, idea: IdeaRecord) -> bool:
    """Return whether neither the emoji nor an English word of an idea exists already."""
    return (
        not (idea.glyph and without_selectors(idea.glyph) in existing.glyphs)
        and not collect_english_words(idea) & existing.english
    )


def make_ideas(annotations: Path, localenames: Path, dates: Path, existing: ExistingWords) -> Iterator[IdeaRecord]:
    """Yield the ideas of CLDR that the dictionary does not have, in the order of the tables.

    Names are compared with `existing` and within one kind only, so that a city or language with the name of a country
    (Singapore, Nauru) is a separate idea.
    """
    emoji = msgspec.toml.decode((TABLES_FOLDER / "emoji.toml").read_bytes(), type=EmojiTable)
    names = msgspec.toml.decode((TABLES_FOLDER / "names.toml").read_bytes(), type=NamesTable)
    merged = read_merged_keys()
    kinds = (
        make_emoji_ideas(annotations, emoji),
        make_language_ideas(localenames, names),
        make_region_ideas(localenames, names),
        make_city_ideas(dates, names),
    )
    for ideas in kinds:
        within = ExistingWords(set(existing.glyphs), set(existing.english))
        for idea in ideas:
            if idea and is_new(within, idea):
                add_idea(within, idea)
                if f"{idea.source}:{idea.key}" not in merged:
                    yield idea


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the ideas to standard output as JSON Lines."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("annotations", type=Path)
    parser.add_argument("localenames", type=Path)
    parser.add_argument("dates", type=Path)
    parser.add_argument("--without", type=Path, action="append", default=[])
    options = parser.parse_args(arguments)
    encoder = msgspec.json.Encoder()
    for idea in make_ideas(
        options.annotations, options.localenames, options.dates, read_existing_words(options.without)
    ):
        sys.stdout.buffer.write(encoder.encode(idea) + b"\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
