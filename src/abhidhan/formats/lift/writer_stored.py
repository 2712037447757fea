"""Writer of imported LIFT entries in their original form, with later edits, additions and deletions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, tostring

from defusedxml.ElementTree import fromstring

from abhidhan.formats.lift.headwords import LiftHeadword, parse_headword
from abhidhan.formats.lift.multitext import get_timestamp
from abhidhan.formats.lift.stored_entries import build_guid_key
from abhidhan.formats.lift.vocabulary import ENTRY_SOURCE_TRAIT, IDEA_KEY_TRAIT, RECORDING_TRAIT, SENSE_ELEMENTS
from abhidhan.formats.lift.writer_edits import (
    STORED_XML_SETTINGS,
    WORD_FIELDS,
    append_elements,
    change_sense,
    change_word,
    remove_children,
)
from abhidhan.formats.lift.writer_elements import format_date, format_trait
from abhidhan.formats.lift.writer_entries import LiftSense, References, format_recording, format_sense, format_variant
from abhidhan.formats.writers.export_source import ExportRecording
from abhidhan.records.kinds import WordRecord
from abhidhan.records.lift_entries import LiftEdits, LiftEntry
from assamese.keys import exact_key

NO_EDITS: Final = LiftEdits()


class StoredEntry(NamedTuple):
    """A stored entry, with the current senses of its ideas by key; its XML is changed when it is written."""

    entry: LiftEntry
    root: Element
    senses: Mapping[str, LiftSense]

    @classmethod
    def parse(cls, entry: LiftEntry, senses: Mapping[str, LiftSense]) -> "StoredEntry":
        """Parse the XML of an entry."""
        return cls(entry, fromstring(entry.content), senses)

    @property
    def headword(self) -> LiftHeadword | None:
        """The headword in the original XML."""
        return parse_headword(self.root, STORED_XML_SETTINGS)


def list_sense_ids(entry: LiftEntry) -> list[str]:
    """Return the IDs of the senses of an entry, in order; empty for a sense without an ID."""
    return [element.get("id", "") for element in fromstring(entry.content).iter() if element.tag in SENSE_ELEMENTS]


class Additions(NamedTuple):
    """Data of a word that none of its stored LIFT entries has, to be added to the first one."""

    senses: Sequence[LiftSense] = ()
    forms: Sequence[str] = ()
    tagged_forms: Sequence[tuple[str, str]] = ()
    recordings: Sequence[tuple[ExportRecording, str]] = ()
    fields: Sequence[str] = ()
    """Fields of the word that no stored entry has."""


def find_additions(
    entries: Sequence[StoredEntry],
    word: WordRecord,
    senses: Sequence[LiftSense],
    tagged_forms: Sequence[tuple[str, str]],
    recordings: Sequence[tuple[ExportRecording, str]],
) -> Additions:
    """Return the data of a word that none of its stored entries contains."""
    heads = [head for entry in entries if (head := entry.headword) is not None]
    written = {exact_key(text) for head in heads for text in (head.word.text, *head.word.forms)}
    forms = [text for text in word.forms if exact_key(text) not in written]
    stored_forms = {(exact_key(text), tag) for head in heads for text, tag in head.tagged_forms}
    missing = [name for name in WORD_FIELDS if all(getattr(head.word, name) is None for head in heads)]
    return Additions(
        senses,
        forms,
        [(text, tag) for text, tag in tagged_forms if (exact_key(text), tag) not in stored_forms],
        recordings,
        [name for name in missing if getattr(word, name) is not None],
    )


def format_stored_entry(
    stored: StoredEntry, references: References, edits: LiftEdits = NO_EDITS, additions: Additions | None = None
) -> str:
    """Format an entry: its original XML, with the changes made since."""
    entry, root, senses = stored
    word = next((sense.word for sense in senses.values()), None)
    before = tostring(root)
    keyed_senses = list(zip((node for node in root.iter() if node.tag in SENSE_ELEMENTS), entry.ideas, strict=False))
    for node, key in keyed_senses:
        if key in senses:
            change_sense(node, senses[key], references, edits)
    _remove_senses(root, {id(node) for node, key in keyed_senses if key and key not in senses})
    if word is not None:
        word_additions = additions or Additions()
        change_word(root, word, {*edits.words.get((word.language, word.text), ()), *word_additions.fields})
        append_elements(root, (format_variant(word.language, text) for text in word_additions.forms))
        append_elements(root, (format_variant(word.language, *each) for each in word_additions.tagged_forms))
    if tostring(root) != before:
        _update_date(root, senses.values())
    if additions is not None:
        append_elements(root, (format_sense(sense, references) for sense in additions.senses))
        append_elements(root, (_mark_recording(format_recording(*each), each[0]) for each in additions.recordings))
    for node, key in keyed_senses:
        if key in senses and key != build_guid_key(entry.language, root, node):
            append_elements(node, [format_trait(IDEA_KEY_TRAIT, key)])
    append_elements(root, [format_trait(ENTRY_SOURCE_TRAIT, entry.source)])
    return tostring(root, encoding="unicode").strip() + "\n"


def _mark_recording(recording: str, export_recording: ExportRecording) -> str:
    return (
        recording.removesuffix("</pronunciation>")
        + format_trait(RECORDING_TRAIT, export_recording.id)
        + "</pronunciation>"
    )


def _update_date(root: Element, senses: Iterable[LiftSense]) -> None:
    """Update the date of an edited entry, since FieldWorks skips entries whose date it already has."""
    records = [record for sense in senses for record in (sense.idea, sense.word)]
    moments = [moment for record in records for moment in (record.created, record.updated) if moment is not None]
    latest = max(moments, default=None)
    if latest is not None and latest > (get_timestamp(root, "dateModified") or 0):
        root.set("dateModified", format_date(latest) or "")


def _remove_senses(parent: Element, deleted_ids: set[int]) -> None:
    """Remove the senses whose ideas were deleted; a sense with a remaining subsense only loses its other content."""
    for child in [node for node in parent if node.tag in SENSE_ELEMENTS]:
        _remove_senses(child, deleted_ids)
        if id(child) in deleted_ids:
            remove_children(child, lambda node: node.tag not in SENSE_ELEMENTS)
            if not len(child):
                parent.remove(child)
