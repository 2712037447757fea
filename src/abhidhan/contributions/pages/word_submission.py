"""The form in which people send a word: what is read out of it, and which words like it are here already."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from abhidhan.contributions.service.duplicates import Similar
from abhidhan.platform.http.forms import Form, number_in
from abhidhan.platform.http.preferences import translations_of
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.errors import InputError, quoted, sentence
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListItem, ListName
from abhidhan.records.submission_payloads import (
    DefinitionData,
    ExampleText,
    IdeaData,
    TranslationData,
    WordData,
    WordSubmission,
)

DEFINITION: Final = "definition_"
TRANSLATION: Final = "translation_"
CONTEXTS: Final = ("context_1", "context_2")
"""A form has a field for each of so many contexts: a list of completions completes a whole field."""

SEEN: Final = "seen"
"""The field that tells which words like this one the sender has been shown: their IDs."""

SENSE_OF: Final = "sense_of"
"""The choice that makes of a word a meaning of one that is here: its ID."""

WARNED: Final = frozenset({"exact", "loose", "phonetic"})
"""What may be the same word is told before anything is sent; what is only near it is named beside that."""


class Context(msgspec.Struct, frozen=True):
    """A context by its name in a language of the interface."""

    id: int
    name: str


def contexts_in(catalogue: Catalogue, language: str) -> list[Context]:
    """List the contexts by their names in a language of the interface, in the order of these."""
    say = translations_of(language).gettext
    named = [Context(item.id, say(item.value)) for item in catalogue.items_of(ListName.CONTEXTS)]
    return sorted(named, key=lambda context: context.name)


def context_ids(names: Iterable[str], catalogue: Catalogue, languages: Iterable[str]) -> tuple[int, ...]:
    """Find contexts by their names in English or a language of the interface, letter case aside. Raises InputError."""
    items = catalogue.items_of(ListName.CONTEXTS)
    known = {name.casefold(): item.id for item in items for name in _names_of(item, languages)}
    found = []
    for name in filter(None, (each.strip() for each in names)):
        if name.casefold() not in known:
            raise InputError.of("contexts", sentence("There is no context with the name %(name)s.", name=quoted(name)))
        found.append(known[name.casefold()])
    return tuple(dict.fromkeys(found))


def _names_of(item: ListItem, languages: Iterable[str]) -> Iterator[str]:
    yield item.value
    for language in languages:
        yield translations_of(language).gettext(item.value)


def word_of(form: Form, catalogue: Catalogue, languages: Iterable[str]) -> WordSubmission:
    """Read a word from its form: one for an idea that is there, or with the meaning that the form tells.

    Raises InputError, also where a new word is to mean nothing.
    """
    idea_id = number_in(form, "idea_id")
    meaning, translations = meaning_of(form, catalogue, languages), tuple(_translations(form))
    if not idea_id and not (meaning.definitions or translations):
        raise InputError.of(
            "meaning",
            sentence("Say what the word means: give a translation or a definition in at least one language."),
        )
    return WordSubmission(
        WordData(
            language=form.value("language"),
            word=form.value("word"),
            idea_id=idea_id,
            meaning=None if idea_id else meaning,
            roman=form.value("roman") or None,
            origin=form.value("origin") or None,
            reference=form.value("reference") or None,
            translations=translations,
        )
    )


def meaning_of(form: Form, catalogue: Catalogue, languages: Iterable[str]) -> IdeaData:
    """Read the meaning of a word that is not for an idea that is there. Raises InputError."""
    example = ExampleText(form.value("language"), form.value("example"), form.value("example_translation") or None)
    return IdeaData(
        number_in(form, "pos") or 0,
        contexts=context_ids((form.value(name) for name in CONTEXTS), catalogue, languages),
        definitions=tuple(DefinitionData(code, text) for code, text in _texts(form, DEFINITION)),
        examples=(example,) if example.text else (),
    )


def _translations(form: Form) -> Iterator[TranslationData]:
    """Read words of other languages, with commas between; the word itself is none."""
    own = (form.value("language"), form.value("word"))
    for code, text in _texts(form, TRANSLATION):
        for word in dict.fromkeys(each.strip() for each in text.split(",")):
            if word and (code, word) != own:
                yield TranslationData(code, word)


def _texts(form: Form, beginning: str) -> Iterator[tuple[str, str]]:
    return (
        (name.removeprefix(beginning), text)
        for name, text in form.fields.items()
        if name.startswith(beginning) and text
    )


class WordLike(msgspec.Struct, frozen=True):
    """A word that is here and like one that somebody writes, and its language."""

    similar: Similar
    language: Language

    @property
    def may_be_the_same(self) -> bool:
        """Whether it may be the same word, and not only one near it."""
        return self.similar.match in WARNED


def words_like(found: Iterable[Similar], catalogue: Catalogue) -> tuple[WordLike, ...]:
    """Name the languages of words that are alike."""
    return tuple(WordLike(each, catalogue.language(each.language_id)) for each in found)


def unseen(alike: Iterable[WordLike], form: Form) -> bool:
    """Say whether there are words that may be the same one, and the sender has not been shown them yet."""
    seen = set(form.value(SEEN).split(","))
    return any(str(each.similar.id) not in seen for each in alike if each.may_be_the_same)


def as_sense_of(form: Form, alike: Iterable[WordLike]) -> Form:
    """Make of a word a further meaning of the one that the sender has chosen, if any: it is spelled as that one is."""
    chosen = next((each for each in alike if str(each.similar.id) == form.value(SENSE_OF)), None)
    if chosen is None:
        return form
    return Form({**form.fields, "word": chosen.similar.text, "language": chosen.language.code})
