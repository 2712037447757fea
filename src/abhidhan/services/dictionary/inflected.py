"""Inflected forms: the words that a text is a form of, from the table of known forms and by rules."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from abhidhan.domain.languages import ALL_LANGUAGES, Language
from abhidhan.domain.lists import ListName
from abhidhan.domain.matching.query import rules_for, stem_sounds
from abhidhan.domain.matching.ranking import FoundKey, of_best_stems
from abhidhan.domain.text.inflection import Stem, stems
from abhidhan.storage import words
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.words import KeyColumn

VERB = "Verb"
"""What the part of speech of a verb, or its code, begins with (Verbal Noun: কৰা)."""


MOST_FOUND = 200
"""So many words are read for the stems of the few words of a query."""


def find_by_rule(
    reader: Reader, texts: Sequence[str], language_id: int = ALL_LANGUAGES, *, limit: int = MOST_FOUND
) -> dict[str, list[FoundKey]]:
    """Find the words that texts are forms of, by the rules of the language they are written in."""
    return _find(reader, KeyColumn.LOOSE, texts, language_id, stems, limit)


def find_by_sound(reader: Reader, texts: Sequence[str], language_id: int = ALL_LANGUAGES) -> dict[str, list[FoundKey]]:
    """Find the words that texts are misspelled forms of, or forms typed in Roman letters."""
    return _find(reader, KeyColumn.SOUND, texts, language_id, stem_sounds)


def _find(  # noqa: PLR0913, PLR0917  # what is looked for, where and how
    reader: Reader,
    column: KeyColumn,
    texts: Sequence[str],
    language_id: int,
    stems_of: Callable[[str, str], tuple[Stem, ...]],
    limit: int = MOST_FOUND,
) -> dict[str, list[FoundKey]]:
    orthographies = reader.catalogue.orthographies(language_id)
    by_language: dict[Language, dict[str, tuple[Stem, ...]]] = defaultdict(dict)
    for text in texts:
        for language in rules_for(text, orthographies, by_sound=column is KeyColumn.SOUND):
            by_language[language][text] = stems_of(text, language.code)
    found: dict[str, list[FoundKey]] = {}
    for language, wanted in by_language.items():
        keys = dict.fromkeys(stem.key for of_text in wanted.values() for stem in of_text)
        hits = words.find(reader, column, list(keys), language.id, limit=limit)
        is_verb = _verbs(reader, hits)
        chosen = {text: of_best_stems(text, of_text, hits, is_verb) for text, of_text in wanted.items()}
        found |= {text: of_text for text, of_text in chosen.items() if of_text}
    return found


def _verbs(reader: Reader, hits: Sequence[FoundKey]) -> frozenset[int]:
    """Return which words are verbs, or may be: words without a part of speech may be anything."""
    of_verbs = {
        item.id
        for item in reader.catalogue.items_of(ListName.PARTS_OF_SPEECH)
        if item.value.startswith(VERB) or (item.code or "").startswith(VERB)
    }
    parts = words.parts_of_speech(reader, sorted({hit.word_id for hit in hits}))
    return frozenset(hit.word_id for hit in hits if of_verbs & parts.get(hit.word_id, of_verbs))
