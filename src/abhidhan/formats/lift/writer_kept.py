"""Write imported LIFT entries back unchanged, except for the edits, additions and deletions made here."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, tostring

from defusedxml.ElementTree import fromstring

from abhidhan.formats.lift.headwords import Head, head_of
from abhidhan.formats.lift.kept_entries import guid_key
from abhidhan.formats.lift.multitext import moment_of
from abhidhan.formats.lift.vocabulary import ENTRY_SOURCE, IDEA_KEY, RECORDING, SENSES
from abhidhan.formats.lift.writer_edits import BARE, WORD_FIELDS, append, change_sense, change_word, remove
from abhidhan.formats.lift.writer_elements import date, trait
from abhidhan.formats.lift.writer_entries import References, Sense, write_recording, write_sense, write_variant
from abhidhan.formats.writers.export_source import Voice
from abhidhan.records.kinds import WordRecord
from abhidhan.records.lift_entries import LiftEdits, LiftEntry
from assamese.keys import exact_key

NO_EDITS: Final = LiftEdits()


class KeptEntry(NamedTuple):
    """A stored entry, with the current senses of its ideas by key; its XML is changed when it is written."""

    entry: LiftEntry
    root: Element
    senses: Mapping[str, Sense]

    @classmethod
    def of(cls, entry: LiftEntry, senses: Mapping[str, Sense]) -> "KeptEntry":
        """Parse the XML of an entry."""
        return cls(entry, fromstring(entry.content), senses)

    @property
    def head(self) -> Head | None:
        """The headword in the original XML."""
        return head_of(self.root, BARE)


def sense_ids(entry: LiftEntry) -> list[str]:
    """Return the IDs of the senses of an entry, in order; empty for a sense without an ID."""
    return [one.get("id", "") for one in fromstring(entry.content).iter() if one.tag in SENSES]


class Additions(NamedTuple):
    """The data of a word that came with none of its LIFT entries. It is written into the first of them."""

    senses: Sequence[Sense] = ()
    forms: Sequence[str] = ()
    tagged: Sequence[tuple[str, str]] = ()
    voices: Sequence[tuple[Voice, str]] = ()
    fields: Sequence[str] = ()
    """Fields of the word that no stored entry has."""


def additions_of(
    kept: Sequence[KeptEntry],
    word: WordRecord,
    senses: Sequence[Sense],
    tagged: Sequence[tuple[str, str]],
    voices: Sequence[tuple[Voice, str]],
) -> Additions:
    """Return the data of a word that none of its stored entries has."""
    heads = [head for one in kept if (head := one.head) is not None]
    written = {exact_key(text) for head in heads for text in (head.word.text, *head.word.forms)}
    forms = [text for text in word.forms if exact_key(text) not in written]
    known = {(exact_key(text), tag) for head in heads for text, tag in head.tagged}
    untold = [name for name in WORD_FIELDS if all(getattr(head.word, name) is None for head in heads)]
    return Additions(
        senses,
        forms,
        [(text, tag) for text, tag in tagged if (exact_key(text), tag) not in known],
        voices,
        [name for name in untold if getattr(word, name) is not None],
    )


def write_kept(
    kept: KeptEntry, references: References, edits: LiftEdits = NO_EDITS, added: Additions | None = None
) -> str:
    """Format an entry: its original XML, with the changes made since."""
    entry, root, senses = kept
    word = next((sense.word for sense in senses.values()), None)
    before = tostring(root)
    numbered = list(zip((one for one in root.iter() if one.tag in SENSES), entry.ideas, strict=False))
    for one, key in numbered:
        if key in senses:
            change_sense(one, senses[key], references, edits)
    _drop(root, {id(one) for one, key in numbered if key and key not in senses})
    if word is not None:
        more = added or Additions()
        change_word(root, word, {*edits.words.get((word.language, word.text), ()), *more.fields})
        append(root, (write_variant(word.language, text) for text in more.forms))
        append(root, (write_variant(word.language, *each) for each in more.tagged))
    if tostring(root) != before:
        _date(root, senses.values())
    if added is not None:
        append(root, (write_sense(sense, references) for sense in added.senses))
        append(root, (_marked(write_recording(*each), each[0]) for each in added.voices))
    for one, key in numbered:
        if key in senses and key != guid_key(entry.language, root, one):
            append(one, [trait(IDEA_KEY, key)])
    append(root, [trait(ENTRY_SOURCE, entry.source)])
    return tostring(root, encoding="unicode").strip() + "\n"


def _marked(recording: str, voice: Voice) -> str:
    return recording.removesuffix("</pronunciation>") + trait(RECORDING, voice.id) + "</pronunciation>"


def _date(root: Element, senses: Iterable[Sense]) -> None:
    """Update the date of an edited entry, since FieldWorks skips entries whose date it already has."""
    records = [one for sense in senses for one in (sense.idea, sense.word)]
    moments = [moment for one in records for moment in (one.created, one.updated) if moment is not None]
    latest = max(moments, default=None)
    if latest is not None and latest > (moment_of(root, "dateModified") or 0):
        root.set("dateModified", date(latest) or "")


def _drop(parent: Element, gone: set[int]) -> None:
    """Remove the senses whose ideas are gone; if a subsense stays, remove only the other content."""
    for child in [one for one in parent if one.tag in SENSES]:
        _drop(child, gone)
        if id(child) in gone:
            remove(child, lambda one: one.tag not in SENSES)
            if not len(child):
                parent.remove(child)
