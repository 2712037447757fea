"""Base of a derived word without an entry: শব্দহীন finds শব্দ."""

from abhidhan.dictionary.model.compounds import list_stem_keys
from abhidhan.dictionary.model.guess_scoring import sort_by_cost
from abhidhan.dictionary.model.query import find_inflecting_languages
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ASSAMESE
from assamese.derivation import propose_bases
from assamese.keys import loose_key


def find_derived(connection: ReadConnection, batch: LookupBatch) -> Hits:
    """Find the words of the first possible base of each text, or of its stem, that has an entry.

    Source: suffixes as school grammars of Assamese list them (`assamese/tables/derivation.toml`).
    """
    orthographies = connection.catalogue.orthographies(batch.language_id)
    keys = {
        text: _list_base_keys(text)
        for text in batch.texts
        if any(language.id == ASSAMESE for language in find_inflecting_languages(text, orthographies, by_sound=False))
    }
    all_keys = dict.fromkeys(key for of_text in keys.values() for key in of_text)
    hits = words.find_by_key(connection, KeyColumn.LOOSE, list(all_keys), ASSAMESE)
    candidates = {text: ([hit for hit in hits if hit.key == key] for key in of_text) for text, of_text in keys.items()}
    first = {text: next(filter(None, of_text), []) for text, of_text in candidates.items()}
    return {text: sort_by_cost(text, of_text) for text, of_text in first.items() if of_text}


def _list_base_keys(text: str) -> tuple[str, ...]:
    """List the loose keys of the possible Assamese bases of a text or its stem."""
    return tuple(
        dict.fromkeys(base for key in list_stem_keys(loose_key(text, "as"), "as") for base in propose_bases(key))
    )
