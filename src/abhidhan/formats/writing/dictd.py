"""dictd: an index and a file of texts in a zip file, as dictd(8) serves them."""

import tempfile
from pathlib import Path
from textwrap import fill
from typing import IO, Final

from abhidhan.domain.words import Word
from abhidhan.formats.dictd import DIGITS
from abhidhan.formats.writing.book import Book, add_file, archive, meaning_lines
from abhidhan.formats.writing.sorting import Entry, Sorted

LETTERS: Final = "".join(DIGITS)
WIDTH: Final = 78


def write_dictd(book: Book, target: Path) -> None:
    """Write the words of all languages of the book into one database."""
    headers = {
        "00-database-allchars": "",
        "00-database-utf8": "",
        "00-database-short": f"{book.title}\n",
        "00-database-info": f"{book.title}\n\n{book.terms()}\n",
    }
    with (
        tempfile.TemporaryFile(dir=target.parent) as texts,
        tempfile.TemporaryFile(dir=target.parent) as index,
        Sorted(target.parent) as lines,
        archive(target) as made,
    ):
        for headword, text in headers.items():
            _add(headword, f"{headword}\n{text}", texts, lines)
        for language in book.languages:
            for word in book.words(language.id):
                _add(" ".join(word.word.split()), _article(word), texts, lines)
        for line in lines:
            index.write(line.key)
        for ending, stream in ((".index", index), (".dict", texts)):
            stream.seek(0)
            add_file(made, book.name + ending, stream)
        add_file(made, "SOURCES.txt", (book.terms() + "\n").encode())


def _add(headword: str, text: str, texts: IO[bytes], lines: Sorted) -> None:
    """Write a text, and note where it stands."""
    raw = text.encode()
    lines.add(Entry(_index_line(headword, texts.tell(), len(raw)).encode(), b"", 0))
    texts.write(raw)


def _index_line(headword: str, start: int, length: int) -> str:
    """Write a line of the index: what dictd looks for is in small letters, and a headword that is not comes fourth."""
    key = "".join(letter.lower()[:1] for letter in headword)
    columns = [key, number_of(start), number_of(length), *([headword] if headword != key else [])]
    return "\t".join(columns) + "\n"


def number_of(value: int) -> str:
    """Write a number in dictd's base 64."""
    digits = LETTERS[value % 64]
    while value := value // 64:
        digits = LETTERS[value % 64] + digits
    return digits


def _article(word: Word) -> str:
    said = [f"/{word.given_ipa}/" if word.given_ipa else None, word.roman, f"({word.language})"]
    lines = [" ".join([word.word, *(part for part in said if part)])]
    for number, meaning in enumerate(word.meanings, 1):
        for place, (_, text) in enumerate(meaning_lines(meaning)):
            lead = f"  {number}. " if place == 0 else "     "
            lines.append(fill(text, WIDTH, initial_indent=lead, subsequent_indent="     ", break_long_words=False))
    return "\n".join(lines) + "\n\n"
