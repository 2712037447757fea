"""Forms by rule: পানীখিনি finds পানী, নাখাব finds খোৱা; by their sound `panikhini` and পানিখিনি find পানী too."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from abhidhan.dictionary.model.guess_scoring import KeyMatch
from abhidhan.dictionary.model.query import find_inflecting_languages, list_stem_sounds
from abhidhan.dictionary.model.ranking import (
    find_nearest_forms,
    find_words_of_best_stems,
    may_be_form_by_sound,
    sort_by_stem,
)
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.acceleration.sound_frames import may_be_sound_of_word
from abhidhan.dictionary.store.fuzzy_candidates import find_near_sounds
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ASSAMESE, Language
from abhidhan.records.lookup_lists import ListName
from assamese.inflection import Stem, belongs_to_other_verb, propose_stems
from assamese.keys import loose_key, sound_key
from assamese.normalization import Script, detect_script

VERB_PREFIX: Final = "Verb"
"""Prefix of the part of speech of a verb, or of its code (Verbal Noun: কৰা)."""

MAX_STEMS_WITH_SLIPS: Final = 8
"""Maximum number of stems of one text that are searched with a typing error."""

MAX_STEM_WORDS: Final = 200
"""Maximum number of words read for the stems of one text."""


def find_forms_by_rule(connection: ReadConnection, batch: LookupBatch) -> Hits:
    """Find the words that texts are forms of, by the rules of their language.

    Source: the grammar of standard Assamese as school grammars give it (`assamese/tables/inflection.toml`); each file
    of `assamese/tables/languages` names its own.
    """
    results = _find_by_stems(connection, KeyColumn.LOOSE, batch, propose_stems)
    return {text: sort_by_stem(text, hits) for text, hits in results.items()}


def find_forms_by_sound(connection: ReadConnection, batch: LookupBatch) -> Hits:
    """Find the words of which texts are misspelled forms, or forms typed in Roman letters, by the same rules."""

    def find_stems(text: str, language: str) -> tuple[Stem, ...]:
        return list_stem_sounds(text, language, include_whole_words=may_be_sound_of_word(connection, text))

    return _find_by_stems(connection, KeyColumn.SOUND, batch, find_stems)


def find_misspelled_forms(connection: ReadConnection, text: str) -> list[KeyMatch]:
    """Find the Assamese words of which a text in Assamese script may be a misspelled form: কিতপখন finds কিতাপ.

    Endings are removed before typing errors are considered.
    """
    sounds = dict.fromkeys(stem.key for stem in list_stem_sounds(text, "as"))
    near = find_near_sounds(connection, sounds, MAX_STEMS_WITH_SLIPS)
    return [word.as_key_match() for word in near if word.language_id == ASSAMESE]


def _find_by_stems(
    connection: ReadConnection,
    column: KeyColumn,
    batch: LookupBatch,
    find_stems: Callable[[str, str], tuple[Stem, ...]],
) -> Hits:
    orthographies = connection.catalogue.orthographies(batch.language_id)
    by_language: dict[Language, dict[str, tuple[Stem, ...]]] = defaultdict(dict)
    for text in batch.texts:
        for language in find_inflecting_languages(text, orthographies, by_sound=column is KeyColumn.SOUND):
            by_language[language][text] = find_stems(text, language.code)
    results: Hits = defaultdict(list)
    for language, stems_by_text in by_language.items():
        keys = dict.fromkeys(stem.key for text_stems in stems_by_text.values() for stem in text_stems)
        hits = words.find_by_key(connection, column, list(keys), language.id, limit=MAX_STEM_WORDS * len(batch.texts))
        if not hits:
            continue
        fits = _FormFilter(connection, language, column, hits).fits
        for text, text_stems in stems_by_text.items():
            choose = find_nearest_forms if column is KeyColumn.SOUND else find_words_of_best_stems
            if selected := choose(text, text_stems, hits, partial(fits, text)):
                results[text] += selected
    return results


class _FormFilter:
    """Filter for the words that a text may be a form of."""

    def __init__(
        self, connection: ReadConnection, language: Language, column: KeyColumn, hits: Sequence[KeyMatch]
    ) -> None:
        self._reader = connection
        self._by_sound = column is KeyColumn.SOUND
        self._make_key = partial(sound_key if self._by_sound else loose_key, language=language.code)
        self._verbal_meaning_counts = _count_verbal_meanings(connection, hits)
        self._form_keys_by_word: dict[int, tuple[str, ...]] = {}

    def fits(self, text: str, stem: Stem, hit: KeyMatch) -> bool:
        """Return whether a text may be a form of a word with one of its stems."""
        if self._by_sound and not may_be_form_by_sound(text, stem, hit):
            return False
        return not stem.is_verb_only or (
            hit.word_id in self._verbal_meaning_counts and not self._belongs_to_another_verb(text, hit)
        )

    def _belongs_to_another_verb(self, text: str, hit: KeyMatch) -> bool:
        if (
            hit.language_id != ASSAMESE
            or detect_script(text) is Script.LATIN
            or self._verbal_meaning_counts[hit.word_id] > 1
        ):
            # The stored forms of a word with several verbal meanings may be those of one of them.
            return False
        form_keys = self._iter_form_keys(hit.word_id)
        return belongs_to_other_verb(self._make_key(text), hit.key, form_keys, by_sound=self._by_sound)

    def _iter_form_keys(self, word_id: int) -> Iterator[str]:
        """Yield the keys of the stored forms of a word, which are read on first use, since few words need them."""
        if word_id not in self._form_keys_by_word:
            self._form_keys_by_word[word_id] = tuple(map(self._make_key, words.list_form_keys(self._reader, word_id)))
        yield from self._form_keys_by_word[word_id]


def filter_verbs(connection: ReadConnection, word_ids: Sequence[int]) -> frozenset[int]:
    """Return the IDs of the words that are verbs, not just nouns or adjectives derived from verbs."""
    verb_ids = {
        item.id
        for item in connection.catalogue.list_items(ListName.PARTS_OF_SPEECH)
        if (item.code or item.value).startswith(VERB_PREFIX)
    }
    parts = words.load_pos_ids(connection, word_ids)
    return frozenset(word_id for word_id, word_parts in parts.items() if not verb_ids.isdisjoint(word_parts))


def _count_verbal_meanings(connection: ReadConnection, hits: Sequence[KeyMatch]) -> dict[int, int]:
    """Return the number of verbal meanings by word ID; words without any are left out.

    A word without a part of speech may be anything, so it counts as one verb.
    """
    verb_ids = {
        item.id
        for item in connection.catalogue.list_items(ListName.PARTS_OF_SPEECH)
        if item.value.startswith(VERB_PREFIX) or (item.code or "").startswith(VERB_PREFIX)
    }
    parts = words.load_pos_ids(connection, sorted({hit.word_id for hit in hits}))
    counts = {
        hit.word_id: sum(part in verb_ids for part in parts[hit.word_id]) if hit.word_id in parts else 1 for hit in hits
    }
    return {word_id: count for word_id, count in counts.items() if count}
