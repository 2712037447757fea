"""Writer of DSL, the source format of Lingvo's dictionaries, which GoldenDict reads: one file per language, zipped."""

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Final

from abhidhan.formats.writers.export_source import ExportLists, ExportSource, add_file, open_archive
from abhidhan.formats.writers.reader_names import LabelledForms, WordFormReader, iter_spellings
from abhidhan.formats.writers.stardict import list_roman_spellings
from abhidhan.records.kinds import LanguageRecord
from abhidhan.records.languages import ENGLISH, Language
from abhidhan.records.words import Meaning, Word

ENCODING: Final = "utf-16-le"
"""UTF-16, which Lingvo requires and every other program supports."""

BYTE_ORDER_MARK: Final = b"\xff\xfe"
LINE_END: Final = "\r\n"

ABBREVIATIONS: Final = {
    "Common Noun": "n.",
    "Proper Noun": "prop. n.",
    "Material Noun": "mat. n.",
    "Verbal Noun": "vbl. n.",
    "Abstract Noun": "abstr. n.",
    "Pronoun": "pron.",
    "Proper Adjective": "adj.",
    "Verbal Adjective": "ptcp.",
    "Adjective Adjective": "intens.",
    "Adverb": "adv.",
    "Transitive": "v.t.",
    "Intransitive": "v.i.",
    "Adposition": "adp.",
    "Interjection": "int.",
    "Conjunction": "conj.",
    "Masculine": "m.",
    "Feminine": "f.",
    "Neuter": "neut.",
    "Common": "c.",
}
"""Abbreviations of values, explained in the file of abbreviations; other values are written in full."""

_SPECIAL_CHARACTERS: Final = re.compile(r"[\\\[\]{}()~@#^<>]")


def write_dsl(export: ExportSource, target: Path) -> None:
    """Write NAME.dsl for each language, with its abbreviations and terms."""
    languages, forms = ExportLists(export).languages, WordFormReader(export)
    with open_archive(target) as zip_file:
        for language in export.languages:
            stem = f"{export.name.partition('-')[0]}-{language.code}"
            with tempfile.TemporaryFile(dir=target.parent) as cards:
                if not _write_cards(
                    _encode(_iter_header(export, language)), forms.iter_words(language), languages, cards
                ):
                    continue
                cards.seek(0)
                add_file(zip_file, f"{stem}.dsl", cards)
            add_file(zip_file, f"{stem}_abrv.dsl", _encode([*_iter_header(export, language), *_iter_abbreviations()]))
            add_file(zip_file, f"{stem}.ann", _encode(export.format_terms().splitlines()))
        add_file(zip_file, "SOURCES.txt", (export.format_terms() + "\n").encode())


def escape_text(text: str) -> str:
    """Escape the special characters of a text, and put it on one line."""
    return _SPECIAL_CHARACTERS.sub(r"\\\g<0>", " ".join(text.split()))


def _encode(lines: Iterable[str]) -> bytes:
    return BYTE_ORDER_MARK + "".join(line + LINE_END for line in lines).encode(ENCODING)


def _iter_header(export: ExportSource, language: Language) -> Iterator[str]:
    explained_in = "English" if language.id != ENGLISH else next((one.name for one in export.languages), "English")
    yield f'#NAME "{export.title.partition(":")[0]}: {language.name}"'
    yield f'#INDEX_LANGUAGE "{language.name}"'
    yield f'#CONTENTS_LANGUAGE "{explained_in}"'
    yield ""


def _iter_abbreviations() -> Iterator[str]:
    for value, short in ABBREVIATIONS.items():
        yield from (short, f"\t{value}")


def _write_cards(
    header: bytes,
    words: Iterable[tuple[Word, LabelledForms]],
    languages: Mapping[int, LanguageRecord],
    cards: IO[bytes],
) -> int:
    """Write the words of a language; return their number."""
    count = 0
    cards.write(header)
    for word, forms in words:
        lines = [*_iter_headwords(word, forms), *_iter_body(word, languages)]
        cards.write("".join(line + LINE_END for line in lines).encode(ENCODING))
        count += 1
    return count


def _iter_headwords(word: Word, forms: LabelledForms) -> Iterator[str]:
    """Yield the headwords of a card: the word, its Roman spellings, and its forms in running text."""
    names = (word.word, *(name.decode() for name in list_roman_spellings(word)), *iter_spellings(word, forms))
    return map(escape_text, dict.fromkeys(names))


def _iter_body(word: Word, languages: Mapping[int, LanguageRecord]) -> Iterator[str]:
    details = [f"[c gray]{escape_text(word.roman)}[/c]"] if word.roman else []
    details += [rf"\[[t]{escape_text(word.explicit_ipa)}[/t]\]"] if word.explicit_ipa else []
    if details:
        yield f"\t[m0]{' '.join(details)}[/m]"
    for number, meaning in enumerate(word.meanings, 1):
        yield from _iter_meaning_lines(number, meaning, languages)


def _iter_meaning_lines(number: int, meaning: Meaning, languages: Mapping[int, LanguageRecord]) -> Iterator[str]:
    named = [one.value for one in (meaning.pos, meaning.gender, *meaning.contexts) if one]
    labels = "".join(f" [p]{escape_text(ABBREVIATIONS.get(value, value))}[/p]" for value in named)
    yield f"\t[m1][b]{number}.[/b]{labels}[/m]"
    for definition in meaning.definitions:
        yield f"\t[m2][trn]{_mark_language(definition.text, languages.get(definition.language_id))}[/trn][/m]"
    words: dict[str, list[str]] = {}
    for translation in meaning.translations:
        words.setdefault(translation.language, []).append(f"[ref]{escape_text(translation.word)}[/ref]")
    for name, links in words.items():
        yield f"\t[m2][trn][i]{escape_text(name)}:[/i] {', '.join(links)}[/trn][/m]"
    for example in meaning.examples:
        text = _mark_language(example.text, languages.get(example.language_id))
        also = f" — {escape_text(example.translation)}" if example.translation else ""
        yield f"\t[m3][*][ex]{text}{also}[/ex][/*][/m]"


def _mark_language(text: str, language: LanguageRecord | None) -> str:
    return f'[lang name="{language.name}"]{escape_text(text)}[/lang]' if language else escape_text(text)
