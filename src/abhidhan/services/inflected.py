"""Inflected forms: the words that a text is a form of, from the table of known forms and by rules."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from abhidhan.domain.languages import ALL_LANGUAGES, Language
from abhidhan.domain.lists import ListName
from abhidhan.domain.lookup import rules_for, stem_sounds
from abhidhan.domain.ranking import may_begin_as
from abhidhan.domain.text.closeness import distance
from abhidhan.domain.text.inflection import Stem, stems
from abhidhan.storage import words
from abhidhan.storage.database import Reader
from abhidhan.storage.words import FoundKey, KeyColumn

VERB = "Verb"
"""What the part of speech of a verb, or its code, begins with (Verbal Noun: কৰা)."""


def find_by_rule(reader: Reader, texts: Sequence[str], language_id: int = ALL_LANGUAGES) -> dict[str, list[FoundKey]]:
    """Find the words that texts are forms of, by the rules of the language they are written in."""
    return _find(reader, KeyColumn.LOOSE, texts, language_id, stems)


def find_by_sound(reader: Reader, texts: Sequence[str], language_id: int = ALL_LANGUAGES) -> dict[str, list[FoundKey]]:
    """Find the words that texts are misspelled forms of, or forms typed in Roman letters."""
    return _find(reader, KeyColumn.SOUND, texts, language_id, stem_sounds)


def _find(
    reader: Reader,
    column: KeyColumn,
    texts: Sequence[str],
    language_id: int,
    stems_of: Callable[[str, str], tuple[Stem, ...]],
) -> dict[str, list[FoundKey]]:
    orthographies = reader.catalogue.orthographies(language_id)
    by_language: dict[Language, dict[str, tuple[Stem, ...]]] = defaultdict(dict)
    for text in texts:
        for language in rules_for(text, orthographies, by_sound=column is KeyColumn.SOUND):
            by_language[language][text] = stems_of(text, language.code)
    found: dict[str, list[FoundKey]] = {}
    for language, wanted in by_language.items():
        keys = dict.fromkeys(stem.key for of_text in wanted.values() for stem in of_text)
        hits = words.find(reader, column, list(keys), language.id)
        is_verb = _verbs(reader, hits)
        chosen = {text: _best(text, of_text, hits, is_verb) for text, of_text in wanted.items()}
        found |= {text: of_text for text, of_text in chosen.items() if of_text}
    return found


def _best(text: str, wanted: Iterable[Stem], hits: Sequence[FoundKey], is_verb: frozenset[int]) -> list[FoundKey]:
    """Choose the words of the best stem that the dictionary has: of the best of verbs, and of the best of all words."""
    best: dict[bool, list[FoundKey]] = {}
    for stem in wanted:
        if stem.of_verb not in best:
            of_stem = [hit for hit in hits if hit.key == stem.key and _fits(text, stem, hit, is_verb)]
            if of_stem:
                best[stem.of_verb] = sorted(of_stem, key=lambda hit: distance(text, hit.text))
    once = {hit.word_id: hit for of_stem in best.values() for hit in of_stem}
    return list(once.values())


def _fits(text: str, stem: Stem, hit: FoundKey, is_verb: frozenset[int]) -> bool:
    return hit.word_id in is_verb if stem.of_verb else may_begin_as(text, hit.text)


def _verbs(reader: Reader, hits: Sequence[FoundKey]) -> frozenset[int]:
    """Tell which words are verbs, or may be: words without a part of speech may be anything."""
    of_verbs = {
        item.id
        for item in reader.catalogue.items_of(ListName.PARTS_OF_SPEECH)
        if item.value.startswith(VERB) or (item.code or "").startswith(VERB)
    }
    parts = words.parts_of_speech(reader, sorted({hit.word_id for hit in hits}))
    return frozenset(hit.word_id for hit in hits if of_verbs & parts.get(hit.word_id, of_verbs))
