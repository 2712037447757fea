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

from abhidhan.formats.content_streams import ContentStream, spool
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord, join_notes, key_of, located_source
from abhidhan.formats.lift.headwords import LiftHeadword, ReadSettings, head_of
from abhidhan.formats.lift.kept_entries import (
    guid_key,
    is_foreign,
    stored_deletion,
    stored_entry,
    stored_header,
    stored_range,
)
from abhidhan.formats.lift.links import LinkCollector, PendingLink
from abhidhan.formats.lift.losses import losses_of_entry, losses_of_file, losses_of_header
from abhidhan.formats.lift.multitext import guid_of, moment_of, trait_of, traits_of, word_in_id
from abhidhan.formats.lift.own_entries import own_relations, parse_moment, parse_proverb
from abhidhan.formats.lift.ranges import (
    RANGE,
    Category,
    check_languages,
    own_categories,
    own_languages,
    own_sources,
    read_categories,
)
from abhidhan.formats.lift.senses import LiftMeaning, entry_remarks, join_within_limit, parse_meaning, parse_own_meaning
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
from abhidhan.formats.writers.external_sort import DuplicateIds
from abhidhan.formats.xml_stream import LocatedElement as FoundElement
from abhidhan.formats.xml_stream import read_elements
from abhidhan.records.errors import Problem
from abhidhan.records.ids import read_number
from abhidhan.records.import_records import Deletion, LocatedRecord, Loss, RawEntry, RecordError
from abhidhan.records.kinds import FormsRecord, IdeaRecord, PhraseRecord, SourceRecord, WordRecord
from abhidhan.records.kinds.fields import MAX_WORD_LENGTH
from abhidhan.records.lift_entries import LiftEntry

FILE_SUFFIX: Final = ".lift"
RANGES_SUFFIX: Final = ".lift-ranges"
TOP_ELEMENTS: Final = frozenset({"header", "entry"})
NO_HEADWORD: Final = (
    "The entry has no headword. Add a lexical-unit with a form whose `lang` is the language, and a text in it."
)
TOO_LONG: Final = (
    f"The headword, or a form of it, has more than {MAX_WORD_LENGTH} characters. "
    "Put a sentence into an example or a definition."
)
NO_SENSE: Final = (
    "The entry has no sense, and is not a variant of another one. Add a sense with a gloss or a definition."
)
NO_MEANING: Final = "The sense has no meaning. Give it a gloss or a definition that is not only punctuation."


def read_lift(contents: Iterator[ContentStream], options: ImportOptions) -> Iterator[ParsedRecord]:
    """Read LIFT files, and the ranges next to them."""
    with ExitStack() as stack:
        folder = Path(tempfile.gettempdir())
        links, ids = stack.enter_context(LinkCollector(folder)), stack.enter_context(DuplicateIds(folder))
        categories: dict[str, Category] = {}
        files: list[ContentStream] = []
        ranges: list[ContentStream] = []
        for content in contents:
            name = content.base_name.lower()
            if name.endswith((FILE_SUFFIX, RANGES_SUFFIX)):
                # Ranges, which follow the file alphabetically, define its parts of speech.
                group = ranges if name.endswith(RANGES_SUFFIX) else files
                group.append(ContentStream(content.name, stack.enter_context(spool(content)), content.meter))
        for content in ranges:
            categories.update(read_categories(content))
        check_languages(files, options)
        readers = [_FileReader(file.name, options, categories, (links, ids)) for file in files]
        for reader, file in zip(readers, files, strict=True):
            yield from reader.read(file)
        yield from links.resolve()
        yield from ids.faults()
        for content in ranges:
            yield from readers[0].ranges(content) if readers else ()


class _FileReader:
    """Reader of one file, starting with its header."""

    def __init__(
        self,
        name: str,
        options: ImportOptions,
        categories: Mapping[str, Category],
        collectors: tuple[LinkCollector, DuplicateIds],
    ) -> None:
        self._name = name
        self._reading = ReadSettings(options)
        self._categories = categories
        self._links, self._ids = collectors
        self._source = ""
        self._sources: frozenset[str] = frozenset()
        self._keys: dict[int, str] = {}
        self._line = 0
        self.is_own = False
        """Whether Abhidhan wrote the file; its header and ranges then have no losses."""

    def read(self, content: ContentStream) -> Iterator[ParsedRecord]:
        """Yield the records, errors and losses of the entries."""
        sources: list[SourceRecord] = []
        attributes: dict[str, str] | None = None
        header: FoundElement | None = None
        for item, outer in read_elements(content, TOP_ELEMENTS):
            self._line = item.line
            if attributes is None:
                attributes = outer[0][1] if outer else {}
                self.is_own = attributes.get("producer") == PRODUCER
                yield from losses_of_file(self._name, attributes if not self.is_own else {})
            if item.element.tag == "header":
                sources = own_sources(item.element)
                self._reading = ReadSettings(self._reading.options, own_languages(item.element))
                self._categories = {**self._categories, **own_categories(item.element)}
                header = item
                continue
            if not self._source:
                source = self._reading.options.require_source(sources[0] if sources else None)
                self._source = source.code
                self._sources = frozenset(one.code for one in (source, *sources))
                yield from map(located_source, (source, *sources))
                if header is not None:
                    yield from self._header(header)
                    header = None
            if item.element.get("dateDeleted") is None:
                yield from self._entry(item.element)
            else:
                yield from self._deletion(item.element)
        if header is not None and not self.is_own:
            yield from losses_of_header(self._name, header.line, header.element, self._reading.options)

    def ranges(self, content: ContentStream) -> Iterator[ParsedRecord]:
        """Yield the ranges of a file to be stored in their original form; only their categories are imported."""
        content.stream.seek(0)
        for item, _ in read_elements(ContentStream(content.name, content.stream), RANGE):
            options, element = self._reading.options, item.element
            losses = () if self.is_own else tuple(losses_of_header(content.name, item.line, element, options))
            # The source of a file without entries is unknown.
            stored = stored_range(element, self._source, is_own=self.is_own) if self._source else None
            yield from _stored_or_lost(stored, losses)

    def _header(self, item: FoundElement) -> Iterator[ParsedRecord]:
        stored = stored_header(item.element, self._source, is_own=self.is_own)
        if not self.is_own:
            options = self._reading.options
            if stored is not None:
                for description in item.element.findall("description"):
                    yield from losses_of_header(self._name, item.line, description, options)
            losses = tuple(losses_of_header(self._name, item.line, item.element, options))
            yield from _stored_or_lost(stored, losses)
        elif stored is not None:
            yield RawEntry(stored, ())

    def _deletion(self, entry: Element) -> Iterator[ParsedRecord]:
        guid, source = guid_of(entry), self._source_of(entry)
        if guid:
            yield Deletion(source, guid)
        losses = () if guid else tuple(losses_of_entry(self._name, self._line, entry, (), self._reading))
        yield from _stored_or_lost(stored_deletion(entry, source), losses)

    def _entry(self, entry: Element) -> Iterator[ParsedRecord]:
        """Yield the records and errors of an entry, and its losses."""
        self._ids.add("entry", entry.get("id") or entry.get("guid"), self._name, self._line)
        head = head_of(entry, self._reading)
        if head is None:
            yield self._fault("lexical-unit", NO_HEADWORD)
        elif max(map(len, (head.word.text, *head.word.forms))) > MAX_WORD_LENGTH:
            # A relation to a rejected headword would turn it into an idea without words.
            yield self._fault("lexical-unit", TOO_LONG)
        elif (name := trait_of(entry, PROVERB)) is not None:
            yield from self._with_remainder(
                entry, head, [self._located(parse_proverb(entry, head, name, self._reading))]
            )
        elif entry.find("sense") is not None:
            yield from self._with_remainder(entry, head, list(self._senses(entry, head)))
        else:
            yield from self._variant(entry, head)

    def _with_remainder(
        self, entry: Element, head: LiftHeadword, records: Sequence[LocatedRecord | RecordError]
    ) -> Iterator[ParsedRecord]:
        yield from records
        yield from self._remainder(entry, head, records)

    def _remainder(
        self, entry: Element, head: LiftHeadword, records: Sequence[LocatedRecord | RecordError]
    ) -> Iterator[ParsedRecord]:
        """Yield the original form of an entry created outside Abhidhan, else its losses."""
        # If nothing of an entry is imported, its errors say so.
        is_in = any(isinstance(record, LocatedRecord) for record in records)
        losses = tuple(losses_of_entry(self._name, self._line, entry, records, self._reading)) if is_in else ()
        stored = stored_entry(entry, self._source_of(entry), head.word, self._keys) if is_foreign(entry) else None
        self._keys.clear()
        yield from _stored_or_lost(stored, losses)

    def _source_of(self, entry: Element) -> str:
        """Return the source code of an entry: that of its earlier import if it is listed, else that of the file."""
        code = trait_of(entry, ENTRY_SOURCE)
        return code if code in self._sources else self._source

    def _senses(self, entry: Element, head: LiftHeadword) -> Iterator[LocatedRecord | RecordError]:
        candidates = list(self._ideas(entry, head))
        for idea in candidates:
            yield self._fault("sense", NO_MEANING) if idea is None else self._located(idea)
        ideas = [idea for idea in candidates if idea is not None]
        if ideas and head.tagged_forms:
            yield self._located(FormsRecord(head.word.language, head.word.text, head.tagged_forms))
        self._add_links(entry, ideas)

    def _variant(self, entry: Element, head: LiftHeadword) -> Iterator[ParsedRecord]:
        """Read an entry without senses, which must be a variant of another entry: it becomes a word of its ideas."""
        words = self._add_variants(entry, head)
        if words:
            yield from self._remainder(entry, head, [self._located(IdeaRecord(self._source, "", None, tuple(words)))])
        else:
            yield from self._with_remainder(entry, head, [self._fault("sense", NO_SENSE)])

    def _located(self, record: IdeaRecord | FormsRecord | PhraseRecord) -> LocatedRecord:
        return LocatedRecord(self._name, self._line, record)

    def _fault(self, element: str, detail: str) -> RecordError:
        return RecordError(self._name, self._line, detail, (Problem(element, detail),))

    def _ideas(self, entry: Element, head: LiftHeadword) -> Iterator[IdeaRecord | None]:
        """Yield the ideas of the senses, each followed by its subsenses; None for a sense without a meaning."""
        remarks = tuple(entry_remarks(entry))
        for sense in _sort_senses(entry.findall("sense")):
            for element, part in _walk_senses(sense, None):
                self._ids.add("sense", element.get("id"), self._name, self._line)
                name = trait_of(element, IDEA)
                idea = self._own_idea(element, head, name) if name else self._idea(entry, element, head, remarks, part)
                if idea is not None:
                    self._keys[id(element)] = idea.key
                    self._links.add_target(element.get("id"), f"{idea.source}:{idea.key}")
                    self._add_relations(element, f"{idea.source}:{idea.key}")
                yield idea

    def _idea(
        self, entry: Element, sense: Element, head: LiftHeadword, remarks: tuple[str, ...], part: Element | None
    ) -> IdeaRecord | None:
        meaning = parse_meaning(sense, head.word.language, self._reading, self._categories)
        if not (meaning.words or meaning.definitions):
            return None
        if meaning.pos is None and part is not None and sense.find("grammatical-info") is None:
            above = parse_meaning(part, head.word.language, self._reading, self._categories)
            meaning = meaning._replace(pos=above.pos)
        word = msgspec.structs.replace(
            head.word,
            note=join_within_limit(meaning.note, *remarks),
            reference=meaning.reference,
            created=None,
            updated=None,
        )
        meaning_text = (
            meaning.definitions[0].text if meaning.definitions else ", ".join(one.text for one in meaning.words)
        )
        key = trait_of(sense, IDEA_KEY) or guid_key(head.word.language, entry, sense)
        key = key or key_of(head.word.language, head.word.text, meaning_text)
        if trait_of(entry, ENTRY_SOURCE) is not None:
            # In Abhidhan's files, words of these languages have their own entries, which define their order.
            meaning = meaning._replace(
                words=tuple(one for one in meaning.words if one.language not in self._reading.own_languages)
            )
        return _idea(self._source_of(entry), key, word, meaning)

    def _own_idea(self, sense: Element, head: LiftHeadword, name: str) -> IdeaRecord:
        meaning = parse_own_meaning(sense, self._reading)
        source, _, key = name.partition(":")
        order = sense.get("order", "")
        word = msgspec.structs.replace(
            head.word,
            note=meaning.note,
            reference=meaning.reference,
            source=trait_of(sense, "source"),
            position=int(order) if order.isdecimal() and len(order) < len("1000000000") else None,
            rank=read_number(trait_of(sense, RANK) or ""),
            added=parse_moment(trait_of(sense, "added")),
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

    def _add_relations(self, sense: Element, idea: str) -> None:
        for relation in sense.findall("relation"):
            to = relation.get("ref", "").strip()
            if to and trait_of(relation, IDEA) is None:
                kind = _relation_type(relation.get("type", ""), self._reading.options)
                self._links.add_link(to, PendingLink(self._name, self._line, idea, kind))

    def _add_links(self, entry: Element, ideas: list[IdeaRecord]) -> None:
        """Add the entry's IDs as targets of references, and its own references to other entries."""
        names = [f"{idea.source}:{idea.key}" for idea in ideas]
        for identifier in dict.fromkeys((entry.get("id"), entry.get("guid"))):
            for name in names:
                self._links.add_target(identifier, name)
        for relation in _references(entry):
            to = relation.get("ref", "").strip()
            if to and names:
                kind = relation.get("type", "")
                relation_type = DERIVED if kind == COMPONENT else _relation_type(kind, self._reading.options)
                self._links.add_link(to, PendingLink(self._name, self._line, names[0], relation_type))

    def _add_variants(self, entry: Element, head: LiftHeadword) -> list[WordRecord]:
        """Add an entry without senses as a variant to the entries that it refers to; return the variant words."""
        kinds = self._reading.options.values.get("variant", {})
        remarks = tuple(entry_remarks(entry))
        words = []
        for relation in _references(entry):
            kind = trait_of(relation, VARIANT_TYPE) or ""
            variant = kinds.get(kind) or VARIANTS.get(kind.casefold()) or head.word.variant
            to = relation.get("ref", "").strip()
            remark = f"{VARIANT_OF}{word_in_id(to)}" + (f" ({kind})" if kind else "")
            note = join_notes(remark, *remarks)
            word = msgspec.structs.replace(head.word, variant=variant, note=note, created=None, updated=None)
            self._links.add_link(to, PendingLink(self._name, self._line, word=word))
            words.append(word)
        return words


def _stored_or_lost(stored: LiftEntry | None, losses: tuple[Loss, ...]) -> Iterator[RawEntry | Loss]:
    if stored is not None:
        yield RawEntry(stored, losses)
    else:
        yield from losses


def _references(entry: Element) -> list[Element]:
    """Return the references of an entry to others."""
    return [*entry.findall("relation"), *entry.findall("variant[@ref]")]


def _sort_senses(senses: list[Element]) -> list[Element]:
    """Sort senses by their `order`, if all have one."""
    places = [read_number(sense.get("order", "")) for sense in senses]
    if None in places:
        return senses
    return [sense for _, sense in sorted(zip(places, senses, strict=True), key=itemgetter(0))]


def _walk_senses(sense: Element, above: Element | None) -> Iterator[tuple[Element, Element | None]]:
    """Yield a sense and its subsenses at any depth, each with the sense whose part of speech it may inherit."""
    yield sense, above
    nearest = sense if sense.find("grammatical-info") is not None else above
    yield from chain.from_iterable(
        _walk_senses(subsense, nearest) for subsense in _sort_senses(sense.findall("subsense"))
    )


def _idea(source: str, key: str, word: WordRecord, meaning: LiftMeaning) -> IdeaRecord:
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


def _relation_type(kind: str, options: ImportOptions) -> str:
    mapped = options.values.get("relation", {}).get(kind)
    return mapped or RELATIONS.get(kind.strip().casefold(), RELATED)
