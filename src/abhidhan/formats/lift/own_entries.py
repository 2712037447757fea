"""Parser of content that only Abhidhan's LIFT files have: proverbs, idea relations, and timestamps in traits."""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from abhidhan.formats.lift.headwords import LiftHeadword, ReadSettings
from abhidhan.formats.lift.multitext import forms_of, trait_of
from abhidhan.formats.lift.vocabulary import IDEA, SAME_IDEA
from abhidhan.records.kinds import PhraseRecord, RelationRecord
from abhidhan.records.kinds.field_types import LocalTextRecord

ENGLISH: Final = "en"
"""Language of texts without a writing system."""


def own_relations(sense: Element, name: str) -> Iterator[RelationRecord]:
    """Yield the relations of an idea, without those to synonyms."""
    for relation in sense.findall("relation"):
        to, kind = trait_of(relation, IDEA), relation.get("type", "")
        if to and not (kind == SAME_IDEA and to == name):
            yield RelationRecord(kind, to)


def parse_proverb(entry: Element, head: LiftHeadword, name: str, reading: ReadSettings) -> PhraseRecord:
    """Parse a proverb or idiom."""
    source, _, key = name.partition(":")
    sense = entry.find("sense")
    forms = forms_of(sense.find("definition")) if sense is not None else ()
    texts = [(reading.code(form.tag) if form.tag else ENGLISH, form.text) for form in forms]
    english = dict.fromkeys(text for code, text in texts if code == ENGLISH)
    return PhraseRecord(
        source,
        key,
        head.word.language,
        head.word.text,
        trait_of(entry, "category") or "Other",
        " / ".join(english) or None,
        head.word.roman,
        parse_moment(trait_of(entry, "added")),
        trait_of(entry, "licence"),
        tuple(LocalTextRecord(code, text) for code, text in texts if code != ENGLISH),
    )


def parse_moment(text: str | None) -> int | None:
    """Parse a Unix timestamp; None if it is missing or invalid."""
    return int(text) if text and text.isdecimal() and len(text) < len("1000000000000") else None
