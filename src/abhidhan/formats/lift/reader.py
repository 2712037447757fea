"""Reader of LIFT, the exchange format of FieldWorks, WeSay and The Combine; each sense becomes an idea."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

import msgspec

from abhidhan.formats.content_streams import Content, spool
from abhidhan.formats.importer_api import Found, Options, joined, key_of, placed_source
from abhidhan.formats.lift.headwords import Head, Reading, head_of
from abhidhan.formats.lift.kept_entries import guid_key, is_foreign, kept_deletion, kept_entry, kept_header, kept_range
from abhidhan.formats.lift.links import Link, Links
from abhidhan.formats.lift.losses import losses_of_entry, losses_of_file, losses_of_header
from abhidhan.formats.lift.multitext import guid_of, moment_of, name_in_id, trait_of, traits_of
from abhidhan.formats.lift.own_entries import moment_in, own_relations, proverb
from abhidhan.formats.lift.ranges import (
    RANGE,
    Category,
    check_languages,
    own_categories,
    own_languages,
    own_sources,
    read_categories,
)
from abhidhan.formats.lift.senses import Meaning, entry_remarks, join_fitting, meaning_of, own_meaning_of
from abhidhan.formats.lift.vocabulary import (
    COMPONENT,
    DERIVED,
    ENTRY_SOURCE,
    IDEA,
    IDEA_KEY,
    PRODUCER,
    PROVERB,
    RANK,
    RELATED,
    RELATIONS,
    VARIANT_OF,
    VARIANT_TYPE,
    VARIANTS,
)
from abhidhan.formats.writers.external_sort import RepeatedIds
from abhidhan.formats.xml_stream import Found as FoundElement
from abhidhan.formats.xml_stream import read_elements
from abhidhan.records.errors import Problem
from abhidhan.records.ids import read_number
from abhidhan.records.import_records import Deletion, Fault, Loss, Placed, Unread
from abhidhan.records.kinds import FormsRecord, IdeaRecord, PhraseRecord, SourceRecord, WordRecord
from abhidhan.records.kinds.fields import MOST_WORD_LETTERS
from abhidhan.records.lift_entries import LiftEntry

ENDING: Final = ".lift"
RANGES: Final = ".lift-ranges"
WANTED: Final = frozenset({"header", "entry"})
NO_HEADWORD: Final = (
    "The entry has no headword. Add a lexical-unit with a form whose `lang` is the language, and a text in it."
)
TOO_LONG: Final = (
    f"The headword, or a form of it, has more than {MOST_WORD_LETTERS} characters. "
    "Put a sentence into an example or a definition."
)
NO_SENSE: Final = (
    "The entry has no sense, and is not a variant of another one. Add a sense with a gloss or a definition."
)
NO_MEANING: Final = "The sense has no meaning. Give it a gloss or a definition that is not only punctuation."


def read_lift(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read LIFT files, and the ranges next to them."""
    with ExitStack() as stack:
        folder = Path(tempfile.gettempdir())
        links, ids = stack.enter_context(Links(folder)), stack.enter_context(RepeatedIds(folder))
        categories: dict[str, Category] = {}
        files: list[Content] = []
        ranges: list[Content] = []
        for content in contents:
            name = content.base_name.lower()
            if name.endswith((ENDING, RANGES)):
                # Ranges, which follow the file alphabetically, define its parts of speech.
                listed = ranges if name.endswith(RANGES) else files
                listed.append(Content(content.name, stack.enter_context(spool(content)), content.meter))
        for content in ranges:
            categories.update(read_categories(content))
        check_languages(files, options)
        readers = [_File(file.name, options, categories, (links, ids)) for file in files]
        for reader, file in zip(readers, files, strict=True):
            yield from reader.read(file)
        yield from links.told()
        yield from ids.faults()
        for content in ranges:
            yield from readers[0].ranges(content) if readers else ()


class _File:
    """Reader of one file, starting with its header."""

    def __init__(
        self, name: str, options: Options, categories: Mapping[str, Category], gathered: tuple[Links, RepeatedIds]
    ) -> None:
        self._name = name
        self._reading = Reading(options)
        self._categories = categories
        self._links, self._ids = gathered
        self._source = ""
        self._sources: frozenset[str] = frozenset()
        self._keys: dict[int, str] = {}
        self._line = 0
        self.is_own = False
        """Whether the file was written by us; then its header and ranges hold nothing that records lack."""

    def read(self, content: Content) -> Iterator[Found]:
        """Yield the records, faults and losses of the entries."""
        sources: list[SourceRecord] = []
        attributes: dict[str, str] | None = None
        header: FoundElement | None = None
        for found, outer in read_elements(content, WANTED):
            self._line = found.line
            if attributes is None:
                attributes = outer[0][1] if outer else {}
                self.is_own = attributes.get("producer") == PRODUCER
                yield from losses_of_file(self._name, attributes if not self.is_own else {})
            if found.element.tag == "header":
                sources = own_sources(found.element)
                self._reading = Reading(self._reading.options, own_languages(found.element))
                self._categories = {**self._categories, **own_categories(found.element)}
                header = found
                continue
            if not self._source:
                source = self._reading.options.own_source(sources[0] if sources else None)
                self._source = source.code
                self._sources = frozenset(one.code for one in (source, *sources))
                yield from map(placed_source, (source, *sources))
                if header is not None:
                    yield from self._header(header)
                    header = None
            if found.element.get("dateDeleted") is None:
                yield from self._entry(found.element)
            else:
                yield from self._deletion(found.element)
        if header is not None and not self.is_own:
            yield from losses_of_header(self._name, header.line, header.element, self._reading.options)

    def ranges(self, content: Content) -> Iterator[Found]:
        """Yield a file of ranges in its original form; only its categories are read into records."""
        content.stream.seek(0)
        for found, _ in read_elements(Content(content.name, content.stream), RANGE):
            options, element = self._reading.options, found.element
            losses = () if self.is_own else tuple(losses_of_header(content.name, found.line, element, options))
            # The source of a file without entries is unknown.
            kept = kept_range(element, self._source, is_own=self.is_own) if self._source else None
            yield from _kept_or_lost(kept, losses)

    def _header(self, found: FoundElement) -> Iterator[Found]:
        kept = kept_header(found.element, self._source, is_own=self.is_own)
        if not self.is_own:
            options = self._reading.options
            if kept is not None:
                for one in found.element.findall("description"):
                    yield from losses_of_header(self._name, found.line, one, options)
            losses = tuple(losses_of_header(self._name, found.line, found.element, options))
            yield from _kept_or_lost(kept, losses)
        elif kept is not None:
            yield Unread(kept, ())

    def _deletion(self, entry: Element) -> Iterator[Found]:
        guid, source = guid_of(entry), self._source_of(entry)
        if guid:
            yield Deletion(source, guid)
        losses = () if guid else tuple(losses_of_entry(self._name, self._line, entry, (), self._reading))
        yield from _kept_or_lost(kept_deletion(entry, source), losses)

    def _entry(self, entry: Element) -> Iterator[Found]:
        """Yield the records and faults of an entry, and the values that its records lack."""
        self._ids.add("entry", entry.get("id") or entry.get("guid"), self._name, self._line)
        head = head_of(entry, self._reading)
        if head is None:
            yield self._fault("lexical-unit", NO_HEADWORD)
        elif max(map(len, (head.word.text, *head.word.forms))) > MOST_WORD_LETTERS:
            # A relation to a rejected headword would turn it into an idea without words.
            yield self._fault("lexical-unit", TOO_LONG)
        elif (name := trait_of(entry, PROVERB)) is not None:
            yield from self._with_rest(entry, head, [self._placed(proverb(entry, head, name, self._reading))])
        elif entry.find("sense") is not None:
            yield from self._with_rest(entry, head, list(self._senses(entry, head)))
        else:
            yield from self._variant(entry, head)

    def _with_rest(self, entry: Element, head: Head, found: Sequence[Placed | Fault]) -> Iterator[Found]:
        yield from found
        yield from self._rest(entry, head, found)

    def _rest(self, entry: Element, head: Head, read: Sequence[Placed | Fault]) -> Iterator[Found]:
        """Yield the original form of an entry that was made elsewhere, or else its losses."""
        # If nothing of an entry is imported, its faults say so.
        is_in = any(isinstance(one, Placed) for one in read)
        losses = tuple(losses_of_entry(self._name, self._line, entry, read, self._reading)) if is_in else ()
        kept = kept_entry(entry, self._source_of(entry), head.word, self._keys) if is_foreign(entry) else None
        self._keys.clear()
        yield from _kept_or_lost(kept, losses)

    def _source_of(self, entry: Element) -> str:
        """Return the source of an entry that was made elsewhere."""
        code = trait_of(entry, ENTRY_SOURCE)
        return code if code in self._sources else self._source

    def _senses(self, entry: Element, head: Head) -> Iterator[Placed | Fault]:
        found = list(self._ideas(entry, head))
        for one in found:
            yield self._fault("sense", NO_MEANING) if one is None else self._placed(one)
        ideas = [one for one in found if one is not None]
        if ideas and head.tagged:
            yield self._placed(FormsRecord(head.word.language, head.word.text, head.tagged))
        self._note_links(entry, ideas)

    def _variant(self, entry: Element, head: Head) -> Iterator[Found]:
        """Read an entry without senses, which must be a variant of another one, whose ideas it joins."""
        words = self._add_variants(entry, head)
        if words:
            yield from self._rest(entry, head, [self._placed(IdeaRecord(self._source, "", None, tuple(words)))])
        else:
            yield from self._with_rest(entry, head, [self._fault("sense", NO_SENSE)])

    def _placed(self, record: IdeaRecord | FormsRecord | PhraseRecord) -> Placed:
        return Placed(self._name, self._line, record)

    def _fault(self, element: str, detail: str) -> Fault:
        return Fault(self._name, self._line, detail, (Problem(element, detail),))

    def _ideas(self, entry: Element, head: Head) -> Iterator[IdeaRecord | None]:
        """Yield the ideas of the senses, each followed by its subsenses; None for a sense without a meaning."""
        remarks = tuple(entry_remarks(entry))
        for sense in _in_order(entry.findall("sense")):
            for one, part in _with_subsenses(sense, None):
                self._ids.add("sense", one.get("id"), self._name, self._line)
                own = trait_of(one, IDEA)
                idea = self._own_idea(one, head, own) if own else self._idea(entry, one, head, remarks, part)
                if idea is not None:
                    self._keys[id(one)] = idea.key
                    self._links.name(one.get("id"), f"{idea.source}:{idea.key}")
                    self._note_relations(one, f"{idea.source}:{idea.key}")
                yield idea

    def _idea(
        self, entry: Element, sense: Element, head: Head, remarks: tuple[str, ...], part: Element | None
    ) -> IdeaRecord | None:
        meaning = meaning_of(sense, head.word.language, self._reading, self._categories)
        if not (meaning.words or meaning.definitions):
            return None
        if meaning.pos is None and part is not None and sense.find("grammatical-info") is None:
            above = meaning_of(part, head.word.language, self._reading, self._categories)
            meaning = meaning._replace(pos=above.pos)
        word = msgspec.structs.replace(
            head.word,
            note=join_fitting(meaning.note, *remarks),
            reference=meaning.reference,
            created=None,
            updated=None,
        )
        said = meaning.definitions[0].text if meaning.definitions else ", ".join(one.text for one in meaning.words)
        key = trait_of(sense, IDEA_KEY) or guid_key(head.word.language, entry, sense)
        key = key or key_of(head.word.language, head.word.text, said)
        if trait_of(entry, ENTRY_SOURCE) is not None:
            # In our own files, other words of these languages have their own entries, which define their order.
            meaning = meaning._replace(
                words=tuple(one for one in meaning.words if one.language not in self._reading.own)
            )
        return _idea(self._source_of(entry), key, word, meaning)

    def _own_idea(self, sense: Element, head: Head, name: str) -> IdeaRecord:
        meaning = own_meaning_of(sense, self._reading)
        source, _, key = name.partition(":")
        order = sense.get("order", "")
        word = msgspec.structs.replace(
            head.word,
            note=meaning.note,
            reference=meaning.reference,
            source=trait_of(sense, "source"),
            position=int(order) if order.isdecimal() and len(order) < len("1000000000") else None,
            rank=read_number(trait_of(sense, RANK) or ""),
            added=moment_in(trait_of(sense, "added")),
            licence=trait_of(sense, "licence"),
        )
        idea = _idea(source, key, word, meaning)
        return msgspec.structs.replace(
            idea,
            relations=tuple(own_relations(sense, name)),
            created=moment_of(sense, "dateCreated"),
            updated=moment_of(sense, "dateModified"),
            licence=trait_of(sense, "idea-licence"),
            aliases=tuple(traits_of(sense, "alias")),
        )

    def _note_relations(self, sense: Element, idea: str) -> None:
        for relation in sense.findall("relation"):
            to = relation.get("ref", "").strip()
            if to and trait_of(relation, IDEA) is None:
                kind = _relation_type(relation.get("type", ""), self._reading.options)
                self._links.lead(to, Link(self._name, self._line, idea, kind))

    def _note_links(self, entry: Element, ideas: list[IdeaRecord]) -> None:
        """Add the entry's IDs as targets of references, and its own references to other entries."""
        names = [f"{idea.source}:{idea.key}" for idea in ideas]
        for identifier in dict.fromkeys((entry.get("id"), entry.get("guid"))):
            for name in names:
                self._links.name(identifier, name)
        for relation in _references(entry):
            to = relation.get("ref", "").strip()
            if to and names:
                kind = relation.get("type", "")
                meant = DERIVED if kind == COMPONENT else _relation_type(kind, self._reading.options)
                self._links.lead(to, Link(self._name, self._line, names[0], meant))

    def _add_variants(self, entry: Element, head: Head) -> list[WordRecord]:
        """Add this entry without senses as a variant to those that it names; return the resulting words."""
        kinds = self._reading.options.values.get("variant", {})
        remarks = tuple(entry_remarks(entry))
        words = []
        for relation in _references(entry):
            kind = trait_of(relation, VARIANT_TYPE) or ""
            variant = kinds.get(kind) or VARIANTS.get(kind.casefold()) or head.word.variant
            to = relation.get("ref", "").strip()
            said = f"{VARIANT_OF}{name_in_id(to)}" + (f" ({kind})" if kind else "")
            note = joined(said, *remarks)
            word = msgspec.structs.replace(head.word, variant=variant, note=note, created=None, updated=None)
            self._links.lead(to, Link(self._name, self._line, word=word))
            words.append(word)
        return words


def _kept_or_lost(kept: LiftEntry | None, losses: tuple[Loss, ...]) -> Iterator[Unread | Loss]:
    if kept is not None:
        yield Unread(kept, losses)
    else:
        yield from losses


def _references(entry: Element) -> list[Element]:
    """Return the references of an entry to others."""
    return [*entry.findall("relation"), *entry.findall("variant[@ref]")]


def _in_order(senses: list[Element]) -> list[Element]:
    """Sort senses by their `order`, if all have one."""
    places = [read_number(sense.get("order", "")) for sense in senses]
    if None in places:
        return senses
    return [sense for _, sense in sorted(zip(places, senses, strict=True), key=itemgetter(0))]


def _with_subsenses(sense: Element, above: Element | None) -> Iterator[tuple[Element, Element | None]]:
    """Yield a sense and its subsenses at any depth, each with the sense whose part of speech it may inherit."""
    yield sense, above
    teller = sense if sense.find("grammatical-info") is not None else above
    yield from chain.from_iterable(_with_subsenses(one, teller) for one in _in_order(sense.findall("subsense")))


def _idea(source: str, key: str, word: WordRecord, meaning: Meaning) -> IdeaRecord:
    return IdeaRecord(
        source,
        key,
        meaning.pos,
        (word, *meaning.words),
        gender=meaning.gender,
        glyph=meaning.glyph,
        contexts=meaning.contexts,
        definitions=meaning.definitions,
        examples=meaning.examples,
    )


def _relation_type(kind: str, options: Options) -> str:
    mapped = options.values.get("relation", {}).get(kind)
    return mapped or RELATIONS.get(kind.strip().casefold(), RELATED)
