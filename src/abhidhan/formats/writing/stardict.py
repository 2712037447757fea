"""StarDict: .ifo, .idx, .dict and .syn in a zip file, for GoldenDict, KOReader and many others."""

import struct
import tempfile
from pathlib import Path
from typing import IO, Final

from abhidhan.domain.words import Word
from abhidhan.formats.writing.book import Book, add_file, archive, escaped, meaning_lines

SMALL_LETTERS: Final = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz")
LONGEST_HEADWORD: Final = 255
"""Bytes of a headword; the format allows no more."""

GREATEST_OFFSET: Final = 2**32 - 1
STYLES: Final = {
    "label": "<i>{}</i>",
    "definition": "{}",
    "words": "{}",
    "example": '<span style="color:gray">{}</span>',
}


def write_stardict(book: Book, target: Path) -> None:
    """Write the words of all languages of the book into one dictionary; romanizations find them too."""
    with tempfile.TemporaryFile() as texts, archive(target) as made:
        entries, names = _write_texts(book, texts)
        order = sorted(range(len(entries)), key=lambda place: order_of(entries[place][0]))
        index = b"".join(_index_line(*entries[place]) for place in order)
        place_of = {old: new for new, old in enumerate(order)}
        others = sorted(((name, place_of[old]) for name, old in names), key=lambda one: (order_of(one[0]), one[1]))
        synonyms = b"".join(name + b"\0" + struct.pack(">I", place) for name, place in others)
        name = "abhidhan"
        add_file(made, f"{name}/{name}.ifo", _information(book, len(entries), len(index), len(others)))
        add_file(made, f"{name}/{name}.idx", index)
        texts.seek(0)
        add_file(made, f"{name}/{name}.dict", texts)
        if others:
            add_file(made, f"{name}/{name}.syn", synonyms)
        add_file(made, f"{name}/SOURCES.txt", (book.terms() + "\n").encode())


def order_of(headword: bytes) -> tuple[bytes, bytes]:
    """Order headwords as StarDict searches them: ASCII letter case aside, then by bytes."""
    return headword.translate(SMALL_LETTERS), headword


def _write_texts(book: Book, texts: IO[bytes]) -> tuple[list[tuple[bytes, int, int]], list[tuple[bytes, int]]]:
    entries: list[tuple[bytes, int, int]] = []
    names: list[tuple[bytes, int]] = []
    place = 0
    for language in book.languages:
        for word in book.words(language.id):
            headword = word.word.encode()
            text = _article(word).encode()
            if len(headword) > LONGEST_HEADWORD or place + len(text) > GREATEST_OFFSET:
                continue
            if word.roman and word.roman.encode() != headword and len(word.roman.encode()) <= LONGEST_HEADWORD:
                names.append((word.roman.encode(), len(entries)))
            entries.append((headword, place, len(text)))
            texts.write(text)
            place += len(text)
    return entries, names


def _index_line(headword: bytes, place: int, length: int) -> bytes:
    return headword + b"\0" + struct.pack(">II", place, length)


def _article(word: Word) -> str:
    said = [part for part in (word.roman, f"/{word.ipa}/" if word.ipa else None, word.language) if part]
    lines = [f"<b>{escaped(word.word)}</b> {escaped(' · '.join(said))}"]
    for number, meaning in enumerate(word.meanings, 1):
        parts = [STYLES[kind].format(escaped(text)) for kind, text in meaning_lines(meaning)]
        lines.append(f"{number}. " + "<br>".join(parts))
    return "<br>".join(lines)


def _information(book: Book, words: int, index_size: int, synonyms: int) -> bytes:
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
