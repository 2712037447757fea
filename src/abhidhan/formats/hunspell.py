"""Writer of Hunspell dictionaries: a list of accepted words and a file of affix rules for each language."""

import tempfile
import unicodedata
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby, takewhile
from pathlib import Path
from typing import IO, Final, NamedTuple

from abhidhan.formats.writers.export_source import ExportSource, add_file, archive
from abhidhan.formats.writers.external_sort import ExternalSorter, SortItem
from abhidhan.formats.writers.vocabulary_forms import Vocabulary, VocabularyWord
from abhidhan.records.languages import Language
from assamese.keys import sound_key
from assamese.normalization import APOSTROPHES
from assamese.paradigms import Cell

MAX_WORD_LENGTH: Final = 75
"""Maximum number of letters in a word; Hunspell handles at most 256 bytes."""

APOSTROPHE: Final = "’"
"""The apostrophe in the word lists; other apostrophes in input are converted to it."""

TYPED_APOSTROPHE: Final = "'"
JOINERS: Final = frozenset("-‑·\u200c\u200d")
"""Characters besides letters that words may contain. All other signs separate words."""

BEFORE_SIGNS: Final = "ক"
"""Consonant to which vowel signs are attached when their sounds are compared."""

INDIC: Final = range(0x0900, 0x0D80)
"""Indic code points, some of whose letters with a dot below have two encodings (য়, and য with ়)."""

BREAKS: Final = ("-", "^-", "-$", f"^{APOSTROPHE}", f"{APOSTROPHE}$")
"""Break points of words that are not listed: at hyphens, and after or before apostrophes around the word."""


def spelled_words(text: str) -> Iterator[str]:
    """Yield the words of a text as a spelling checker splits them, without numbers, signs and overlong words."""
    spelled = "".join(_normalize_letter(letter) for letter in text)
    for word in spelled.split():
        if len(word) <= MAX_WORD_LENGTH and any(map(str.isalpha, word)):
            yield word


@lru_cache(maxsize=4096)
def _normalize_letter(letter: str) -> str:
    if letter in APOSTROPHES:
        return APOSTROPHE
    return letter if letter in JOINERS or unicodedata.category(letter)[0] in "LMN" else " "


class LetterCollector:
    """Collector of the letters in a language's words."""

    def __init__(self, code: str) -> None:
        """Initialise without letters, for the language with a code."""
        self._code = code
        self._letters: Counter[str] = Counter()

    def add(self, word: str) -> None:
        """Count the letters of a headword."""
        self._letters.update(word)

    def options(self) -> str:
        """Format the options of the affix file that concern letters."""
        common = sorted(self._letters, key=lambda letter: (-self._letters[letter], letter))
        used = [letter for letter in common if _normalize_letter(letter) == letter and not letter.isspace()]
        of_words = "".join(sorted({letter for letter in used if not letter.isalpha()} | self._apostrophes()))
        options = ["SET UTF-8", "FLAG num", f"LANG {self._code.replace('-', '_')}", f"TRY {''.join(used)}"]
        options += [f"WORDCHARS {of_words}"] if of_words else []
        options += _format_list("BREAK", BREAKS)
        options += _format_list("ICONV", [f"{letter} {other}" for letter, other in self._input_conversions(used)])
        options += _format_list("OCONV", [f"{APOSTROPHE} {TYPED_APOSTROPHE}"] if self._is_typed() else [])
        options += _format_list("MAP", self._similar_letters(used))
        return "".join(f"{line}\n" for line in options)

    def _apostrophes(self) -> set[str]:
        return {APOSTROPHE, TYPED_APOSTROPHE} if self._letters.keys() & APOSTROPHES else set()

    def _is_typed(self) -> bool:
        return self._letters[TYPED_APOSTROPHE] > self._letters[APOSTROPHE]

    def _input_conversions(self, used: list[str]) -> Iterator[tuple[str, str]]:
        """Yield input conversions (from, to) of apostrophes, and of letters with two encodings in Unicode."""
        if self._apostrophes():
            yield from ((apostrophe, APOSTROPHE) for apostrophe in sorted(APOSTROPHES - {APOSTROPHE}))
        for letter in map(chr, INDIC):
            plain = unicodedata.normalize("NFC", letter)
            if plain != letter and set(plain) <= set(used):
                yield letter, plain

    def _similar_letters(self, used: list[str]) -> list[str]:
        """Return groups of letters that sound alike, for suggestions."""
        alike: defaultdict[str, list[str]] = defaultdict(list)
        for letter in sorted(used):
            if letter in JOINERS or letter in APOSTROPHES or letter != letter.lower():
                continue
            sound = sound_key(letter if letter.isalpha() else BEFORE_SIGNS + letter, self._code)
            if sound not in {"", sound_key(BEFORE_SIGNS, self._code)}:
                alike[sound].append(letter)
        return ["".join(letters) for letters in alike.values() if len(letters) > 1]


def _format_list(name: str, values: "tuple[str, ...] | list[str]") -> list[str]:
    return [f"{name} {len(values)}", *(f"{name} {value}" for value in values)] if values else []


# --- words and affixes ----------------------------------------------------------------------------------------------


MAX_FLAGS: Final = 65_000
"""Maximum number of affix classes in a file (flags go up to 65,510); forms beyond that are listed individually."""

NO_FLAG: Final = 0
"""Flag number of roots without affixes."""

EMPTY_AFFIX: Final = "0"
"""Hunspell's notation for an empty affix."""


class SuffixRule(NamedTuple):
    """A rule that replaces the ending `strip` by another; either may be empty."""

    strip: str
    ending: str


class Root(NamedTuple):
    """An item of the word list: a text, and the suffix rules that apply to it."""

    text: str
    endings: tuple[SuffixRule, ...] = ()


def write_hunspell(book: ExportSource, target: Path) -> None:
    """Write `CODE.dic` and `CODE.aff` for each language into a zip file."""
    languages = {language.code: language for language in book.languages}
    with archive(target) as zip_file, Vocabulary(book, target.parent) as vocabulary:
        for code, words in groupby(vocabulary, key=lambda word: word.language):
            _add_language(book, languages[code], words, target.parent, zip_file)
        add_file(zip_file, "SOURCES.txt", (book.terms() + "\n").encode())


def _add_language(
    book: ExportSource, language: Language, words: Iterable[VocabularyWord], folder: Path, zip_file: zipfile.ZipFile
) -> None:
    with ExternalSorter(folder) as roots, tempfile.TemporaryFile(dir=folder) as lines:
        spelling = LetterCollector(language.code)
        flags: dict[tuple[SuffixRule, ...], int] = {}
        for word in words:
            spelling.add(word.text)
            for root in roots_of(word):
                for text, flag in _assign_flags(root, flags):
                    roots.add(SortItem(text.encode(), b"", flag))
        _write_roots(roots, lines)
        head = _comment(book, language) + spelling.options() + _rules(flags)
        add_file(zip_file, f"{language.code}.aff", head.encode())
        lines.seek(0)
        add_file(zip_file, f"{language.code}.dic", lines)


def roots_of(word: VocabularyWord) -> Iterator[Root]:
    """Yield roots for the parts of a word and its stored forms, and roots with suffix rules for its generated forms."""
    parts = list(spelled_words(word.text))
    yield from map(Root, parts)
    for form in word.stored:
        yield from map(Root, spelled_words(form))
    if parts:
        before = word.text.removesuffix(parts[-1])
        for _, group in groupby(word.cells, key=lambda cell: cell.labels[0]):
            yield from _roots_of_group(parts[-1], before, list(group))


def _roots_of_group(text: str, before: str, cells: list[Cell]) -> Iterator[Root]:
    """Yield the root of a group of inflected forms with its suffix rules, and irregular forms as separate roots.

    The root is the word itself, or the first form if no form shares a letter with the word (নকৰে). Only the last
    word of a multi-word expression is inflected: `text` after `prefix`.
    """
    split_forms = [list(spelled_words(cell.form.removeprefix(before))) for cell in cells]
    forms = list(dict.fromkeys(parts[0] for parts in split_forms if parts))
    yield from (Root(word) for parts in split_forms for word in parts[1:])
    base = text if any(_prefix_length(text, form) for form in forms) else next(iter(forms), text)
    related_forms = [form for form in forms if _prefix_length(base, form)]
    yield Root(base, tuple(sorted({_ending(base, form) for form in related_forms if form != base})))
    yield from (Root(form) for form in forms if not _prefix_length(base, form))


def _prefix_length(first: str, second: str) -> int:
    """Return the length of the common prefix."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _ending(base: str, form: str) -> SuffixRule:
    length = _prefix_length(base, form)
    return SuffixRule(base[length:], form[length:])


def _assign_flags(root: Root, flags: dict[tuple[SuffixRule, ...], int]) -> Iterator[tuple[str, int]]:
    """Yield a root with the flag of its suffix rules; if no flag is left, yield all its forms instead."""
    if not root.endings:
        yield root.text, NO_FLAG
    elif root.endings in flags or len(flags) < MAX_FLAGS:
        yield root.text, flags.setdefault(root.endings, len(flags) + 1)
    else:
        yield root.text, NO_FLAG
        yield from ((root.text.removesuffix(ending.strip) + ending.ending, NO_FLAG) for ending in root.endings)


def _write_roots(roots: ExternalSorter, lines: IO[bytes]) -> None:
    """Write the number of words, then each word once with all its flags."""
    lines.write(b"%d\n" % sum(1 for _ in groupby(roots, key=lambda entry: entry.key)))
    for key, alike in groupby(roots, key=lambda entry: entry.key):
        flags = ",".join(str(flag) for flag, _ in groupby(entry.number for entry in alike) if flag != NO_FLAG)
        lines.write(key + (f"/{flags}" if flags else "").encode() + b"\n")


def _comment(book: ExportSource, language: Language) -> str:
    lines = [f"{book.title}: {language.name}. {book.date:%Y-%m-%d}", *book.terms().splitlines()]
    return "".join(f"# {' '.join(line.split())}\n" for line in lines)


def _rules(flags: dict[tuple[SuffixRule, ...], int]) -> str:
    """Format the affix rules. They need no conditions, since a word has only the flags of its own forms."""
    lines = []
    for endings, flag in flags.items():
        lines.append(f"SFX {flag} N {len(endings)}")
        lines += [f"SFX {flag} {ending.strip or EMPTY_AFFIX} {ending.ending or EMPTY_AFFIX} ." for ending in endings]
    return "".join(f"{line}\n" for line in lines)
