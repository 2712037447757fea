"""Writer of StarDict: .ifo, .idx, .dict and .syn in a zip file, for GoldenDict, KOReader and many others."""

import struct
import tempfile
from array import array
from io import SEEK_END
from itertools import groupby
from pathlib import Path
from typing import IO, Final

from abhidhan.formats.writers.export_source import ExportSource, add_file, escape, iter_meaning_lines, open_archive
from abhidhan.formats.writers.external_sort import ExternalSorter, SortItem
from abhidhan.formats.writers.reader_names import LabelledForms, WordFormReader, iter_spellings
from abhidhan.records.languages import ASSAMESE
from abhidhan.records.words import Word
from assamese.keys import loose_key
from assamese.romanize import Scheme, romanize

LOWERCASE_TABLE: Final = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz")
MAX_HEADWORD_BYTES: Final = 255
"""Maximum number of bytes in a headword that the format allows."""

MAX_OFFSET: Final = 2**32 - 1
NASAL_SIGN_REMOVAL: Final = str.maketrans("", "", "~")
"""Translation table that removes the nasal sign of Xobdo's scheme, which users do not type."""

HEADWORD_KIND, ROMAN_KIND, FORM_KIND = 0, 1, 2
"""Kinds of index names: the spelling of a word, its Roman spellings, and its forms in running text."""

ARTICLE_SEPARATOR: Final = b"<br><br>"
STYLE_TEMPLATES: Final = {
    "label": "<i>{}</i>",
    "definition": "{}",
    "words": "{}",
    "example": '<span style="color:gray">{}</span>',
}


def write_stardict(export: ExportSource, target: Path) -> None:
    """Write the words of all languages into one dictionary, with romanizations and forms as further names."""
    with (
        tempfile.TemporaryFile(dir=target.parent) as texts,
        tempfile.TemporaryFile(dir=target.parent) as index,
        tempfile.TemporaryFile(dir=target.parent) as synonym_index,
        ExternalSorter(target.parent) as headwords,
        ExternalSorter(target.parent) as names,
        ExternalSorter(target.parent) as positioned_names,
        open_archive(target) as zip_file,
    ):
        words = _write_articles(export, texts, headwords)
        count = _write_index(headwords, words, texts, index, names)
        for entry in names:
            positioned_names.add(entry._replace(number=words[entry.number]))
        synonyms = _write_synonyms(positioned_names, synonym_index)
        folder = f"{export.name}/{export.name}"
        add_file(zip_file, f"{folder}.ifo", _format_information(export, count, index.tell(), synonyms))
        files = {".idx": index, ".dict": texts, ".syn": synonym_index}
        for ending, stream in files.items():
            if stream.tell():
                stream.seek(0)
                add_file(zip_file, f"{folder}{ending}", stream)
        add_file(zip_file, f"{export.name}/SOURCES.txt", (export.format_terms() + "\n").encode())


def build_sort_key(headword: bytes) -> tuple[bytes, bytes]:
    """Return the sort key of a headword in StarDict's order: case-insensitive for ASCII, then by bytes."""
    return headword.translate(LOWERCASE_TABLE), headword


def list_roman_spellings(word: Word) -> tuple[bytes, ...]:
    """Return the Roman spellings of a word: its romanization, and the spellings that users type.

    Users omit the dots and marks of a scheme: `pani` for `pa.ni` and `pānī`.
    """
    if not word.roman:
        return ()
    typed = " ".join(loose_key(part.translate(NASAL_SIGN_REMOVAL), "en") for part in word.roman.split())
    by_rule = romanize(word.word, Scheme.PLAIN) if word.language_id == ASSAMESE else ""
    return tuple(name.encode() for name in dict.fromkeys((word.roman, typed, by_rule)) if name)


def _write_articles(export: ExportSource, texts: IO[bytes], headwords: ExternalSorter) -> "array[int]":
    """Write the articles, and add all names of words with article positions to `headwords`.

    Returns an array with a zero per word, for the positions in the index.
    """
    words = array("L")
    offset = 0
    form_reader = WordFormReader(export)
    for language in export.languages:
        for word, forms in form_reader.iter_words(language):
            text = _format_article(word).encode()
            if len(word.word.encode()) > MAX_HEADWORD_BYTES or offset + len(text) > MAX_OFFSET:
                continue
            for name, kind in _collect_names(word, forms).items():
                if len(name) <= MAX_HEADWORD_BYTES:
                    headwords.add(SortItem(*build_sort_key(name), len(words), (offset, len(text), kind)))
            words.append(0)
            texts.write(text)
            offset += len(text)
    return words


def _collect_names(word: Word, forms: LabelledForms) -> dict[bytes, int]:
    """Return the headword of a word and its names, with the kind of each."""
    names = {name.encode(): FORM_KIND for name in iter_spellings(word, forms)}
    return names | dict.fromkeys(list_roman_spellings(word), ROMAN_KIND) | {word.word.encode(): HEADWORD_KIND}


def _write_index(
    headwords: ExternalSorter, words: "array[int]", texts: IO[bytes], index: IO[bytes], names: ExternalSorter
) -> int:
    """Write the index of headwords, and return their number; `words` gets the index position of each word.

    Words of several languages with the same spelling share an article, since some readers (sdcv) show only one. So do
    words whose name is another's headword (`man`, and মান), and words with a common name or form; all other names and
    forms go to `names`.
    """
    count = 0
    for name, items in groupby(headwords, lambda entry: entry.payload):
        entries = sorted(items, key=lambda entry: entry.data[-1])
        if len(entries) == 1 and entries[0].data[-1] != HEADWORD_KIND:
            names.add(entries[0])
            continue
        for entry in entries:
            if entry.data[-1] == HEADWORD_KIND:
                words[entry.number] = count
        index.write(_format_index_line(name, *_locate_article(entries, texts)))
        count += 1
    return count


def _locate_article(entries: list[SortItem], texts: IO[bytes]) -> tuple[int, int]:
    """Return the position and length of an article; the articles of several words are joined into a new one."""
    first, size, _ = entries[0].data
    if len(entries) == 1:
        return first, size
    articles = []
    for offset, length, _ in (entry.data for entry in entries):
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
    count = 0
    for entry in names:
        synonym_index.write(entry.payload + b"\0" + struct.pack(">I", entry.number))
        count += 1
    return count


def _format_index_line(headword: bytes, offset: int, length: int) -> bytes:
    return headword + b"\0" + struct.pack(">II", offset, length)


def _format_article(word: Word) -> str:
    details = [
        part for part in (word.roman, f"/{word.explicit_ipa}/" if word.explicit_ipa else None, word.language) if part
    ]
    lines = [f"<b>{escape(word.word)}</b> {escape(' · '.join(details))}"]
    for number, meaning in enumerate(word.meanings, 1):
        parts = [STYLE_TEMPLATES[kind].format(escape(text)) for kind, text in iter_meaning_lines(meaning)]
        lines.append(f"{number}. " + "<br>".join(parts))
    return "<br>".join(lines)


def _format_information(export: ExportSource, words: int, index_size: int, synonyms: int) -> bytes:
    description = export.format_terms().replace("\n", "<br>")
    lines = [
        "StarDict's dict ifo file",
        "version=2.4.2",
        f"bookname={export.title}",
        f"wordcount={words}",
        *([f"synwordcount={synonyms}"] if synonyms else []),
        f"idxfilesize={index_size}",
        "author=Abhidhan",
        f"description={description}",
        f"date={export.date:%Y.%m.%d}",
        "sametypesequence=h",
    ]
    return ("\n".join(lines) + "\n").encode()
