"""Words that make up paired, echo and reciprocal words: গছে-গছে finds গছ, দেখাদেখি finds দেখা."""

from collections.abc import Iterable

from abhidhan.dictionary.model.guess_scoring import KeyMatch, sort_by_cost
from abhidhan.dictionary.service.strategies.batch import LookupBatch
from abhidhan.dictionary.service.strategies.inflected import find_forms_by_rule
from abhidhan.dictionary.service.strategies.other_spelling import find_other_spellings
from abhidhan.dictionary.service.strategies.same_spelling import find_same_spelling
from abhidhan.dictionary.service.strategies.table_forms import find_table_forms
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.languages import ALL_LANGUAGES, ASSAMESE
from assamese.keys import exact_key
from assamese.normalization import Script, detect_script
from assamese.reduplication import find_reduplications


def find_pair(connection: ReadConnection, text: str, language_id: int, *, needs_all: bool = True) -> list[KeyMatch]:
    """Find the Assamese words that make up a text, each once; unless `needs_all`, one matching half is enough.

    Source: echo words and reciprocals as school grammars of Assamese describe them (`assamese/reduplication.py`).
    """
    if language_id not in {ALL_LANGUAGES, ASSAMESE} or detect_script(text) is not Script.EASTERN_NAGARI:
        return []
    for pair in find_reduplications(text):
        part_hits = [_find_first(connection, texts) for texts in pair.parts]
        if all(part_hits) or (not needs_all and any(part_hits)):
            return list({hit.word_id: hit for hits in part_hits for hit in hits}.values())
    return []


def _find_first(connection: ReadConnection, texts: Iterable[str]) -> list[KeyMatch]:
    """Find the words of the first text that matches, like a look-up; of several spellings, the likeliest."""
    for text in texts:
        batch = LookupBatch([text], ASSAMESE)
        for find in (find_same_spelling, find_table_forms, find_other_spellings, find_forms_by_rule):
            if hits := find(connection, batch).get(text):
                first = sort_by_cost(text, hits)[0] if find is find_other_spellings else hits[0]
                return [hit for hit in hits if exact_key(hit.text) == exact_key(first.text)]
    return []
