"""Irregular forms in Roman letters: `mor` (মোৰ) finds মই, `ja` (যা) finds যোৱা."""

from abhidhan.dictionary.model.query import find_irregular_forms
from abhidhan.dictionary.model.ranking import is_typed_for_form
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE
from assamese.normalization import Script, detect_script


def find_listed_forms(connection: ReadConnection, batch: LookupBatch) -> Hits:
    """Find the pronouns and the few verbs that have irregular forms, by these forms in Roman letters.

    Source: the grammar of standard Assamese as school grammars give it (`assamese/tables/inflection.toml`).
    """
    if batch.language_id not in {ALL_LANGUAGES, ASSAMESE}:
        return {}
    keys = {text: _list_lemma_keys(text) for text in batch.texts if detect_script(text) is Script.LATIN}
    all_keys = dict.fromkeys(key for of_text in keys.values() for key in of_text)
    hits = words.find_by_key(connection, KeyColumn.LOOSE, list(all_keys), ASSAMESE)
    results = {text: [hit for key in of_text for hit in hits if hit.key == key] for text, of_text in keys.items()}
    return {text: of_text for text, of_text in results.items() if of_text}


def _list_lemma_keys(text: str) -> list[str]:
    """List the loose keys of the lemmas whose forms a text may be typed for."""
    forms = find_irregular_forms(text)
    return list(dict.fromkeys(key for form in forms if is_typed_for_form(text, form) for key in forms[form]))
