"""Loading how common words are that are there already."""

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import bindparam, select

from abhidhan.exchange.store.loading.load_context import Load
from abhidhan.platform.database.compiled_queries import Value, by_size, in_list
from abhidhan.records.change_feed import Followed
from abhidhan.records.errors import quoted
from abhidhan.records.import_records import Fault, NewFrequency, Placed, Policy
from abhidhan.schema import word

_KNOWN = by_size(
    lambda size: select(word.c.id, word.c.text, word.c.frequency, word.c.frequency_source).where(
        word.c.language_id == bindparam("language_id"), in_list(word.c.text, "text", size)
    )
)

_Known = tuple[int, dict[str, Value]]
"""A word's ID, and what is known of how common it is."""


def load_frequencies(load: Load, given: Sequence[tuple[Placed, NewFrequency]]) -> None:
    """Store how common words are, as the policy wants it; a word that is not there is told.

    The figure and its source are one: nothing of them is filled where a figure is there.
    """
    known = _known(load, [one for _, one in given])
    load.given_words += len(given)
    for placed, one in given:
        found = known.get((one.language_id, one.text))
        if found is None:
            detail = f"There is no word {quoted(one.text)} to be that common."
            load.reject(Fault(placed.file, placed.line, detail))
            continue
        word_id, there = found
        values: dict[str, Value] = {"frequency": one.frequency, "frequency_source": one.frequency_source}
        load.note_differences(placed, word, word_id, there, values)
        if there["frequency"] is None:
            there["frequency_source"] = None
        elif load.policy is not Policy.REPLACE:
            continue
        if load.fill(word, word_id, there, values):
            there.update(values)
            load.touched.others.change(Followed.WORD, (word_id,))


def _known(load: Load, given: Sequence[NewFrequency]) -> dict[tuple[int, str], _Known]:
    texts: dict[int, list[str]] = defaultdict(list)
    for one in given:
        texts[one.language_id].append(one.text)
    return {
        (language_id, row[1]): (int(row[0]), {"frequency": row[2], "frequency_source": row[3]})
        for language_id, of_language in texts.items()
        for row in load.bulk.rows_among(_KNOWN, "text", of_language, language_id=language_id)
    }
