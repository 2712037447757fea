"""What a picture that stands for an entry shows where its address is shared: a card of a few lines."""

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.glosses import first_given
from abhidhan.domain.languages import ASSAMESE, ENGLISH, Language
from abhidhan.domain.phrases import ListedPhrase
from abhidhan.domain.words import Meaning, Word

SITE: Final = "অভিধান · Abhidhan"
WHAT_IT_IS: Final = "An open dictionary of Assamese and the languages around it"


class Telling(NamedTuple):
    """In which language a card tells what is not of the entry, and in which languages, before others, what it means.

    `say` says the names of languages and parts of speech, which are English.
    """

    code: str = "en"
    say: Callable[[str], str] = str
    first: tuple[int, ...] = (ENGLISH, ASSAMESE)


IN_ENGLISH: Final = Telling()

PROVERB: Final = "Proverb"

MOST_WORDS: Final = 3
LONGEST: Final = 240
"""So many letters of a text are set at most: whoever makes pictures is never busy for long."""

CALLED: Final = {"Adjective Adjective": "Adjective", "Common": "Masculine or feminine"}
"""Parts of speech whose names in the list say something twice."""


class CardText(msgspec.Struct, frozen=True):
    """A text, the code of its language, and its direction."""

    text: str
    language: str = "en"
    direction: str = "ltr"


class PreviewCard(msgspec.Struct, frozen=True):
    """The lines of a card, from above; those that are None are left out."""

    label: CardText
    head: CardText
    roman: CardText | None = None
    gloss: CardText | None = None
    more: CardText | None = None


def card_of_site(what_it_is: str = WHAT_IT_IS, code: str = "en") -> PreviewCard:
    """Make the card of pages that are of no one word, which says what the site is."""
    return PreviewCard(CardText("Abhidhan"), CardText("অভিধান", "as"), None, CardText(what_it_is, code))


SITE_CARD: Final = card_of_site()
"""What also stands for words in letters that no font has."""


def card_of_word(
    word: Word,
    meaning: Meaning | None,
    languages: dict[int, Language],
    label: str = "",
    telling: Telling = IN_ENGLISH,
) -> PreviewCard:
    """Make the card of a word under one of its meanings; `label` says what it is of, beside its language."""
    language = languages[word.language_id]
    pos = meaning.pos.value if meaning and meaning.pos else ""
    named = (label, *(telling.say(each) for each in (language.name, CALLED.get(pos, pos)) if each))
    return PreviewCard(
        CardText(" · ".join(part for part in named if part), telling.code),
        _told(word.word, language),
        CardText(word.roman[:LONGEST], _romanized(language)) if word.roman else None,
        _gloss(word, meaning, languages, telling.first) if meaning else None,
        _definition(meaning, languages, telling.first) if meaning else None,
    )


def card_of_proverb(
    phrase: ListedPhrase, languages: dict[int, Language], label: str = "", telling: Telling = IN_ENGLISH
) -> PreviewCard:
    """Make the card of a proverb."""
    language = languages[phrase.language_id]
    named = (label or telling.say(PROVERB), telling.say(language.name))
    return PreviewCard(
        CardText(" · ".join(named), telling.code),
        _told(phrase.phrase, language),
        CardText(phrase.roman[:LONGEST], _romanized(language)) if phrase.roman else None,
        _told_meaning(phrase, languages, telling.first),
    )


def _told_meaning(phrase: ListedPhrase, languages: dict[int, Language], first: tuple[int, ...]) -> CardText | None:
    order = {language_id: place for place, language_id in enumerate(first)}
    chosen = min(phrase.meanings, key=lambda each: order.get(each.language_id, len(order)), default=None)
    return _told(chosen.text, languages[chosen.language_id]) if chosen else None


def _gloss(
    word: Word, meaning: Meaning, languages: dict[int, Language], before_others: tuple[int, ...]
) -> CardText | None:
    """Return a meaning as words of the first language that has some."""
    others = [each for each in meaning.translations if each.language_id != word.language_id]
    if not others:
        return None
    order = {language_id: place for place, language_id in enumerate(before_others)}
    first = first_given(others, order)
    texts = dict.fromkeys(each.word for each in others if each.language_id == first.language_id)
    return _told(", ".join(list(texts)[:MOST_WORDS]), languages[first.language_id])


def _definition(meaning: Meaning, languages: dict[int, Language], before_others: tuple[int, ...]) -> CardText | None:
    order = {language_id: place for place, language_id in enumerate(before_others)}
    chosen = min(meaning.definitions, key=lambda each: order.get(each.language_id, len(order)), default=None)
    return _told(chosen.text, languages[chosen.language_id]) if chosen else None


def _told(text: str, language: Language) -> CardText:
    short = text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
    return CardText(short, language.code, language.direction)


def _romanized(language: Language) -> str:
    return f"{language.code.partition('-')[0]}-Latn"
