"""The forms of words: read from the table of known forms, and made by rule for Assamese words."""

from abhidhan.dictionary.service import browse
from abhidhan.dictionary.store import words
from abhidhan.platform.database.reader import Reader
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.lookup_lists import ListName
from abhidhan.records.words import Word
from assamese.inflected_forms import FormTable, WordForms, cells_of, forms_of, kinds_of, tables_of
from assamese.paradigms import Cell, Headword
from assamese.romanize import romanize


def read_forms(reader: Reader, word_id: int) -> WordForms:
    """Read the forms of a word. Raises NotFoundError."""
    word = browse.look_up_one(reader, word_id)
    stored = words.tagged_forms(reader, word_id)
    cells = _cells(reader, word, stored)
    is_assamese = word.language_id == ASSAMESE
    return WordForms(word_id, tuple(forms_of(cells, stored, romanize if is_assamese else _not_romanized)))


def read_tables(reader: Reader, word: Word) -> tuple[FormTable, ...]:
    """Read the forms of a word as tables."""
    stored = words.tagged_forms(reader, word.id)
    return tables_of(_cells(reader, word, stored), stored)


def _not_romanized(_: str) -> None:
    return None


def _cells(reader: Reader, word: Word, stored: dict[str, str]) -> list[Cell]:
    """List the forms by rule; of a word of a language without rules, none."""
    if word.language_id != ASSAMESE:
        return []
    codes = {item.id: item.code for item in reader.catalogue.items_of(ListName.PARTS_OF_SPEECH)}
    parts = {meaning.pos for meaning in word.meanings if meaning.pos is not None}
    kinds = kinds_of((part.value, codes.get(part.id)) for part in parts)
    endings = (word.definitive or "", word.plural or "")
    return cells_of(Headword(word.word, kinds, *endings, frozenset(stored), word.countable))
