"""LIFT, in which FieldWorks, WeSay and The Combine exchange dictionaries: each sense is an idea."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

import msgspec

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import FormsRecord, IdeaRecord, PhraseRecord, RelationRecord, SourceRecord, WordRecord
from abhidhan.domain.records.fields import MOST_WORD_LETTERS
from abhidhan.errors import Problem
from abhidhan.formats.contents import Content, spool
from abhidhan.formats.lift_heads import Head, Reading, head_of
from abhidhan.formats.lift_links import Link, Links
from abhidhan.formats.lift_names import (
    COMPONENT,
    DERIVED,
    IDEA,
    PROVERB,
    RELATED,
    RELATIONS,
    SAME_IDEA,
    VARIANT_OF,
    VARIANT_TYPE,
    VARIANTS,
)
from abhidhan.formats.lift_ranges import own_categories, own_languages, own_sources, read_categories
from abhidhan.formats.lift_senses import Meaning, entry_remarks, meaning_of, own_meaning_of
from abhidhan.formats.lift_texts import guid_of, moment_of, name_in_id, texts_of, trait_of, traits_of
from abhidhan.formats.reading import Found, Options, joined, key_of, placed_source
from abhidhan.formats.xml import read_elements

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
NO_SENSE: Final = "The entry has no sense, and is no variant of another one. Add a sense with a gloss or a definition."
NO_MEANING: Final = "The sense has no meaning. Give it a gloss or a definition that is not only punctuation."


def read_lift(contents: Iterator[Content], options: Options) -> Iterator[Found]:
    """Read LIFT files, and the ranges beside them."""
    with ExitStack() as stack:
        links = stack.enter_context(Links(Path(tempfile.gettempdir())))
        categories: dict[str, str] = {}
        files: list[Content] = []
        for content in contents:
            name = content.base_name.lower()
            if name.endswith(RANGES):
                categories.update(read_categories(content))
            elif name.endswith(ENDING):
                # The ranges, which come after it in the alphabet, say what its parts of speech are.
                files.append(Content(content.name, stack.enter_context(spool(content)), content.meter))
        for file in files:
            yield from _File(file.name, options, categories, links).read(file)
        yield from links.told()


class _File:
    """Reads one file, from its header on."""

    def __init__(self, name: str, options: Options, categories: dict[str, str], links: Links) -> None:
        self._name = name
        self._reading = Reading(options)
        self._categories = categories
        self._links = links
        self._source = ""
        self._line = 0

    def read(self, content: Content) -> Iterator[Found]:
        """Read the entries."""
        sources: list[SourceRecord] = []
        for found, _ in read_elements(content, WANTED):
            if found.element.tag == "header":
                sources = own_sources(found.element)
                self._reading = Reading(self._reading.options, own_languages(found.element))
                self._categories = self._categories | own_categories(found.element)
                continue
            if not self._source:
                source = self._reading.options.own_source(sources[0] if sources else None)
                self._source = source.code
                yield from map(placed_source, (source, *sources))
            self._line = found.line
            if found.element.get("dateDeleted") is None:
                yield from self._entry(found.element)

    def _entry(self, entry: Element) -> Iterator[Found]:
        head = head_of(entry, self._reading)
        if head is None:
            yield self._fault("lexical-unit", NO_HEADWORD)
            return
        if max(map(len, (head.word.text, *head.word.forms))) > MOST_WORD_LETTERS:
            # Told here: relations that lead to what is left out would make it an idea without words.
            yield self._fault("lexical-unit", TOO_LONG)
            return
        proverb = trait_of(entry, PROVERB)
        if proverb is not None:
            yield self._placed(_proverb(entry, head, proverb))
            return
        found = list(self._ideas(entry, head))
        for one in found:
            yield self._fault("sense", NO_MEANING) if one is None else self._placed(one)
        ideas = [one for one in found if one is not None]
        if not found and not self._is_variant(entry, head):
            yield self._fault("sense", NO_SENSE)
        if ideas and head.tagged:
            yield self._placed(FormsRecord(head.word.language, head.word.text, head.tagged))
        self._note_links(entry, ideas)

    def _placed(self, record: IdeaRecord | FormsRecord | PhraseRecord) -> Placed:
        return Placed(self._name, self._line, record)

    def _fault(self, element: str, detail: str) -> Fault:
        return Fault(self._name, self._line, detail, (Problem(element, detail),))

    def _ideas(self, entry: Element, head: Head) -> Iterator[IdeaRecord | None]:
        """Read the senses, those within others after them; None stands for one without a meaning."""
        remarks = tuple(entry_remarks(entry))
        for sense in entry.findall("sense"):
            for one, part in _with_subsenses(sense, None):
                own = trait_of(one, IDEA)
                idea = self._own_idea(one, head, own) if own else self._idea(entry, one, head, remarks, part)
                if idea is not None:
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
            note=joined(meaning.note, *remarks),
            reference=meaning.reference,
            created=None,
            updated=None,
        )
        said = meaning.definitions[0].text if meaning.definitions else ", ".join(one.text for one in meaning.words)
        guids = guid_of(entry), guid_of(sense)
        key = "/".join((head.word.language, *filter(None, guids))) if all(guids) else None
        return _idea(self._source, key or key_of(head.word.language, head.word.text, said), word, meaning)

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
            added=_moment(trait_of(sense, "added")),
            licence=trait_of(sense, "licence"),
        )
        idea = _idea(source, key, word, meaning)
        return msgspec.structs.replace(
            idea,
            relations=tuple(_own_relations(sense, name)),
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
        """Note what leads here by the ID of the entry, and where the entry itself leads."""
        names = [f"{idea.source}:{idea.key}" for idea in ideas]
        for identifier in dict.fromkeys((entry.get("id"), entry.get("guid"))):
            for name in names:
                self._links.name(identifier, name)
        for relation in entry.findall("relation"):
            to = relation.get("ref", "").strip()
            if to and names:
                kind = relation.get("type", "")
                meant = DERIVED if kind == COMPONENT else _relation_type(kind, self._reading.options)
                self._links.lead(to, Link(self._name, self._line, names[0], meant))

    def _is_variant(self, entry: Element, head: Head) -> bool:
        """Note which entry this one, without a sense, is a variant of; return whether it is one of any."""
        relations = [*entry.findall("relation"), *entry.findall("variant[@ref]")]
        kinds = self._reading.options.values.get("variant", {})
        for relation in relations:
            kind = trait_of(relation, VARIANT_TYPE) or ""
            variant = kinds.get(kind) or VARIANTS.get(kind.casefold()) or head.word.variant
            to = relation.get("ref", "").strip()
            note = f"{VARIANT_OF}{name_in_id(to)}" + (f" ({kind})" if kind else "")
            word = msgspec.structs.replace(head.word, variant=variant, note=note, created=None, updated=None)
            self._links.lead(to, Link(self._name, self._line, word=word))
        return bool(relations)


def _with_subsenses(sense: Element, above: Element | None) -> Iterator[tuple[Element, Element | None]]:
    """Yield a sense and those within it, each with the sense whose part of speech it has unless it tells its own."""
    yield sense, above
    teller = sense if sense.find("grammatical-info") is not None else above
    yield from chain.from_iterable(_with_subsenses(one, teller) for one in sense.findall("subsense"))


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


def _own_relations(sense: Element, name: str) -> Iterator[RelationRecord]:
    for relation in sense.findall("relation"):
        to, kind = trait_of(relation, IDEA), relation.get("type", "")
        if to and not (kind == SAME_IDEA and to == name):
            yield RelationRecord(kind, to)


def _proverb(entry: Element, head: Head, name: str) -> PhraseRecord:
    source, _, key = name.partition(":")
    sense = entry.find("sense")
    return PhraseRecord(
        source,
        key,
        head.word.language,
        head.word.text,
        trait_of(entry, "category") or "Other",
        texts_of(sense.find("definition")) or None if sense is not None else None,
        head.word.roman,
        _moment(trait_of(entry, "added")),
        trait_of(entry, "licence"),
    )


def _moment(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < len("1000000000000") else None
