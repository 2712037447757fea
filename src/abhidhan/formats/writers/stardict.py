"""Writer of StarDict: .ifo, .idx, .dict and .syn in a zip file, for GoldenDict, KOReader and many others."""

import struct
import tempfile
from array import array
from io import SEEK_END
from itertools import groupby
from pathlib import Path
from typing import IO, Final

from abhidhan.formats.writers.export_source import ExportSource, add_file, archive, escape, meaning_lines
from abhidhan.formats.writers.external_sort import ExternalSorter, SortItem
from abhidhan.formats.writers.reader_names import Forms, WordFormSource, names_in_text
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.words import Word
from assamese.keys import loose_key
from assamese.romanize import Scheme, romanize

SMALL_LETTERS: Final = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz")
MAX_HEADWORD_BYTES: Final = 255
"""Maximum number of bytes in a headword that the format allows."""

MAX_OFFSET: Final = 2**32 - 1
NASAL: Final = str.maketrans("", "", "~")
"""Translation table that removes the nasal sign of Xobdo's scheme, which users do not type."""

IS_HEADWORD, IS_NAME, IS_FORM = 0, 1, 2
"""Kinds of index names: the spelling of a word, its Roman spellings, and its forms in running text."""

ARTICLE_SEPARATOR: Final = b"<br><br>"
STYLES: Final = {
    "label": "<i>{}</i>",
    "definition": "{}",
    "words": "{}",
    "example": '<span style="color:gray">{}</span>',
}


def write_stardict(book: ExportSource, target: Path) -> None:
    """Write the words of all languages into one dictionary, with romanizations and forms as further names."""
    with (
        tempfile.TemporaryFile(dir=target.parent) as texts,
        tempfile.TemporaryFile(dir=target.parent) as index,
        tempfile.TemporaryFile(dir=target.parent) as synonym_index,
        ExternalSorter(target.parent) as headwords,
        ExternalSorter(target.parent) as names,
        ExternalSorter(target.parent) as names_in_place,
        archive(target) as zip_file,
    ):
        words = _write_texts(book, texts, headwords)
        count = _write_index(headwords, words, texts, index, names)
        for entry in names:
            names_in_place.add(entry._replace(number=words[entry.number]))
        synonyms = _write_synonyms(names_in_place, synonym_index)
        folder = f"{book.name}/{book.name}"
        add_file(zip_file, f"{folder}.ifo", _information(book, count, index.tell(), synonyms))
        files = {".idx": index, ".dict": texts, ".syn": synonym_index}
        for ending, stream in files.items():
            if stream.tell():
                stream.seek(0)
                add_file(zip_file, f"{folder}{ending}", stream)
        add_file(zip_file, f"{book.name}/SOURCES.txt", (book.terms() + "\n").encode())


def order_of(headword: bytes) -> tuple[bytes, bytes]:
    """Return the sort key of a headword in StarDict's order: case-insensitive for ASCII, then by bytes."""
    return headword.translate(SMALL_LETTERS), headword


def names_in_roman(word: Word) -> tuple[bytes, ...]:
    """Return the Roman spellings of a word: its romanization, and the spellings that users type.

    Users omit the dots and marks of a scheme: `pani` for `pa.ni` and `pānī`.
    """
    if not word.roman:
        return ()
    typed = " ".join(loose_key(part.translate(NASAL), "en") for part in word.roman.split())
    by_rule = romanize(word.word, Scheme.PLAIN) if word.language_id == ASSAMESE else ""
    return tuple(name.encode() for name in dict.fromkeys((word.roman, typed, by_rule)) if name)


def _write_texts(book: ExportSource, texts: IO[bytes], headwords: ExternalSorter) -> "array[int]":
    """Write the articles, and add all names of words with article positions to `headwords`.

    Returns an array with a zero per word, for the positions in the index.
    """
    words = array("L")
    offset = 0
    forms_of_words = WordFormSource(book)
    for language in book.languages:
        for word, forms in forms_of_words.words(language):
            text = _article(word).encode()
            if len(word.word.encode()) > MAX_HEADWORD_BYTES or offset + len(text) > MAX_OFFSET:
                continue
            for name, kind in _names(word, forms).items():
                if len(name) <= MAX_HEADWORD_BYTES:
                    headwords.add(SortItem(*order_of(name), len(words), (offset, len(text), kind)))
            words.append(0)
            texts.write(text)
            offset += len(text)
    return words


def _names(word: Word, forms: Forms) -> dict[bytes, int]:
    """Return the headword of a word and its names, with the kind of each."""
    names = {name.encode(): IS_FORM for name in names_in_text(word, forms)}
    return names | dict.fromkeys(names_in_roman(word), IS_NAME) | {word.word.encode(): IS_HEADWORD}


def _write_index(
    headwords: ExternalSorter, words: "array[int]", texts: IO[bytes], index: IO[bytes], names: ExternalSorter
) -> int:
    """Write the index of headwords, store each word's index position in `words`, and return the number of headwords.

    Words of several languages with the same spelling share an article, since some readers (sdcv) show only one. So do
    words whose name is another's headword (`man`, and মান), and words with a common name or form; all other names and
    forms go to `names`.
    """
    count = 0
    for name, alike in groupby(headwords, lambda entry: entry.name):
        entries = sorted(alike, key=lambda entry: entry.numbers[-1])
        if len(entries) == 1 and entries[0].numbers[-1] != IS_HEADWORD:
            names.add(entries[0])
            continue
        for entry in entries:
            if entry.numbers[-1] == IS_HEADWORD:
                words[entry.number] = count
        index.write(_index_line(name, *_article_of(entries, texts)))
        count += 1
    return count


def _article_of(entries: list[SortItem], texts: IO[bytes]) -> tuple[int, int]:
    """Return the position and length of an article; the articles of several words are joined into a new one."""
    first, size, _ = entries[0].numbers
    if len(entries) == 1:
        return first, size
    articles = []
    for offset, length, _ in (entry.numbers for entry in entries):
        texts.seek(offset)
        articles.append(texts.read(length))
    joined = ARTICLE_SEPARATOR.join(articles)
    end = texts.seek(0, SEEK_END)
    if end + len(joined) > MAX_OFFSET:
        return first, size
    texts.write(joined)
    return end, len(joined)


def _write_synonyms(names: ExternalSorter, synonym_index: IO[bytes]) -> int:
    """Write each synonym with the index position of its headword; return the number of synonyms."""
    written = 0
    for entry in names:
        synonym_index.write(entry.name + b"\0" + struct.pack(">I", entry.number))
        written += 1
    return written


def _index_line(headword: bytes, offset: int, length: int) -> bytes:
    return headword + b"\0" + struct.pack(">II", offset, length)


def _article(word: Word) -> str:
    details = [
        part for part in (word.roman, f"/{word.explicit_ipa}/" if word.explicit_ipa else None, word.language) if part
    ]
    lines = [f"<b>{escape(word.word)}</b> {escape(' · '.join(details))}"]
    for number, meaning in enumerate(word.meanings, 1):
        parts = [STYLES[kind].format(escape(text)) for kind, text in meaning_lines(meaning)]
        lines.append(f"{number}. " + "<br>".join(parts))
    return "<br>".join(lines)


def _information(book: ExportSource, words: int, index_size: int, synonyms: int) -> bytes:
    description = book.terms().replace("\n", "<br>")
    lines = [
        "StarDict's dict ifo file",
        "version=2.4.2",
        f"bookname={book.title}",
        f"wordcount={words}",
        *([f"synwordcount={synonyms}"] if synonyms else []),
        f"idxfilesize={index_size}",
        "author=Abhidhan",
        f"description={description}",
        f"date={book.date:%Y.%m.%d}",
        "sametypesequence=h",
    ]
    return ("\n".join(lines) + "\n").encode()
