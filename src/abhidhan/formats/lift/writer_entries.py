"""Entries of LIFT: a word with its properties, and a sense for each of its meanings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from abhidhan.formats.lift.headwords import ORIGIN_TYPE
from abhidhan.formats.lift.multitext import phonetic_tag, respelling_tag, roman_tag
from abhidhan.formats.lift.vocabulary import (
    DIALECT_TRAIT,
    DOMAIN_BY_CONTEXT,
    DOMAIN_TRAIT,
    IDEA_TRAIT,
    PARADIGM_TRAIT,
    PROVERB_TRAIT,
    RANK_TRAIT,
    SEMANTIC_DOMAIN_TRAIT,
    SYNONYM_RELATION,
    VARIANT_NOTE_PREFIX,
)
from abhidhan.formats.lift.writer_elements import (
    ENGLISH,
    format_date,
    format_element,
    format_field,
    format_form,
    format_multitext,
    format_note,
    format_trait,
    get_entry_guid,
    get_sense_guid,
)
from abhidhan.formats.writers.export_source import ExportRecording
from abhidhan.records.kinds import ExampleRecord, IdeaRecord, PhraseRecord, WordRecord
from abhidhan.records.kinds.field_types import Boolean

MAX_GLOSS_LANGUAGES: Final = 10
"""Maximum number of entry languages in a sense's glosses; an idea may have words in a thousand languages."""

TRANSLATION_TYPE: Final = "Free translation"


class References(NamedTuple):
    """References from an entry to others.

    `entry_languages` are the languages that have entries. `find_target` returns the ID of an idea's sense, preferably
    in a given language. `stored_ids` maps generated sense IDs to the IDs in stored entries.
    """

    entry_languages: frozenset[str]
    find_target: Callable[[str, str], str | None]
    stored_ids: Mapping[str, str] = {}


class LiftSense(NamedTuple):
    """A word with one of its ideas, which is written as a sense."""

    idea: IdeaRecord
    word: WordRecord

    @property
    def idea_name(self) -> str:
        """The name of the idea in exported files: its source and key."""
        return format_idea_name(self.idea)


class EntryContent(NamedTuple):
    """The content of an entry: its senses, tagged forms, recordings, and its number among homographs."""

    senses: Sequence[LiftSense]
    guid: str
    order: int | None
    tagged_forms: Sequence[tuple[str, str]] = ()
    recordings: Sequence[tuple[ExportRecording, str]] = ()


def format_idea_name(idea: IdeaRecord) -> str:
    """Return the name of an idea in exported files: its source and key."""
    return f"{idea.source}:{idea.key}"


def format_entry(entry: EntryContent, references: References) -> str:
    """Format an entry."""
    idea, word = entry.senses[0]
    created = word.created if word.created is not None else idea.created
    updated = word.updated if word.updated is not None else created
    attrs = {
        "id": f"{word.text}_{entry.guid}",
        "guid": entry.guid,
        "order": str(entry.order) if entry.order else None,
        "dateCreated": format_date(created),
        "dateModified": format_date(updated),
    }
    return format_element("entry", attrs, "".join(_iter_entry_parts(entry, word, references))) + "\n"


def _iter_entry_parts(entry: EntryContent, word: WordRecord, references: References) -> Iterator[str]:
    yield _format_lexical_unit(word.language, word.text, word.roman)
    yield format_trait("morph-type", _guess_morph_type(word.text))
    yield format_trait(DIALECT_TRAIT, word.variant)
    yield format_trait("frequency", str(word.frequency) if word.frequency is not None else None)
    yield format_trait("frequency-source", word.frequency_source)
    yield format_trait("countable", Boolean().format(word.countable) or None)
    yield format_field("plural-classifier", word.language, word.plural)
    yield format_field("definitive-classifier", word.language, word.definitive)
    yield format_pronunciation(word)
    for recording, file in entry.recordings:
        yield format_recording(recording, file)
    yield from (format_variant(word.language, text) for text in word.forms)
    yield from (format_variant(word.language, *tagged_form) for tagged_form in entry.tagged_forms)
    yield format_origin(word)
    for sense in entry.senses:
        yield format_sense(sense, references)


def _format_lexical_unit(language: str, text: str, roman: str | None) -> str:
    romanized = format_form(roman_tag(language), roman) if roman else ""
    return format_element("lexical-unit", {}, format_form(language, text) + romanized)


def _guess_morph_type(text: str) -> str:
    """Return FieldWorks' morpheme type for a word, judged by its spelling."""
    if len(text) > 1 and "-" in {text[0], text[-1]}:
        return "suffix" if text[0] == "-" else "prefix"
    return "phrase" if " " in text else "stem"


def format_pronunciation(word: WordRecord) -> str:
    """Format the pronunciation of a word."""
    ipa = format_form(phonetic_tag(word.language), word.ipa) if word.ipa else ""
    respelled = format_form(respelling_tag(word.language), word.asm) if word.asm else ""
    return format_multitext("pronunciation", (ipa, respelled))


def format_variant(language: str, text: str, tag: str | None = None) -> str:
    """Format a form of a word, with its tag if known."""
    return format_element("variant", {}, format_form(language, text) + format_trait(PARADIGM_TRAIT, tag))


def format_origin(word: WordRecord) -> str:
    """Format the origin of a word; empty if there is none."""
    comment = format_field("comment", ENGLISH, word.origin)
    # The schema requires a source, which may be empty.
    return f'<etymology type="{ORIGIN_TYPE}" source="">{comment}</etymology>' if comment else ""


def format_recording(recording: ExportRecording, file: str) -> str:
    """Format a recording as a pronunciation with its credit."""
    label = format_element("label", {}, format_form(ENGLISH, recording.credit)) if recording.credit else ""
    traits = (
        format_trait("speaker", recording.speaker)
        + format_trait("place", recording.place)
        + format_trait("licence", recording.licence)
    )
    return format_element("pronunciation", {}, format_element("media", {"href": file}, label) + traits)


def format_sense(sense: LiftSense, references: References) -> str:
    """Format a sense that was not imported from LIFT."""
    idea, word = sense
    updated = idea.updated if idea.updated is not None else idea.created
    attrs = {
        "id": get_sense_id(idea, word),
        "order": str(word.position) if word.position is not None else None,
        "dateCreated": format_date(idea.created),
        "dateModified": format_date(updated),
    }
    return format_element("sense", attrs, "".join(_iter_sense_parts(sense, references)))


def _iter_sense_parts(sense: LiftSense, references: References) -> Iterator[str]:
    idea, word = sense
    yield format_element("grammatical-info", {"value": idea.pos}) if idea.pos else ""
    yield from map(format_gloss, choose_glosses(sense, references.entry_languages))
    yield from _iter_definitions(idea)
    yield from iter_relations(sense, references)
    yield format_note(None, word.note) + format_note("source", word.reference)
    yield from map(format_example, idea.examples)
    yield from map(format_context, idea.contexts)
    yield format_field("glyph", ENGLISH, idea.glyph)
    yield format_trait("gender", idea.gender)
    yield format_trait(IDEA_TRAIT, sense.idea_name)
    yield format_trait(RANK_TRAIT, _get_rank(sense))
    yield (
        format_trait("source", word.source) + format_trait("added", word.added) + format_trait("licence", word.licence)
    )
    yield format_trait("idea-licence", idea.licence)
    for alias in idea.aliases:
        yield format_trait("alias", alias)


def format_gloss(word: WordRecord) -> str:
    """Format a word of the idea as a gloss."""
    return format_form(word.language, word.text).replace("<form", "<gloss", 1).removesuffix("</form>") + "</gloss>"


def format_example(example: ExampleRecord) -> str:
    """Format an example with its translation."""
    translation_language = "as" if example.language == ENGLISH else ENGLISH
    translation = format_form(translation_language, example.translation) if example.translation else ""
    translated = format_multitext("translation", (translation,), {"type": TRANSLATION_TYPE})
    return format_element("example", {}, format_form(example.language, example.text) + translated)


def format_context(context: str) -> str:
    """Format a context, with its semantic domain if it has one."""
    return format_trait(DOMAIN_TRAIT, context) + format_trait(SEMANTIC_DOMAIN_TRAIT, DOMAIN_BY_CONTEXT.get(context))


def _get_rank(sense: LiftSense) -> str | None:
    """Return the rank of the word among those of its language; None if it is the only one."""
    texts = [word.text for word in _list_synonyms(sense)]
    return str(texts.index(sense.word.text) + 1) if len(texts) > 1 else None


def _list_synonyms(sense: LiftSense) -> list[WordRecord]:
    """Return the words of the idea in the word's language, in order, including the word."""
    return [word for word in sense.idea.words if word.language == sense.word.language]


def get_sense_id(idea: IdeaRecord, word: WordRecord) -> str:
    """Return the ID of a sense. The word added first in each language has the ID to which references point."""
    same = [other for other in idea.words if other.language == word.language]
    first = min(
        same,
        key=lambda other: (
            _get_added_time(idea, other),
            (other.note or "").startswith(VARIANT_NOTE_PREFIX),
            other.text,
        ),
    )
    return get_sense_guid(format_idea_name(idea), word.language, "" if first.text == word.text else word.text)


def _get_added_time(idea: IdeaRecord, word: WordRecord) -> int:
    added = word.added if word.added is not None else idea.created
    return added if added is not None else 0


def choose_glosses(sense: LiftSense, entry_languages: frozenset[str]) -> list[WordRecord]:
    """Return the words in other languages; after `MAX_GLOSS_LANGUAGES` languages, those with entries are skipped."""
    allowed: dict[str, bool] = {}
    for word in sense.idea.words:
        if word.language not in allowed:
            allowed[word.language] = word.language not in entry_languages or sum(allowed.values()) < MAX_GLOSS_LANGUAGES
    return [
        gloss_word
        for gloss_word in sense.idea.words
        if allowed[gloss_word.language] and gloss_word.language != sense.word.language
    ]


def _iter_definitions(idea: IdeaRecord) -> Iterator[str]:
    """Yield definitions: the first of each language as an element, further ones as fields (LIFT allows only one)."""
    layers: list[dict[str, str]] = []
    for definition in idea.definitions:
        free = next((layer for layer in layers if definition.language not in layer), None)
        if free is None:
            layers.append(free := {})
        free[definition.language] = definition.text
    for number, layer in enumerate(layers, 1):
        forms = "".join(format_form(language, text) for language, text in layer.items())
        yield (
            format_element("definition", {}, forms)
            if number == 1
            else format_element("field", {"type": f"definition-{number}"}, forms)
        )


def iter_relations(sense: LiftSense, references: References) -> Iterator[str]:
    """Yield references to synonyms and related ideas."""
    idea, word = sense
    for synonym in (one for one in _list_synonyms(sense) if one.text != word.text):
        ref = get_sense_id(idea, synonym)
        attrs = {"type": SYNONYM_RELATION, "ref": references.stored_ids.get(ref, ref)}
        yield format_element("relation", attrs, format_trait(IDEA_TRAIT, sense.idea_name))
    for relation in sorted(idea.relations, key=lambda one: (one.type, one.idea)):
        target = references.find_target(relation.idea, word.language)
        if target is not None:
            ref = references.stored_ids.get(target, target)
            yield format_element(
                "relation", {"type": relation.type, "ref": ref}, format_trait(IDEA_TRAIT, relation.idea)
            )


def format_proverb(phrase: PhraseRecord) -> str:
    """Format a proverb or idiom as an entry."""
    name = f"{phrase.source}:{phrase.key}"
    guid = get_entry_guid(phrase.language, name)
    attrs: Mapping[str, str | None] = {"id": f"{phrase.text}_{guid}", "guid": guid}
    parts = [
        _format_lexical_unit(phrase.language, phrase.text, phrase.roman),
        format_trait("morph-type", "discourse phrase"),
        format_trait(PROVERB_TRAIT, name),
        format_trait("category", phrase.category),
        format_trait("added", phrase.added),
        format_trait("licence", phrase.licence),
    ]
    english = format_form(ENGLISH, phrase.meaning) if phrase.meaning else ""
    if definition := english + "".join(
        format_form(local_text.language, local_text.text) for local_text in phrase.meanings
    ):
        meaning = format_element("definition", {}, definition)
        parts.append(format_element("sense", {"id": get_sense_guid(name, phrase.language)}, meaning))
    return format_element("entry", attrs, "".join(parts)) + "\n"
