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
from abhidhan.formats.importer_api import ImportOptions, ParsedRecord, build_key, join_notes, wrap_source
from abhidhan.formats.lift.headwords import LiftHeadword, ReadSettings, parse_headword
from abhidhan.formats.lift.links import LinkCollector, PendingLink
from abhidhan.formats.lift.losses import find_entry_losses, find_header_losses, find_root_losses
from abhidhan.formats.lift.multitext import get_guid, get_timestamp, get_trait, iter_traits, strip_guid
from abhidhan.formats.lift.own_entries import iter_idea_relations, parse_proverb, parse_timestamp
from abhidhan.formats.lift.ranges import (
    RANGE_ELEMENTS,
    Category,
    check_languages,
    read_categories,
    read_entry_languages,
    read_header_categories,
    read_sources,
)
from abhidhan.formats.lift.senses import (
    LiftMeaning,
    iter_entry_remarks,
    join_within_limit,
    parse_abhidhan_meaning,
    parse_meaning,
)
from abhidhan.formats.lift.stored_entries import (
    build_guid_key,
    build_stored_deletion,
    build_stored_entry,
    build_stored_header,
    build_stored_range,
    is_foreign,
)
from abhidhan.formats.lift.vocabulary import (
    COMPONENT_RELATION,
    DERIVED_RELATION,
    ENTRY_SOURCE_TRAIT,
    IDEA_KEY_TRAIT,
    IDEA_TRAIT,
    PRODUCER,
    PROVERB_TRAIT,
    RANK_TRAIT,
    RELATED_RELATION,
    RELATION_BY_TYPE,
    TOP_ELEMENTS,
    VARIANT_BY_TYPE,
    VARIANT_NOTE_PREFIX,
    VARIANT_TYPE_TRAIT,
)
from abhidhan.formats.writers.external_sort import DuplicateIdDetector
from abhidhan.formats.xml_stream import LocatedElement as FoundElement
from abhidhan.formats.xml_stream import read_elements
from abhidhan.records.errors import Problem
from abhidhan.records.ids import parse_number
from abhidhan.records.import_records import LocatedRecord, RawEntry, RecordError, SourceDeletion, UnstoredValue
from abhidhan.records.kinds import FormsRecord, IdeaRecord, PhraseRecord, SourceRecord, WordRecord
from abhidhan.records.kinds.fields import MAX_WORD_LENGTH
from abhidhan.records.lift_entries import LiftEntry

FILE_SUFFIX: Final = ".lift"
RANGES_SUFFIX: Final = ".lift-ranges"
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
        links, ids = stack.enter_context(LinkCollector(folder)), stack.enter_context(DuplicateIdDetector(folder))
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
        yield from ids.iter_errors()
        for content in ranges:
            yield from readers[0].read_ranges(content) if readers else ()


class _FileReader:
    """Reader of one file, starting with its header."""

    def __init__(
        self,
        file_name: str,
        options: ImportOptions,
        categories: Mapping[str, Category],
        collectors: tuple[LinkCollector, DuplicateIdDetector],
    ) -> None:
        self._file_name = file_name
        self._settings = ReadSettings(options)
        self._categories = categories
        self._links, self._ids = collectors
        self._source = ""
        self._source_codes: frozenset[str] = frozenset()
        self._idea_keys: dict[int, str] = {}
        self._line = 0
        self.is_abhidhan_file = False
        """True if Abhidhan wrote the file; its header and ranges then have no losses."""

    def read(self, content: ContentStream) -> Iterator[ParsedRecord]:
        """Yield the records, errors and losses of the entries."""
        sources: list[SourceRecord] = []
        attributes: dict[str, str] | None = None
        header: FoundElement | None = None
        for item, outer in read_elements(content, TOP_ELEMENTS):
            self._line = item.line
            if attributes is None:
                attributes = outer[0][1] if outer else {}
                self.is_abhidhan_file = attributes.get("producer") == PRODUCER
                yield from find_root_losses(self._file_name, attributes if not self.is_abhidhan_file else {})
            if item.element.tag == "header":
                sources = read_sources(item.element)
                self._settings = ReadSettings(self._settings.options, read_entry_languages(item.element))
                self._categories = {**self._categories, **read_header_categories(item.element)}
                header = item
                continue
            if not self._source:
                source = self._settings.options.require_source(sources[0] if sources else None)
                self._source = source.code
                self._source_codes = frozenset(one.code for one in (source, *sources))
                yield from map(wrap_source, (source, *sources))
                if header is not None:
                    yield from self._read_header(header)
                    header = None
            if item.element.get("dateDeleted") is None:
                yield from self._read_entry(item.element)
            else:
                yield from self._read_deletion(item.element)
        if header is not None and not self.is_abhidhan_file:
            yield from find_header_losses(self._file_name, header.line, header.element, self._settings.options)

    def read_ranges(self, content: ContentStream) -> Iterator[ParsedRecord]:
        """Yield the ranges of a file to be stored in their original form; only their categories are imported."""
        content.stream.seek(0)
        for item, _ in read_elements(ContentStream(content.name, content.stream), RANGE_ELEMENTS):
            options, element = self._settings.options, item.element
            losses = (
                () if self.is_abhidhan_file else tuple(find_header_losses(content.name, item.line, element, options))
            )
            # The source of a file without entries is unknown.
            stored = (
                build_stored_range(element, self._source, is_abhidhan_file=self.is_abhidhan_file)
                if self._source
                else None
            )
            yield from _store_or_report(stored, losses)

    def _read_header(self, item: FoundElement) -> Iterator[ParsedRecord]:
        stored = build_stored_header(item.element, self._source, is_abhidhan_file=self.is_abhidhan_file)
        if not self.is_abhidhan_file:
            options = self._settings.options
            if stored is not None:
                for description in item.element.findall("description"):
                    yield from find_header_losses(self._file_name, item.line, description, options)
            losses = tuple(find_header_losses(self._file_name, item.line, item.element, options))
            yield from _store_or_report(stored, losses)
        elif stored is not None:
            yield RawEntry(stored, ())

    def _read_deletion(self, entry: Element) -> Iterator[ParsedRecord]:
        guid, source = get_guid(entry), self._find_source(entry)
        if guid:
            yield SourceDeletion(source, guid)
        losses = () if guid else tuple(find_entry_losses(self._file_name, self._line, entry, (), self._settings))
        yield from _store_or_report(build_stored_deletion(entry, source), losses)

    def _read_entry(self, entry: Element) -> Iterator[ParsedRecord]:
        """Yield the records and errors of an entry, and its losses."""
        self._ids.add("entry", entry.get("id") or entry.get("guid"), self._file_name, self._line)
        head = parse_headword(entry, self._settings)
        if head is None:
            yield self._build_error("lexical-unit", NO_HEADWORD)
        elif max(map(len, (head.word.text, *head.word.forms))) > MAX_WORD_LENGTH:
            # A relation to a rejected headword would turn it into an idea without words.
            yield self._build_error("lexical-unit", TOO_LONG)
        elif (name := get_trait(entry, PROVERB_TRAIT)) is not None:
            yield from self._append_remainder(
                entry, head, [self._locate(parse_proverb(entry, head, name, self._settings))]
            )
        elif entry.find("sense") is not None:
            yield from self._append_remainder(entry, head, list(self._read_senses(entry, head)))
        else:
            yield from self._read_variant(entry, head)

    def _append_remainder(
        self, entry: Element, head: LiftHeadword, records: Sequence[LocatedRecord | RecordError]
    ) -> Iterator[ParsedRecord]:
        yield from records
        yield from self._iter_remainder(entry, head, records)

    def _iter_remainder(
        self, entry: Element, head: LiftHeadword, records: Sequence[LocatedRecord | RecordError]
    ) -> Iterator[ParsedRecord]:
        """Yield the original form of an entry created outside Abhidhan, else its losses."""
        # If nothing of an entry is imported, its errors say so.
        is_imported = any(isinstance(record, LocatedRecord) for record in records)
        losses = (
            tuple(find_entry_losses(self._file_name, self._line, entry, records, self._settings)) if is_imported else ()
        )
        stored = (
            build_stored_entry(entry, self._find_source(entry), head.word, self._idea_keys)
            if is_foreign(entry)
            else None
        )
        self._idea_keys.clear()
        yield from _store_or_report(stored, losses)

    def _find_source(self, entry: Element) -> str:
        """Return the source code of an entry: that of its earlier import if it is listed, else that of the file."""
        code = get_trait(entry, ENTRY_SOURCE_TRAIT)
        return code if code in self._source_codes else self._source

    def _read_senses(self, entry: Element, head: LiftHeadword) -> Iterator[LocatedRecord | RecordError]:
        candidates = list(self._iter_ideas(entry, head))
        for idea in candidates:
            yield self._build_error("sense", NO_MEANING) if idea is None else self._locate(idea)
        ideas = [idea for idea in candidates if idea is not None]
        if ideas and head.tagged_forms:
            yield self._locate(FormsRecord(head.word.language, head.word.text, head.tagged_forms))
        self._add_links(entry, ideas)

    def _read_variant(self, entry: Element, head: LiftHeadword) -> Iterator[ParsedRecord]:
        """Read an entry without senses, which must be a variant of another entry: it becomes a word of its ideas."""
        words = self._add_variants(entry, head)
        if words:
            yield from self._iter_remainder(
                entry, head, [self._locate(IdeaRecord(self._source, "", None, tuple(words)))]
            )
        else:
            yield from self._append_remainder(entry, head, [self._build_error("sense", NO_SENSE)])

    def _locate(self, record: IdeaRecord | FormsRecord | PhraseRecord) -> LocatedRecord:
        return LocatedRecord(self._file_name, self._line, record)

    def _build_error(self, element: str, detail: str) -> RecordError:
        return RecordError(self._file_name, self._line, detail, (Problem(element, detail),))

    def _iter_ideas(self, entry: Element, head: LiftHeadword) -> Iterator[IdeaRecord | None]:
        """Yield the ideas of the senses, each followed by its subsenses; None for a sense without a meaning."""
        remarks = tuple(iter_entry_remarks(entry))
        for sense in _sort_senses(entry.findall("sense")):
            for element, pos_source in _iter_senses(sense, None):
                self._ids.add("sense", element.get("id"), self._file_name, self._line)
                name = get_trait(element, IDEA_TRAIT)
                idea = (
                    self._build_abhidhan_idea(element, head, name)
                    if name
                    else self._build_foreign_idea(entry, element, head, remarks, pos_source)
                )
                if idea is not None:
                    self._idea_keys[id(element)] = idea.key
                    self._links.add_target(element.get("id"), f"{idea.source}:{idea.key}")
                    self._add_relations(element, f"{idea.source}:{idea.key}")
                yield idea

    def _build_foreign_idea(
        self, entry: Element, sense: Element, head: LiftHeadword, remarks: tuple[str, ...], pos_source: Element | None
    ) -> IdeaRecord | None:
        meaning = parse_meaning(sense, head.word.language, self._settings, self._categories)
        if not (meaning.words or meaning.definitions):
            return None
        if meaning.pos is None and pos_source is not None and sense.find("grammatical-info") is None:
            inherited = parse_meaning(pos_source, head.word.language, self._settings, self._categories)
            meaning = meaning._replace(pos=inherited.pos)
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
        key = get_trait(sense, IDEA_KEY_TRAIT) or build_guid_key(head.word.language, entry, sense)
        key = key or build_key(head.word.language, head.word.text, meaning_text)
        if get_trait(entry, ENTRY_SOURCE_TRAIT) is not None:
            # In Abhidhan's files, words of these languages have their own entries, which define their order.
            meaning = meaning._replace(
                words=tuple(one for one in meaning.words if one.language not in self._settings.entry_languages)
            )
        return _build_idea(self._find_source(entry), key, word, meaning)

    def _build_abhidhan_idea(self, sense: Element, head: LiftHeadword, name: str) -> IdeaRecord:
        meaning = parse_abhidhan_meaning(sense, self._settings)
        source, _, key = name.partition(":")
        order = sense.get("order", "")
        word = msgspec.structs.replace(
            head.word,
            note=meaning.note,
            reference=meaning.reference,
            source=get_trait(sense, "source"),
            position=int(order) if order.isdecimal() and len(order) < len("1000000000") else None,
            rank=parse_number(get_trait(sense, RANK_TRAIT) or ""),
            added=parse_timestamp(get_trait(sense, "added")),
            licence=get_trait(sense, "licence"),
        )
        idea = _build_idea(source, key, word, meaning)
        return msgspec.structs.replace(
            idea,
            relations=tuple(iter_idea_relations(sense, name)),
            created=get_timestamp(sense, "dateCreated"),
            updated=get_timestamp(sense, "dateModified"),
            licence=get_trait(sense, "idea-licence"),
            aliases=tuple(iter_traits(sense, "alias")),
        )

    def _add_relations(self, sense: Element, idea_name: str) -> None:
        for relation in sense.findall("relation"):
            target = relation.get("ref", "").strip()
            if target and get_trait(relation, IDEA_TRAIT) is None:
                kind = _map_relation_type(relation.get("type", ""), self._settings.options)
                self._links.add_link(target, PendingLink(self._file_name, self._line, idea_name, kind))

    def _add_links(self, entry: Element, ideas: list[IdeaRecord]) -> None:
        """Add the entry's IDs as targets of references, and its own references to other entries."""
        names = [f"{idea.source}:{idea.key}" for idea in ideas]
        for identifier in dict.fromkeys((entry.get("id"), entry.get("guid"))):
            for name in names:
                self._links.add_target(identifier, name)
        for relation in _find_references(entry):
            target = relation.get("ref", "").strip()
            if target and names:
                kind = relation.get("type", "")
                relation_type = (
                    DERIVED_RELATION if kind == COMPONENT_RELATION else _map_relation_type(kind, self._settings.options)
                )
                self._links.add_link(target, PendingLink(self._file_name, self._line, names[0], relation_type))

    def _add_variants(self, entry: Element, head: LiftHeadword) -> list[WordRecord]:
        """Add an entry without senses as a variant to the entries that it refers to; return the variant words."""
        variants_by_type = self._settings.options.values.get("variant", {})
        remarks = tuple(iter_entry_remarks(entry))
        words = []
        for relation in _find_references(entry):
            kind = get_trait(relation, VARIANT_TYPE_TRAIT) or ""
            variant = variants_by_type.get(kind) or VARIANT_BY_TYPE.get(kind.casefold()) or head.word.variant
            target = relation.get("ref", "").strip()
            remark = f"{VARIANT_NOTE_PREFIX}{strip_guid(target)}" + (f" ({kind})" if kind else "")
            note = join_notes(remark, *remarks)
            word = msgspec.structs.replace(head.word, variant=variant, note=note, created=None, updated=None)
            self._links.add_link(target, PendingLink(self._file_name, self._line, word=word))
            words.append(word)
        return words


def _store_or_report(stored: LiftEntry | None, losses: tuple[UnstoredValue, ...]) -> Iterator[RawEntry | UnstoredValue]:
    if stored is not None:
        yield RawEntry(stored, losses)
    else:
        yield from losses


def _find_references(entry: Element) -> list[Element]:
    """Return the references of an entry to others."""
    return [*entry.findall("relation"), *entry.findall("variant[@ref]")]


def _sort_senses(senses: list[Element]) -> list[Element]:
    """Sort senses by their `order`, if all have one."""
    orders = [parse_number(sense.get("order", "")) for sense in senses]
    if None in orders:
        return senses
    return [sense for _, sense in sorted(zip(orders, senses, strict=True), key=itemgetter(0))]


def _iter_senses(sense: Element, pos_source: Element | None) -> Iterator[tuple[Element, Element | None]]:
    """Yield a sense and its subsenses at any depth, each with the sense whose part of speech it may inherit."""
    yield sense, pos_source
    inherited = sense if sense.find("grammatical-info") is not None else pos_source
    yield from chain.from_iterable(
        _iter_senses(subsense, inherited) for subsense in _sort_senses(sense.findall("subsense"))
    )


def _build_idea(source: str, key: str, word: WordRecord, meaning: LiftMeaning) -> IdeaRecord:
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


def _map_relation_type(kind: str, options: ImportOptions) -> str:
    mapped = options.values.get("relation", {}).get(kind)
    return mapped or RELATION_BY_TYPE.get(kind.strip().casefold(), RELATED_RELATION)
