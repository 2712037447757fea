"""Entries of LIFT: a word with its properties, and a sense for each of its meanings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from abhidhan.formats.lift.headwords import OWN_ORIGIN
from abhidhan.formats.lift.multitext import phonetic_tag, respelling_tag, roman_tag
from abhidhan.formats.lift.vocabulary import (
    DIALECT,
    DOMAIN,
    DOMAIN_OF_CONTEXT,
    IDEA,
    PARADIGM,
    PROVERB,
    RANK,
    SAME_IDEA,
    SEMANTIC_DOMAIN,
    VARIANT_OF,
)
from abhidhan.formats.lift.writer_elements import (
    ENGLISH,
    date,
    element,
    entry_guid,
    field,
    form,
    multitext,
    note,
    sense_guid,
    trait,
)
from abhidhan.formats.writers.export_source import ExportRecording
from abhidhan.records.kinds import ExampleRecord, IdeaRecord, PhraseRecord, WordRecord
from abhidhan.records.kinds.field_types import Boolean

MAX_GLOSS_LANGUAGES: Final = 10
"""Maximum number of entry languages in a sense's glosses; an idea may have words in a thousand languages."""

TRANSLATION: Final = "Free translation"


class References(NamedTuple):
    """References from an entry to others.

    `entry_languages` are the languages that have entries. `find_target` returns the ID of an idea's sense, preferably
    in a given language. `stored_ids` maps generated sense IDs to the IDs in stored entries.
    """

    own_languages: frozenset[str]
    target: Callable[[str, str], str | None]
    stored_ids: Mapping[str, str] = {}


class LiftSense(NamedTuple):
    """A word with one of its ideas, which is written as a sense."""

    idea: IdeaRecord
    word: WordRecord

    @property
    def name(self) -> str:
        """The name of the idea in exported files: its source and key."""
        return name_of(self.idea)


class EntryContent(NamedTuple):
    """The content of an entry: its senses, tagged forms, recordings, and its number among homographs."""

    senses: Sequence[LiftSense]
    guid: str
    order: int | None
    tagged: Sequence[tuple[str, str]] = ()
    voices: Sequence[tuple[ExportRecording, str]] = ()


def name_of(idea: IdeaRecord) -> str:
    """Return the name of an idea in exported files: its source and key."""
    return f"{idea.source}:{idea.key}"


def write_entry(head: EntryContent, references: References) -> str:
    """Format an entry."""
    idea, word = head.senses[0]
    created = word.created if word.created is not None else idea.created
    updated = word.updated if word.updated is not None else created
    attrs = {
        "id": f"{word.text}_{head.guid}",
        "guid": head.guid,
        "order": str(head.order) if head.order else None,
        "dateCreated": date(created),
        "dateModified": date(updated),
    }
    return element("entry", attrs, "".join(_entry_parts(head, word, references))) + "\n"


def _entry_parts(head: EntryContent, word: WordRecord, references: References) -> Iterator[str]:
    yield _lexical_unit(word.language, word.text, word.roman)
    yield trait("morph-type", _morph_type(word.text))
    yield trait(DIALECT, word.variant)
    yield trait("frequency", str(word.frequency) if word.frequency is not None else None)
    yield trait("frequency-source", word.frequency_source)
    yield trait("countable", Boolean().format(word.countable) or None)
    yield field("plural-classifier", word.language, word.plural)
    yield field("definitive-classifier", word.language, word.definitive)
    yield write_pronunciation(word)
    for voice, file in head.voices:
        yield write_recording(voice, file)
    yield from (write_variant(word.language, text) for text in word.forms)
    yield from (write_variant(word.language, *tagged_form) for tagged_form in head.tagged)
    yield write_origin(word)
    for sense in head.senses:
        yield write_sense(sense, references)


def _lexical_unit(language: str, text: str, roman: str | None) -> str:
    romanized = form(roman_tag(language), roman) if roman else ""
    return element("lexical-unit", {}, form(language, text) + romanized)


def _morph_type(text: str) -> str:
    """Return FieldWorks' morpheme type for a word, judged by its spelling."""
    if len(text) > 1 and "-" in {text[0], text[-1]}:
        return "suffix" if text[0] == "-" else "prefix"
    return "phrase" if " " in text else "stem"


def write_pronunciation(word: WordRecord) -> str:
    """Format the pronunciation of a word."""
    ipa = form(phonetic_tag(word.language), word.ipa) if word.ipa else ""
    respelled = form(respelling_tag(word.language), word.asm) if word.asm else ""
    return multitext("pronunciation", (ipa, respelled))


def write_variant(language: str, text: str, tag: str | None = None) -> str:
    """Format a form of a word, with its tag if known."""
    return element("variant", {}, form(language, text) + trait(PARADIGM, tag))


def write_origin(word: WordRecord) -> str:
    """Format the origin of a word; empty if there is none."""
    comment = field("comment", ENGLISH, word.origin)
    # The schema requires a source, which may be empty.
    return f'<etymology type="{OWN_ORIGIN}" source="">{comment}</etymology>' if comment else ""


def write_recording(voice: ExportRecording, file: str) -> str:
    """Format a recording as a pronunciation with its credit."""
    label = element("label", {}, form(ENGLISH, voice.credit)) if voice.credit else ""
    traits = trait("speaker", voice.speaker) + trait("place", voice.place) + trait("licence", voice.licence)
    return element("pronunciation", {}, element("media", {"href": file}, label) + traits)


def write_sense(sense: LiftSense, references: References) -> str:
    """Format a sense that was not imported from LIFT."""
    idea, word = sense
    updated = idea.updated if idea.updated is not None else idea.created
    attrs = {
        "id": sense_id(idea, word),
        "order": str(word.position) if word.position is not None else None,
        "dateCreated": date(idea.created),
        "dateModified": date(updated),
    }
    return element("sense", attrs, "".join(_sense_parts(sense, references)))


def _sense_parts(sense: LiftSense, references: References) -> Iterator[str]:
    idea, word = sense
    yield element("grammatical-info", {"value": idea.pos}) if idea.pos else ""
    yield from map(gloss, choose_glosses(sense, references.own_languages))
    yield from _definitions(idea)
    yield from write_relations(sense, references)
    yield note(None, word.note) + note("source", word.reference)
    yield from map(write_example, idea.examples)
    yield from map(write_context, idea.contexts)
    yield field("glyph", ENGLISH, idea.glyph)
    yield trait("gender", idea.gender)
    yield trait(IDEA, sense.name)
    yield trait(RANK, _rank(sense))
    yield trait("source", word.source) + trait("added", word.added) + trait("licence", word.licence)
    yield trait("idea-licence", idea.licence)
    for alias in idea.aliases:
        yield trait("alias", alias)


def gloss(word: WordRecord) -> str:
    """Format a word of the idea as a gloss."""
    return form(word.language, word.text).replace("<form", "<gloss", 1).removesuffix("</form>") + "</gloss>"


def write_example(example: ExampleRecord) -> str:
    """Format an example with its translation."""
    into = "as" if example.language == ENGLISH else ENGLISH
    translation = form(into, example.translation) if example.translation else ""
    translated = multitext("translation", (translation,), {"type": TRANSLATION})
    return element("example", {}, form(example.language, example.text) + translated)


def write_context(context: str) -> str:
    """Format a context, with its semantic domain if it has one."""
    return trait(DOMAIN, context) + trait(SEMANTIC_DOMAIN, DOMAIN_OF_CONTEXT.get(context))


def _rank(sense: LiftSense) -> str | None:
    """Return the rank of the word among those of its language; None if it is the only one."""
    texts = [word.text for word in _synonyms(sense)]
    return str(texts.index(sense.word.text) + 1) if len(texts) > 1 else None


def _synonyms(sense: LiftSense) -> list[WordRecord]:
    """Return the words of the idea in the word's language, in order, including the word."""
    return [word for word in sense.idea.words if word.language == sense.word.language]


def sense_id(idea: IdeaRecord, word: WordRecord) -> str:
    """Return the ID of a sense. The word added first in each language has the ID to which references point."""
    same = [other for other in idea.words if other.language == word.language]
    first = min(same, key=lambda other: (_added(idea, other), (other.note or "").startswith(VARIANT_OF), other.text))
    return sense_guid(name_of(idea), word.language, "" if first.text == word.text else word.text)


def _added(idea: IdeaRecord, word: WordRecord) -> int:
    added = word.added if word.added is not None else idea.created
    return added if added is not None else 0


def choose_glosses(sense: LiftSense, own_languages: frozenset[str]) -> list[WordRecord]:
    """Return the words in other languages; after `MAX_GLOSS_LANGUAGES` languages, those with entries are skipped."""
    allowed: dict[str, bool] = {}
    for word in sense.idea.words:
        if word.language not in allowed:
            allowed[word.language] = word.language not in own_languages or sum(allowed.values()) < MAX_GLOSS_LANGUAGES
    return [
        gloss_word
        for gloss_word in sense.idea.words
        if allowed[gloss_word.language] and gloss_word.language != sense.word.language
    ]


def _definitions(idea: IdeaRecord) -> Iterator[str]:
    """Yield definitions: the first of each language as an element, further ones as fields (LIFT allows only one)."""
    layers: list[dict[str, str]] = []
    for definition in idea.definitions:
        free = next((layer for layer in layers if definition.language not in layer), None)
        if free is None:
            layers.append(free := {})
        free[definition.language] = definition.text
    for number, layer in enumerate(layers, 1):
        forms = "".join(form(language, text) for language, text in layer.items())
        yield (
            element("definition", {}, forms)
            if number == 1
            else element("field", {"type": f"definition-{number}"}, forms)
        )


def write_relations(sense: LiftSense, references: References) -> Iterator[str]:
    """Yield references to synonyms and related ideas."""
    idea, word = sense
    for synonym in (one for one in _synonyms(sense) if one.text != word.text):
        ref = sense_id(idea, synonym)
        attrs = {"type": SAME_IDEA, "ref": references.stored_ids.get(ref, ref)}
        yield element("relation", attrs, trait(IDEA, sense.name))
    for relation in sorted(idea.relations, key=lambda one: (one.type, one.idea)):
        target = references.target(relation.idea, word.language)
        if target is not None:
            ref = references.stored_ids.get(target, target)
            yield element("relation", {"type": relation.type, "ref": ref}, trait(IDEA, relation.idea))


def write_proverb(phrase: PhraseRecord) -> str:
    """Format a proverb or idiom as an entry."""
    name = f"{phrase.source}:{phrase.key}"
    guid = entry_guid(phrase.language, name)
    attrs: Mapping[str, str | None] = {"id": f"{phrase.text}_{guid}", "guid": guid}
    parts = [
        _lexical_unit(phrase.language, phrase.text, phrase.roman),
        trait("morph-type", "discourse phrase"),
        trait(PROVERB, name),
        trait("category", phrase.category),
        trait("added", phrase.added),
        trait("licence", phrase.licence),
    ]
    english = form(ENGLISH, phrase.meaning) if phrase.meaning else ""
    if definition := english + "".join(form(local_text.language, local_text.text) for local_text in phrase.meanings):
        meaning = element("definition", {}, definition)
        parts.append(element("sense", {"id": sense_guid(name, phrase.language)}, meaning))
    return element("entry", attrs, "".join(parts)) + "\n"
