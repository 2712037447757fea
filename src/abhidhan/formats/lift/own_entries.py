"""Parser of content that only Abhidhan's LIFT files have: proverbs, idea relations, and timestamps in traits."""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from abhidhan.formats.lift.headwords import LiftHeadword, ReadSettings
from abhidhan.formats.lift.multitext import get_trait, iter_forms
from abhidhan.formats.lift.vocabulary import IDEA_TRAIT, SYNONYM_RELATION
from abhidhan.records.kinds import PhraseRecord, RelationRecord
from abhidhan.records.kinds.field_types import LocalTextRecord

DEFAULT_LANGUAGE: Final = "en"
"""Language of texts without a writing system."""


def iter_idea_relations(sense: Element, idea_name: str) -> Iterator[RelationRecord]:
    """Yield the relations of an idea, without those to synonyms."""
    for relation in sense.findall("relation"):
        target, kind = get_trait(relation, IDEA_TRAIT), relation.get("type", "")
        if target and not (kind == SYNONYM_RELATION and target == idea_name):
            yield RelationRecord(kind, target)


def parse_proverb(entry: Element, head: LiftHeadword, name: str, settings: ReadSettings) -> PhraseRecord:
    """Parse a proverb or idiom."""
    source, _, key = name.partition(":")
    sense = entry.find("sense")
    forms = iter_forms(sense.find("definition")) if sense is not None else ()
    texts = [(settings.map_tag(form.tag) if form.tag else DEFAULT_LANGUAGE, form.text) for form in forms]
    english = dict.fromkeys(text for code, text in texts if code == DEFAULT_LANGUAGE)
    return PhraseRecord(
        source,
        key,
        head.word.language,
        head.word.text,
        get_trait(entry, "category") or "Other",
        " / ".join(english) or None,
        head.word.roman,
        parse_timestamp(get_trait(entry, "added")),
        get_trait(entry, "licence"),
        tuple(LocalTextRecord(code, text) for code, text in texts if code != DEFAULT_LANGUAGE),
    )


def parse_timestamp(text: str | None) -> int | None:
    """Parse a Unix timestamp; None if it is missing or invalid."""
    return int(text) if text and text.isdecimal() and len(text) < len("1000000000000") else None
