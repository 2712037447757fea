"""The same spelling, after Unicode clean-up and case folding: `WATER` finds water."""

from abhidhan.dictionary.model.field_selection import Selection
from abhidhan.dictionary.model.word_json import EncodedWord
from abhidhan.dictionary.service.strategies.batch import MAX_ENTRIES, Hits, LookupBatch
from abhidhan.dictionary.service.strategies.table_forms import may_be_made_by_rule
from abhidhan.dictionary.store import word_rows, words
from abhidhan.dictionary.store.keyed_words import KeyColumn
from abhidhan.platform.database.reader import Reader
from assamese.keys import exact_key


def find_same_spelling(reader: Reader, batch: LookupBatch) -> Hits:
    """Find words with the exact spelling of a text.

    Source: the Unicode Standard, ch. 12, and CLDR (`assamese/tables/spelling.toml`).
    """
    key_of = {text: exact_key(text) for text in batch.texts}
    limit = batch.limit * len(batch.texts)
    hits: Hits = {}
    for hit in words.find(reader, KeyColumn.EXACT, [*key_of.values()], batch.language_id, limit=limit):
        hits.setdefault(hit.key, []).append(hit)
    return {text: hits[key][: batch.limit] for text, key in key_of.items() if key in hits}


def gather_same_spelling(
    reader: Reader, text: str, language_id: int, selection: Selection | None = None
) -> tuple[list[EncodedWord], bool]:
    """Gather the words with the exact spelling of a text, and whether the text may be a form of other words.

    A look-up calls this instead of the function above: it also reads the entries, by the same statement.
    """
    spelled = word_rows.load_words_by_key(reader, exact_key(text), language_id, limit=MAX_ENTRIES, selection=selection)
    return spelled.words, spelled.is_form or may_be_made_by_rule(reader, text, language_id)
