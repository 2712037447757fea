"""Writer of imported LIFT entries in their original form, with later edits, additions and deletions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, tostring

from defusedxml.ElementTree import fromstring

from abhidhan.formats.lift.headwords import LiftHeadword, head_of
from abhidhan.formats.lift.kept_entries import guid_key
from abhidhan.formats.lift.multitext import moment_of
from abhidhan.formats.lift.vocabulary import ENTRY_SOURCE, IDEA_KEY, RECORDING, SENSES
from abhidhan.formats.lift.writer_edits import (
    STORED_XML_SETTINGS,
    WORD_FIELDS,
    append,
    change_sense,
    change_word,
    remove,
)
from abhidhan.formats.lift.writer_elements import date, trait
from abhidhan.formats.lift.writer_entries import LiftSense, References, write_recording, write_sense, write_variant
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
    def head(self) -> LiftHeadword | None:
        """The headword in the original XML."""
        return head_of(self.root, STORED_XML_SETTINGS)


def sense_ids(entry: LiftEntry) -> list[str]:
    """Return the IDs of the senses of an entry, in order; empty for a sense without an ID."""
    return [element.get("id", "") for element in fromstring(entry.content).iter() if element.tag in SENSES]


class Additions(NamedTuple):
    """Data of a word that none of its stored LIFT entries has, to be added to the first one."""

    senses: Sequence[LiftSense] = ()
    forms: Sequence[str] = ()
    tagged: Sequence[tuple[str, str]] = ()
    voices: Sequence[tuple[ExportRecording, str]] = ()
    fields: Sequence[str] = ()
    """Fields of the word that no stored entry has."""


def additions_of(
    entries: Sequence[StoredEntry],
    word: WordRecord,
    senses: Sequence[LiftSense],
    tagged: Sequence[tuple[str, str]],
    voices: Sequence[tuple[ExportRecording, str]],
) -> Additions:
    """Return the data of a word that none of its stored entries contains."""
    heads = [head for entry in entries if (head := entry.head) is not None]
    written = {exact_key(text) for head in heads for text in (head.word.text, *head.word.forms)}
    forms = [text for text in word.forms if exact_key(text) not in written]
    stored_forms = {(exact_key(text), tag) for head in heads for text, tag in head.tagged_forms}
    missing = [name for name in WORD_FIELDS if all(getattr(head.word, name) is None for head in heads)]
    return Additions(
        senses,
        forms,
        [(text, tag) for text, tag in tagged if (exact_key(text), tag) not in stored_forms],
        voices,
        [name for name in missing if getattr(word, name) is not None],
    )


def write_stored(
    stored: StoredEntry, references: References, edits: LiftEdits = NO_EDITS, added: Additions | None = None
) -> str:
    """Format an entry: its original XML, with the changes made since."""
    entry, root, senses = stored
    word = next((sense.word for sense in senses.values()), None)
    before = tostring(root)
    keyed_senses = list(zip((node for node in root.iter() if node.tag in SENSES), entry.ideas, strict=False))
    for node, key in keyed_senses:
        if key in senses:
            change_sense(node, senses[key], references, edits)
    _remove_senses(root, {id(node) for node, key in keyed_senses if key and key not in senses})
    if word is not None:
        more = added or Additions()
        change_word(root, word, {*edits.words.get((word.language, word.text), ()), *more.fields})
        append(root, (write_variant(word.language, text) for text in more.forms))
        append(root, (write_variant(word.language, *each) for each in more.tagged))
    if tostring(root) != before:
        _date(root, senses.values())
    if added is not None:
        append(root, (write_sense(sense, references) for sense in added.senses))
        append(root, (_mark_recording(write_recording(*each), each[0]) for each in added.voices))
    for node, key in keyed_senses:
        if key in senses and key != guid_key(entry.language, root, node):
            append(node, [trait(IDEA_KEY, key)])
    append(root, [trait(ENTRY_SOURCE, entry.source)])
    return tostring(root, encoding="unicode").strip() + "\n"


def _mark_recording(recording: str, voice: ExportRecording) -> str:
    return recording.removesuffix("</pronunciation>") + trait(RECORDING, voice.id) + "</pronunciation>"


def _date(root: Element, senses: Iterable[LiftSense]) -> None:
    """Update the date of an edited entry, since FieldWorks skips entries whose date it already has."""
    records = [record for sense in senses for record in (sense.idea, sense.word)]
    moments = [moment for record in records for moment in (record.created, record.updated) if moment is not None]
    latest = max(moments, default=None)
    if latest is not None and latest > (moment_of(root, "dateModified") or 0):
        root.set("dateModified", date(latest) or "")


def _remove_senses(parent: Element, gone: set[int]) -> None:
    """Remove the senses whose ideas were deleted; a sense with a remaining subsense only loses its other content."""
    for child in [node for node in parent if node.tag in SENSES]:
        _remove_senses(child, gone)
        if id(child) in gone:
            remove(child, lambda node: node.tag not in SENSES)
            if not len(child):
                parent.remove(child)
