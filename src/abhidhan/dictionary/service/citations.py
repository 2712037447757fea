"""What is cited of one meaning of a word: what it says, where it is from, and in which version it stands."""

from typing import NamedTuple

import msgspec

from abhidhan.dictionary.service import contexts
from abhidhan.dictionary.service.browse import look_up_one
from abhidhan.dictionary.store import senses
from abhidhan.platform.database.reader import Reader
from abhidhan.records.errors import NotFoundError, sentence
from abhidhan.records.history import RecordName
from abhidhan.records.languages import ASSAMESE, ENGLISH, Language
from abhidhan.records.words import Meaning, Word, gloss_of


class CitedSense(NamedTuple):
    """A sense with what is cited of it; `records` are those whose changes are changes to it."""

    id: int
    word: Word
    meaning: Meaning
    language: Language
    gloss: str
    source: str
    licence: str
    added: int
    records: tuple[RecordName, ...]


def read_cited_sense(reader: Reader, sense_id: int) -> CitedSense:
    """Read what is cited of a sense. Raises NotFoundError."""
    link = senses.link_of(reader, sense_id)
    word = look_up_one(reader, link.word_id) if link else None
    meaning = next((each for each in word.meanings if link and each.idea_id == link.idea_id), None) if word else None
    if link is None or word is None or meaning is None:
        raise NotFoundError(sentence("There is no meaning with the ID %(sense_id)s.", sense_id=sense_id))
    source = contexts.read_heads(reader, [link.idea_id])[link.idea_id].source
    return CitedSense(
        id=sense_id,
        word=word,
        meaning=meaning,
        language=reader.catalogue.language(word.language_id),
        gloss=gloss_of(_under(word, meaning), (ENGLISH, ASSAMESE)) or "",
        source=source.name if source else "",
        licence=meaning.licence or (source.licence if source else ""),
        added=link.added,
        records=(
            RecordName("word", str(link.word_id)),
            RecordName("idea", str(link.idea_id)),
            RecordName("sense", str(sense_id)),
        ),
    )


def _under(word: Word, meaning: Meaning) -> Word:
    """Return a word with one of its meanings alone."""
    return msgspec.structs.replace(word, meanings=(meaning,))
