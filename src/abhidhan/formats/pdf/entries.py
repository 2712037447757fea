"""What is printed: languages, the letters under which their words stand, and entries, one after another."""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from abhidhan.formats.writers.export_source import Book
from abhidhan.records.languages import Language
from abhidhan.records.words import Meaning, Word
from assamese.collation import Divider, divider_of

Covers = Callable[[str], bool]
"""Whether the fonts at hand have every letter of a text."""

NUMBERED_FROM: Final = 2
"""So many meanings are numbered; a single one is not."""


class Run(msgspec.Struct, array_like=True, frozen=True):
    """A stretch of an entry that is set in one style.

    The styles are `roman`, `ipa`, `number`, `label`, `definition`, `language` (the name of one), `words` and `example`.
    """

    style: str
    text: str


class LanguageBegins(msgspec.Struct, tag_field="kind", tag="language", frozen=True):
    """A language begins: how it is called, and its code, by which its letters are shaped."""

    title: str
    code: str


class LetterBegins(msgspec.Struct, tag_field="kind", tag="letter", frozen=True):
    """The words of a letter begin."""

    title: str


class PrintedEntry(msgspec.Struct, tag_field="kind", tag="entry", frozen=True):
    """A word, and what is said of it."""

    word: str
    runs: tuple[Run, ...]


Block = LanguageBegins | LetterBegins | PrintedEntry


class Printing:
    """Makes blocks of a book, and counts by their languages the words that no font here can set."""

    def __init__(self, book: Book, covers: Covers) -> None:
        """Print with fonts that have the letters of the texts that they cover."""
        self._book = book
        self._covers = covers
        self.words: dict[str, int] = {}
        self.left_out: dict[str, int] = {}

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks, language after language, each in the order of its alphabet."""
        for language in self._book.languages:
            yield from self._of_language(language)

    def _of_language(self, language: Language) -> Iterator[Block]:
        divider, letter = divider_of(language.code, language.script), ""
        for word in self._book.words(language.id):
            if not self._covers(word.word):
                self.left_out[language.name] = self.left_out.get(language.name, 0) + 1
                continue
            if language.name not in self.words:
                yield LanguageBegins(self._title_of(language), language.code.partition("-")[0])
            self.words[language.name] = self.words.get(language.name, 0) + 1
            begins = _letter_of(divider, word, letter)
            if begins != letter:
                letter = begins
                yield LetterBegins(letter)
            yield self._entry(word)

    def _title_of(self, language: Language) -> str:
        names = [name for name in (language.name, language.native_name) if self._covers(name)]
        return " · ".join(dict.fromkeys(names))

    def _entry(self, word: Word) -> PrintedEntry:
        runs = [Run("roman", word.roman or ""), Run("ipa", f"/{word.given_ipa}/" if word.given_ipa else "")]
        is_numbered = len(word.meanings) >= NUMBERED_FROM
        for number, meaning in enumerate(word.meanings, 1):
            if is_numbered:
                runs.append(Run("number", str(number)))
            runs += self._meaning(meaning)
        return PrintedEntry(word.word, tuple(run for run in runs if run.text and self._covers(run.text)))

    def _meaning(self, meaning: Meaning) -> Iterator[Run]:
        kind = "-".join(part.value for part in (meaning.pos, meaning.gender) if part)
        contexts = ", ".join(context.value for context in meaning.contexts)
        yield Run("label", "; ".join(part for part in (kind, contexts) if part))
        yield from (Run("definition", definition.text) for definition in meaning.definitions)
        words: dict[str, list[str]] = {}
        for translation in meaning.translations:
            if self._covers(translation.word):
                words.setdefault(translation.language, []).append(translation.word)
        for language, texts in words.items():
            yield Run("language", language)
            yield Run("words", ", ".join(texts))
        for example in meaning.examples:
            yield Run("example", example.text + (f" — {example.translation}" if example.translation else ""))


def _letter_of(divider: Divider, word: Word, before: str) -> str:
    """Return the letter under which a word stands; one that begins with no letter stands where it comes."""
    return divider.letter_of(word.word) or before
