"""Misspellings: one Assamese letter of the same sound (নদি finds নদী), or English doubling (swiming finds swimming)."""

from itertools import chain

from abhidhan.dictionary.model.ranking import filter_one_letter_apart
from abhidhan.dictionary.service.strategies.batch import Hits, LookupBatch
from abhidhan.dictionary.store import words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE, ENGLISH
from assamese.keys import exact_key, sound_key
from assamese.normalization import Script, detect_script
from assamese.suffix_stemming import SUFFIXES, find_doubled_spellings


def find_misspelled(connection: ReadConnection, batch: LookupBatch) -> Hits:
    """Find words that differ from a text by one letter, and are likelier than words it may be a form of."""
    return {**_find_sound_variants(connection, batch), **_find_doubling_errors(connection, batch)}


def _find_sound_variants(connection: ReadConnection, batch: LookupBatch) -> Hits:
    """Find Assamese words that differ from a text in Assamese script by one letter of the same sound.

    Such a word is likelier than one of which the text is a form (দি, of which নদি is "did not give"). Source: the
    letters that Assamese speech does not distinguish, by Xobdo (`assamese/tables/sounds.toml`).
    """
    if batch.language_id not in {ALL_LANGUAGES, ASSAMESE}:
        return {}
    sounds = {text: sound_key(text, "as") for text in batch.texts if detect_script(text) is Script.EASTERN_NAGARI}
    hits = words.find_by_key(connection, KeyColumn.SOUND, list(dict.fromkeys(sounds.values())), ASSAMESE)
    return {text: near for text, sound in sounds.items() if (near := filter_one_letter_apart(text, sound, hits))}


def _find_doubling_errors(connection: ReadConnection, batch: LookupBatch) -> Hits:
    """Find English words that differ from a text only by a doubled consonant before an ending.

    Texts that are correct forms of another word are left out. Source: Quirk et al., A Comprehensive Grammar of the
    English Language, 1985, 3.8.
    """
    if batch.language_id not in {ALL_LANGUAGES, ENGLISH}:
        return {}
    doubled = {
        text: variants
        for text in batch.texts
        if text.isascii() and (variants := find_doubled_spellings(exact_key(text), SUFFIXES["en"]))
    }
    spellings = list(chain.from_iterable(doubled.values()))
    if not spellings:
        return {}
    correct_keys = list(chain.from_iterable(chain.from_iterable(each.values()) for each in doubled.values()))
    hits = {
        hit.key: hit for hit in words.find_by_key(connection, KeyColumn.EXACT, [*spellings, *correct_keys], ENGLISH)
    }
    results = {
        text: [
            hits[each]
            for each, correct_forms in variants.items()
            if each in hits and hits.keys().isdisjoint(correct_forms)
        ]
        for text, variants in doubled.items()
    }
    return {text: near for text, near in results.items() if near}
