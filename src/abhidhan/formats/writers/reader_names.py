"""Forms and spellings under which dictionary apps find a word.

Apps that read StarDict, DSL and Yomitan compare texts letter by letter, without rules of any language.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from abhidhan.formats.writers.export_source import ExportLists, ExportSource
from abhidhan.formats.writers.vocabulary_forms import INFLECTED_BY_RULE
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.words import Word
from assamese.attested_forms import attested_forms
from assamese.inflected_forms import cells_of, kinds_of
from assamese.paradigms import Headword

WORD_BATCH_SIZE: Final = 500
"""The number of words whose stored forms are read in one query."""

UNLABELLED: Final = "form"
"""The label of a form without a grammatical description."""

APOSTROPHES: Final = "’'‘"
"""The characters that people type for an apostrophe."""

INDIC: Final = range(0x0900, 0x0D80)
"""Indic code points, some of whose letters have two encodings in Unicode (য়, and য with ়)."""

_COMPOSED: Final = {
    plain: letter for letter in map(chr, INDIC) if (plain := unicodedata.normalize("NFC", letter)) != letter
}

_PLAIN: Final = re.compile("|".join(map(re.escape, _COMPOSED)))

Forms = Mapping[str, Sequence[str]]
"""The forms of a word, each with its possible labels."""


class WordFormSource:
    """Reader of the words of an export with their forms."""

    def __init__(self, book: ExportSource) -> None:
        """Read the codes of the parts of speech."""
        self._book = book
        values = ExportLists(book).values
        self._codes = {item.value: item.code for item in values if item.list == ListName.PARTS_OF_SPEECH}

    def words(self, language: Language) -> Iterator[tuple[Word, Forms]]:
        """Yield the words of a language with their forms."""
        words = self._book.words(language.id)
        while batch := list(islice(words, WORD_BATCH_SIZE)):
            stored = self._book.stored_forms([word.id for word in batch])
            for word in batch:
                yield word, self._forms(word, language, stored.get(word.id, {}))

    def _forms(self, word: Word, language: Language, stored: Mapping[str, str]) -> Forms:
        """Return the generated, stored and attested forms of a word.

        Forms with more words than the headword (ঘৰৰ পৰা) are dropped, since users look up single words.
        """
        labels: dict[str, list[str]] = {}
        if language.code == INFLECTED_BY_RULE:
            kinds = kinds_of(
                (meaning.pos.value, self._codes.get(meaning.pos.value)) for meaning in word.meanings if meaning.pos
            )
            endings = (word.definitive or "", word.plural or "")
            for cell in cells_of(Headword(word.word, kinds, *endings, frozenset(stored), word.countable)):
                labels.setdefault(cell.form, []).append(": ".join(label.english for label in cell.labels))
        for form, tag in stored.items():
            labels.setdefault(form, [tag or UNLABELLED])
        if language.code == INFLECTED_BY_RULE:
            labels |= {form: [UNLABELLED] for form in attested_forms(word.word, labels)}
        spaces = word.word.count(" ")
        return {
            form: form_labels for form, form_labels in labels.items() if form != word.word and form.count(" ") <= spaces
        }


def names_in_text(word: Word, forms: Forms) -> Iterator[str]:
    """Yield the other spellings of a word, and all spellings of its forms; some may be repeated."""
    yield from other_spellings(word.word)
    for form in forms:
        yield form
        yield from other_spellings(form)


def other_spellings(text: str) -> list[str]:
    """List the other ways to type a text: letters with a dot below as one character (য়), and other apostrophes."""
    typed = [text, _PLAIN.sub(lambda plain: _COMPOSED[plain[0]], text)]
    if any(sign in text for sign in APOSTROPHES):
        signs = dict.fromkeys(map(ord, APOSTROPHES))
        typed += [
            spelling.translate(signs | dict.fromkeys(signs, sign)) for sign in APOSTROPHES for spelling in typed[:2]
        ]
    return [spelling for spelling in dict.fromkeys(typed) if spelling != text]
