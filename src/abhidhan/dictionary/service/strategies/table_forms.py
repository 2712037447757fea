"""Forms in a table, stored or generated: `went` finds go, খাওঁ finds খোৱা, সহায় কৰিছে finds সহায় কৰা."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

from abhidhan.dictionary.model.guess_scoring import KeyMatch, word_penalty
from abhidhan.dictionary.model.query import find_inflecting_languages
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.service.strategies.inflected import find_forms_by_rule
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.acceleration.sound_filter import may_spell
from abhidhan.dictionary.store.keyed_words import InflectedWord, KeyColumn, find_inflected_words
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.lookup_lists import ListName
from assamese.inflected_forms import NOUN_KINDS, VERB_KINDS, find_word_kinds, has_form
from assamese.inflection import AUXILIARIES, find_irregular_lemmas
from assamese.keys import exact_key
from assamese.lemmas import Lemmas, lemmas_of_form
from assamese.normalization import Script, detect_script
from assamese.paradigms import Headword, WordKind

MAX_PHRASE_WORDS: Final = 5
"""Maximum number of words of a text that is looked up as a verb of several words."""


def find_table_forms(connection: ReadConnection, batch: LookupBatch) -> Hits:
    """Find the words whose tables contain a text, except words with that spelling.

    The word of an irregular form comes first, then the more common words. Source: the grammar of standard Assamese as
    school grammars give it (`assamese/tables/paradigms.toml`).
    """
    return {text: hits for text in batch.texts if (hits := _find_lemmas(connection, text, batch.language_id))}


def _find_lemmas(connection: ReadConnection, text: str, language_id: int) -> list[KeyMatch]:
    form = exact_key(text)
    stored = words.find_by_key(connection, KeyColumn.FORM, [form], language_id)
    irregular, regular = _find_by_rule(connection, text, form, language_id)
    by_word_id = {hit.word_id: hit for hit in (*irregular, *sorted((*stored, *regular), key=word_penalty))}
    hits = [hit for hit in by_word_id.values() if exact_key(hit.text) != form]
    return hits or _find_verb_phrases(connection, text, language_id)


def _find_verb_phrases(connection: ReadConnection, text: str, language_id: int) -> list[KeyMatch]:
    """Find the verbs of several words of which a text is a form, by the form of its last word.

    Source: only the last word of such a verb is inflected, as school grammars of Assamese say.
    """
    for before, verb in _split_verb_phrases(text):
        lemmas = _find_lemmas(connection, verb, language_id)
        lemmas = lemmas or find_forms_by_rule(connection, LookupBatch([verb], language_id)).get(verb, [])
        languages = {exact_key(f"{before} {lemma.text}"): lemma.language_id for lemma in lemmas}
        languages.setdefault(exact_key(f"{before} {verb}"), ASSAMESE)
        hits = words.find_by_key(connection, KeyColumn.EXACT, list(languages), language_id)
        if matches := [hit for hit in hits if languages[hit.key] == hit.language_id and hit.key != exact_key(text)]:
            return matches
    return []


def _split_verb_phrases(text: str) -> Iterator[tuple[str, str]]:
    """Split a text before its last word, then repeat without the last word if it is an auxiliary verb or নাই."""
    parts = text.split()
    if len(parts) > MAX_PHRASE_WORDS or detect_script(text) is not Script.EASTERN_NAGARI:
        return
    while len(parts) > 1:
        *before, verb = parts
        yield " ".join(before), verb
        if {exact_key(verb), *chain(*lemmas_of_form(exact_key(verb)))}.isdisjoint(AUXILIARIES):
            return
        parts = before


def may_be_form_by_rule(connection: ReadConnection, text: str, language_id: int) -> bool:
    """Return whether a text may be a form of a word by rule, without a query."""
    form = exact_key(text)
    for language in find_inflecting_languages(text, connection.catalogue.orthographies(language_id), by_sound=False):
        if find_irregular_lemmas(form, language.code):
            return True
        if language.id == ASSAMESE and may_spell(connection, chain(*lemmas_of_form(form))):
            return True
    return any(may_be_form_by_rule(connection, verb, language_id) for _, verb in _split_verb_phrases(text))


def _list_candidate_lemmas(
    connection: ReadConnection, text: str, form: str, language_id: int
) -> tuple[dict[int, tuple[str, ...]], Lemmas]:
    """Return candidate lemmas of a form: irregular ones by language ID, and those of Assamese tables."""
    languages = find_inflecting_languages(text, connection.catalogue.orthographies(language_id), by_sound=False)
    irregular = {language.id: find_irregular_lemmas(form, language.code) for language in languages}
    return irregular, lemmas_of_form(form) if ASSAMESE in irregular else Lemmas()


def _find_by_rule(
    connection: ReadConnection, text: str, form: str, language_id: int
) -> tuple[list[KeyMatch], list[KeyMatch]]:
    """Find, for each language, the first word listed for an irregular form, and the words of regular forms."""
    irregular, regular = _list_candidate_lemmas(connection, text, form, language_id)
    candidate_keys = list(dict.fromkeys(chain(*irregular.values(), *regular)))
    inflected_words = find_inflected_words(connection, candidate_keys, language_id)
    by_key = {(word.match.language_id, word.match.key): word.match for word in inflected_words}
    first = (_find_first(by_key, language_id, lemmas) for language_id, lemmas in irregular.items())
    irregular_hits = [hit for hit in first if hit is not None]
    is_assamese = (word for word in inflected_words if word.match.language_id == ASSAMESE)
    return irregular_hits, [word.match for word in is_assamese if _has_form(connection, word, form, regular)]


def _find_first(by_key: Mapping[tuple[int, str], KeyMatch], language_id: int, lemmas: Iterable[str]) -> KeyMatch | None:
    hits = (by_key.get((language_id, lemma)) for lemma in lemmas)
    return next(filter(None, hits), None)


def _has_form(connection: ReadConnection, word: InflectedWord, form: str, lemmas: Lemmas) -> bool:
    """Return whether the tables of an Assamese word contain a form of which it may be the lemma."""
    return has_form(read_headword(connection, word, _list_candidate_kinds(word.match.key, lemmas)), form)


def read_headword(
    connection: ReadConnection, word: InflectedWord, candidate_kinds: frozenset[WordKind] = frozenset(WordKind)
) -> Headword:
    """Load the data from which the tables of an Assamese word are generated, limited to some kinds of word."""
    items = (item for item in connection.catalogue.list_items(ListName.PARTS_OF_SPEECH) if item.id in word.pos_ids)
    kinds = find_word_kinds((item.value, item.code) for item in items) & candidate_kinds
    # Only verbs need stored forms, which show their stems.
    stored = frozenset(words.list_form_keys(connection, word.match.word_id) if kinds & VERB_KINDS else ())
    return Headword(word.match.text, kinds, word.definitive, word.plural, stored, word.countable)


def _list_candidate_kinds(lemma: str, lemmas: Lemmas) -> frozenset[WordKind]:
    proposed = (
        (lemmas.nouns, NOUN_KINDS),
        (lemmas.verbs, VERB_KINDS),
        (lemmas.irregular, VERB_KINDS | {WordKind.PRONOUN}),
    )
    return frozenset().union(*(kinds for of_kinds, kinds in proposed if lemma in of_kinds))
