"""Which flashcards and inflected forms, as files give them, are there already."""

from enum import Enum

from sqlalchemy import Text, bindparam, select

from abhidhan.platform.database.compiled_queries import Query
from abhidhan.platform.database.reader import Reader
from abhidhan.records.kinds import CardSetRecord, FormsRecord
from abhidhan.schema import card, card_set, language, source, word, word_form
from assamese.keys import exact_key
from assamese.normalization import nfc, squeeze


class Known(Enum):
    """What the dictionary has of a record."""

    ALL = "all"
    NOT_ALL = "not all"
    NO_WORD = "no word"
    """Not even the word that the forms are of."""


_CLUES = Query(
    select(card.c.clue)
    .select_from(
        card.join(card_set, card_set.c.id == card.c.card_set_id).join(source, source.c.id == card_set.c.source_id)
    )
    .where(
        source.c.code == bindparam("source", type_=Text),
        card_set.c.external_key == bindparam("key", type_=Text),
        card.c.clue == bindparam("clue", type_=Text),
    )
)
_WORD = Query(
    select(word.c.id)
    .join(language, language.c.id == word.c.language_id)
    .where(language.c.code == bindparam("code", type_=Text), word.c.text == bindparam("text", type_=Text))
)
_FORMS = Query(select(word_form.c.key).where(word_form.c.word_id == bindparam("word_id")))


def cards_known(reader: Reader, record: CardSetRecord) -> Known:
    """Return whether a set has all these cards: one of each clue."""
    for one in record.cards:
        if not reader.rows(_CLUES, source=record.source, key=_clean(record.key), clue=_clean(one.clue)):
            return Known.NOT_ALL
    return Known.ALL


def forms_known(reader: Reader, record: FormsRecord) -> Known:
    """Return whether a word has all these forms."""
    found = reader.row(_WORD, code=record.language, text=_clean(record.text))
    if found is None:
        return Known.NO_WORD
    there = {row[0] for row in reader.rows(_FORMS, word_id=found[0])}
    given = {exact_key(form) for form, _ in record.forms} - {""}
    return Known.ALL if given <= there else Known.NOT_ALL


def _clean(text: str) -> str:
    return squeeze(nfc(text))
