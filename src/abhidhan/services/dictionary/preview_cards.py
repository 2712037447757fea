"""The cards that stand for words, senses, proverbs and days where their addresses are shared."""

from abhidhan.domain.preview_cards import IN_ENGLISH, PreviewCard, Telling, card_of_proverb, card_of_word
from abhidhan.domain.words import Meaning, Word
from abhidhan.errors import NotFoundError, sentence
from abhidhan.services.dictionary.daily import Day
from abhidhan.services.dictionary.lookup import look_up_one
from abhidhan.services.dictionary.phrase_lists import show_phrase
from abhidhan.storage import senses
from abhidhan.storage.engine.reader import Reader

WORD_OF_THE_DAY = "Word of the day"
PROVERB_OF_THE_DAY = "Proverb of the day"


def card_by_word(reader: Reader, word_id: int, telling: Telling = IN_ENGLISH) -> PreviewCard:
    """Make the card of a word. Raises NotFoundError."""
    return _card(reader, look_up_one(reader, word_id, None), "", telling)


def card_by_sense(reader: Reader, sense_id: int, telling: Telling = IN_ENGLISH) -> PreviewCard:
    """Make the card of one meaning of a word. Raises NotFoundError."""
    link = senses.link_of(reader, sense_id)
    if link is None:
        raise NotFoundError(sentence("There is no meaning with the ID %(sense_id)s.", sense_id=sense_id))
    word = look_up_one(reader, link.word_id, None)
    meaning = next((each for each in word.meanings if each.idea_id == link.idea_id), None)
    return card_of_word(word, meaning, reader.catalogue.by_id, "", telling)


def card_by_proverb(reader: Reader, phrase_id: int, telling: Telling = IN_ENGLISH) -> PreviewCard:
    """Make the card of a proverb. Raises NotFoundError."""
    return card_of_proverb(show_phrase(reader, phrase_id), reader.catalogue.by_id, "", telling)


def card_of_day(reader: Reader, day: Day, telling: Telling = IN_ENGLISH, *, of_proverb: bool) -> PreviewCard:
    """Make the card of the word of a day, or of its proverb. Raises NotFoundError."""
    languages = reader.catalogue.by_id
    if of_proverb and day.phrase is not None:
        return card_of_proverb(
            day.phrase, languages, f"{telling.say(PROVERB_OF_THE_DAY)} · {telling.say(day.date)}", telling
        )
    if not of_proverb and day.word is not None:
        return _card(reader, day.word, f"{telling.say(WORD_OF_THE_DAY)} · {telling.say(day.date)}", telling)
    raise NotFoundError(sentence("There is no picture of %(day)s.", day=day.date))


def _card(reader: Reader, word: Word, label: str, telling: Telling) -> PreviewCard:
    first: Meaning | None = next(iter(word.meanings), None)
    return card_of_word(word, first, reader.catalogue.by_id, label, telling)
