"""Forms and spellings under which dictionary apps find a word.

Apps that read StarDict, DSL and Yomitan compare texts letter by letter, without rules of any language.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from abhidhan.formats.writers.export_source import ExportLists, ExportSource
from abhidhan.formats.writers.vocabulary_forms import INFLECTED_LANGUAGE
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.words import Word
from assamese.attested_forms import iter_attested_forms
from assamese.inflected_forms import find_word_kinds, generate_cells
from assamese.paradigms import Headword

WORD_BATCH_SIZE: Final = 500
"""The number of words whose stored forms are read in one query."""

DEFAULT_LABEL: Final = "form"
"""The label of a form without a grammatical description."""

APOSTROPHES: Final = "’'‘"
"""The characters that people type for an apostrophe."""

INDIC_RANGE: Final = range(0x0900, 0x0D80)
"""Indic code points, some of whose letters have two encodings in Unicode (য়, and য with ়)."""

_COMPOSED_LETTERS: Final = {
    plain: letter for letter in map(chr, INDIC_RANGE) if (plain := unicodedata.normalize("NFC", letter)) != letter
}

_DECOMPOSED_LETTER: Final = re.compile("|".join(map(re.escape, _COMPOSED_LETTERS)))

LabelledForms = Mapping[str, Sequence[str]]
"""The forms of a word, each with its possible labels."""


class WordFormReader:
    """Reader of the words of an export with their forms."""

    def __init__(self, export: ExportSource) -> None:
        """Read the codes of the parts of speech."""
        self._export = export
        values = ExportLists(export).items
        self._codes = {item.value: item.code for item in values if item.list == ListName.PARTS_OF_SPEECH}

    def iter_words(self, language: Language) -> Iterator[tuple[Word, LabelledForms]]:
        """Yield the words of a language with their forms."""
        words = self._export.words(language.id)
        while batch := list(islice(words, WORD_BATCH_SIZE)):
            stored = self._export.stored_forms([word.id for word in batch])
            for word in batch:
                yield word, self._collect_forms(word, language, stored.get(word.id, {}))

    def _collect_forms(self, word: Word, language: Language, stored_forms: Mapping[str, str]) -> LabelledForms:
        """Return the generated, stored and attested forms of a word.

        Forms with more words than the headword (ঘৰৰ পৰা) are dropped, since users look up single words.
        """
        labels: dict[str, list[str]] = {}
        if language.code == INFLECTED_LANGUAGE:
            kinds = find_word_kinds(
                (meaning.pos.value, self._codes.get(meaning.pos.value)) for meaning in word.meanings if meaning.pos
            )
            endings = (word.definitive or "", word.plural or "")
            for cell in generate_cells(Headword(word.word, kinds, *endings, frozenset(stored_forms), word.countable)):
                labels.setdefault(cell.form, []).append(": ".join(label.english for label in cell.labels))
        for form, tag in stored_forms.items():
            labels.setdefault(form, [tag or DEFAULT_LABEL])
        if language.code == INFLECTED_LANGUAGE:
            labels |= {form: [DEFAULT_LABEL] for form in iter_attested_forms(word.word, labels)}
        spaces = word.word.count(" ")
        return {
            form: form_labels for form, form_labels in labels.items() if form != word.word and form.count(" ") <= spaces
        }


def iter_spellings(word: Word, forms: LabelledForms) -> Iterator[str]:
    """Yield the other spellings of a word, and all spellings of its forms; some may be repeated."""
    yield from list_other_spellings(word.word)
    for form in forms:
        yield form
        yield from list_other_spellings(form)


def list_other_spellings(text: str) -> list[str]:
    """List the other ways to type a text: letters with a dot below as one character (য়), and other apostrophes."""
    spellings = [text, _DECOMPOSED_LETTER.sub(lambda plain: _COMPOSED_LETTERS[plain[0]], text)]
    if any(sign in text for sign in APOSTROPHES):
        signs = dict.fromkeys(map(ord, APOSTROPHES))
        spellings += [
            spelling.translate(signs | dict.fromkeys(signs, sign)) for sign in APOSTROPHES for spelling in spellings[:2]
        ]
    return [spelling for spelling in dict.fromkeys(spellings) if spelling != text]
