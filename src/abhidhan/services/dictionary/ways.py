"""The ways in which both a look-up and a search find words, each by one function: the two never disagree."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from abhidhan.domain.languages import ALL_LANGUAGES, ASSAMESE
from abhidhan.domain.matching.cascade import Way
from abhidhan.domain.matching.likelihood import FoundKey
from abhidhan.domain.matching.query import WAYS_TO_READ, loose_keys, sound_keys
from abhidhan.domain.matching.ranking import may_be_typed_for, one_letter_off, with_own_key
from abhidhan.domain.orthography import ByOrthography
from abhidhan.domain.selection import Selection
from abhidhan.domain.text.keys import exact_key, sound_key
from abhidhan.domain.text.normal import Script, script_of
from abhidhan.domain.word_json import WrittenWord
from abhidhan.services.dictionary import inflected
from abhidhan.services.dictionary.table_forms import find_in_tables, may_be_made_by_rule
from abhidhan.storage import entries, words
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.indexes.sounds import may_be_read
from abhidhan.storage.key_columns import KeyColumn

MOST_ENTRIES = 50
"""The most entries one query word is answered with."""

Hits = dict[str, list[FoundKey]]
"""What was found for each of several texts; texts for which nothing was found are left out."""


class Wanted(NamedTuple):
    """Texts that words are looked for by, in the languages that an ID stands for, and how many words of each."""

    texts: Sequence[str]
    language_id: int
    limit: int = MOST_ENTRIES


def _find_table_forms(reader: Reader, wanted: Wanted) -> Hits:
    return find_in_tables(reader, wanted.texts, wanted.language_id)


def _find_same_spelling(reader: Reader, wanted: Wanted) -> Hits:
    key_of = {text: exact_key(text) for text in wanted.texts}
    limit = wanted.limit * len(wanted.texts)
    return _by_text(
        key_of, words.find(reader, KeyColumn.EXACT, [*key_of.values()], wanted.language_id, limit=limit), wanted.limit
    )


def gather_same_spelling(
    reader: Reader, text: str, language_id: int, selection: Selection | None = None
) -> tuple[list[WrittenWord], bool]:
    """Gather the words with the exact spelling of a text, and whether the text may be a form of other words."""
    spelled = entries.gather_spelled(reader, exact_key(text), language_id, limit=MOST_ENTRIES, selection=selection)
    return spelled.words, spelled.is_form or may_be_made_by_rule(reader, text, language_id)


def _by_text(key_of: Mapping[str, str], found: Iterable[FoundKey], limit: int) -> Hits:
    hits = defaultdict(list)
    for hit in found:
        hits[hit.key].append(hit)
    return {text: hits[key][:limit] for text, key in key_of.items() if key in hits}


def _find_other_spellings(reader: Reader, wanted: Wanted) -> Hits:
    orthographies = reader.catalogue.orthographies(wanted.language_id)
    keys = {text: loose_keys(text, orthographies).each(lambda key: frozenset({key})) for text in wanted.texts}
    return _find_by_keys_of_languages(reader, KeyColumn.LOOSE, wanted, keys)


def _find_same_sound(reader: Reader, wanted: Wanted) -> Hits:
    orthographies = reader.catalogue.orthographies(wanted.language_id)
    keys = {
        text: sound_keys(text, orthographies, WAYS_TO_READ, are_read=may_be_read(reader, text)) for text in wanted.texts
    }
    sounding = _find_by_keys_of_languages(reader, KeyColumn.SOUND, wanted, keys)
    return _found(
        {
            text: [hit for hit in hits if may_be_typed_for(text, hit.text, hit.language_id)]
            for text, hits in sounding.items()
        }
    )


def _find_by_keys_of_languages(
    reader: Reader, column: KeyColumn, wanted: Wanted, keys: Mapping[str, ByOrthography[frozenset[str]]]
) -> Hits:
    """Find words by keys that differ from language to language: a hit counts if the key is its language's own."""
    every_key = sorted(frozenset().union(*(of_way for of_text in keys.values() for of_way in of_text.values())))
    hits = words.find(reader, column, every_key, wanted.language_id, limit=wanted.limit * len(wanted.texts))
    return _found({text: with_own_key(hits, of_text)[: wanted.limit] for text, of_text in keys.items()})


def _find_misspelled(reader: Reader, wanted: Wanted) -> Hits:
    """Find Assamese words that texts in their script are, but for a letter that sounds alike: নদি is নদী.

    That is likelier than the form of another word (of দি, by নদি "did not give").
    """
    if wanted.language_id not in {ALL_LANGUAGES, ASSAMESE}:
        return {}
    sounds = {text: sound_key(text, "as") for text in wanted.texts if script_of(text) is Script.EASTERN_NAGARI}
    hits = words.find(reader, KeyColumn.SOUND, list(dict.fromkeys(sounds.values())), ASSAMESE)
    return _found({text: one_letter_off(text, sound, hits) for text, sound in sounds.items()})


def _find_forms_by_rule(reader: Reader, wanted: Wanted) -> Hits:
    return inflected.find_by_rule(reader, wanted.texts, wanted.language_id)


def _find_listed_forms(reader: Reader, wanted: Wanted) -> Hits:
    return inflected.find_listed(reader, wanted.texts, wanted.language_id)


def _find_forms_by_sound(reader: Reader, wanted: Wanted) -> Hits:
    return inflected.find_by_sound(reader, wanted.texts, wanted.language_id)


def _found(hits: Hits) -> Hits:
    return {text: of_text for text, of_text in hits.items() if of_text}


WAYS: Final[Mapping[Way, Callable[[Reader, Wanted], Hits]]] = {
    Way.SAME_SPELLING: _find_same_spelling,
    Way.TABLE_FORM: _find_table_forms,
    Way.OTHER_SPELLING: _find_other_spellings,
    Way.MISSPELLED: _find_misspelled,
    Way.FORM_BY_RULE: _find_forms_by_rule,
    Way.LISTED_FORM: _find_listed_forms,
    Way.SAME_SOUND: _find_same_sound,
    Way.FORM_BY_SOUND: _find_forms_by_sound,
}
"""What finds the words of each way that a look-up has."""
