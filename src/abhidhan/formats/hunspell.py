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

from abhidhan.formats.writers.export_source import ExportSource, add_file, open_archive
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

SIGN_CARRIER: Final = "ক"
"""Consonant to which vowel signs are attached when their sounds are compared."""

INDIC_RANGE: Final = range(0x0900, 0x0D80)
"""Indic code points, some of whose letters with a dot below have two encodings (য়, and য with ়)."""

BREAK_POINTS: Final = ("-", "^-", "-$", f"^{APOSTROPHE}", f"{APOSTROPHE}$")
"""Break points of words that are not listed: at hyphens, and after or before apostrophes around the word."""


def split_words(text: str) -> Iterator[str]:
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

    def format_options(self) -> str:
        """Format the options of the affix file that concern letters."""
        common = sorted(self._letters, key=lambda letter: (-self._letters[letter], letter))
        used = [letter for letter in common if _normalize_letter(letter) == letter and not letter.isspace()]
        word_characters = "".join(
            sorted({letter for letter in used if not letter.isalpha()} | self._list_apostrophes())
        )
        options = ["SET UTF-8", "FLAG num", f"LANG {self._code.replace('-', '_')}", f"TRY {''.join(used)}"]
        options += [f"WORDCHARS {word_characters}"] if word_characters else []
        options += _format_list("BREAK", BREAK_POINTS)
        options += _format_list("ICONV", [f"{letter} {other}" for letter, other in self._iter_input_conversions(used)])
        options += _format_list("OCONV", [f"{APOSTROPHE} {TYPED_APOSTROPHE}"] if self._has_typed_apostrophes() else [])
        options += _format_list("MAP", self._group_similar_letters(used))
        return "".join(f"{line}\n" for line in options)

    def _list_apostrophes(self) -> set[str]:
        return {APOSTROPHE, TYPED_APOSTROPHE} if self._letters.keys() & APOSTROPHES else set()

    def _has_typed_apostrophes(self) -> bool:
        return self._letters[TYPED_APOSTROPHE] > self._letters[APOSTROPHE]

    def _iter_input_conversions(self, used: list[str]) -> Iterator[tuple[str, str]]:
        """Yield input conversions (from, to) of apostrophes, and of letters with two encodings in Unicode."""
        if self._list_apostrophes():
            yield from ((apostrophe, APOSTROPHE) for apostrophe in sorted(APOSTROPHES - {APOSTROPHE}))
        for letter in map(chr, INDIC_RANGE):
            plain = unicodedata.normalize("NFC", letter)
            if plain != letter and set(plain) <= set(used):
                yield letter, plain

    def _group_similar_letters(self, used: list[str]) -> list[str]:
        """Return groups of letters that sound alike, for suggestions."""
        letters_by_sound: defaultdict[str, list[str]] = defaultdict(list)
        for letter in sorted(used):
            if letter in JOINERS or letter in APOSTROPHES or letter != letter.lower():
                continue
            sound = sound_key(letter if letter.isalpha() else SIGN_CARRIER + letter, self._code)
            if sound not in {"", sound_key(SIGN_CARRIER, self._code)}:
                letters_by_sound[sound].append(letter)
        return ["".join(letters) for letters in letters_by_sound.values() if len(letters) > 1]


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
    suffix_rules: tuple[SuffixRule, ...] = ()


def write_hunspell(export: ExportSource, target: Path) -> None:
    """Write `CODE.dic` and `CODE.aff` for each language into a zip file."""
    languages = {language.code: language for language in export.languages}
    with open_archive(target) as zip_file, Vocabulary(export, target.parent) as vocabulary:
        for code, words in groupby(vocabulary, key=lambda word: word.language):
            _add_language(export, languages[code], words, target.parent, zip_file)
        add_file(zip_file, "SOURCES.txt", (export.format_terms() + "\n").encode())


def _add_language(
    export: ExportSource, language: Language, words: Iterable[VocabularyWord], folder: Path, zip_file: zipfile.ZipFile
) -> None:
    with ExternalSorter(folder) as roots, tempfile.TemporaryFile(dir=folder) as lines:
        spelling = LetterCollector(language.code)
        flags: dict[tuple[SuffixRule, ...], int] = {}
        for word in words:
            spelling.add(word.text)
            for root in iter_roots(word):
                for text, flag in _assign_flags(root, flags):
                    roots.add(SortItem(text.encode(), b"", flag))
        _write_roots(roots, lines)
        head = _format_comment(export, language) + spelling.format_options() + _format_rules(flags)
        add_file(zip_file, f"{language.code}.aff", head.encode())
        lines.seek(0)
        add_file(zip_file, f"{language.code}.dic", lines)


def iter_roots(word: VocabularyWord) -> Iterator[Root]:
    """Yield roots for the parts of a word and its stored forms, and roots with suffix rules for its generated forms."""
    parts = list(split_words(word.text))
    yield from map(Root, parts)
    for form in word.stored_forms:
        yield from map(Root, split_words(form))
    if parts:
        prefix = word.text.removesuffix(parts[-1])
        for _, group in groupby(word.cells, key=lambda cell: cell.labels[0]):
            yield from _iter_group_roots(parts[-1], prefix, list(group))


def _iter_group_roots(text: str, prefix: str, cells: list[Cell]) -> Iterator[Root]:
    """Yield the root of a group of inflected forms with its suffix rules, and irregular forms as separate roots.

    The root is the word itself, or the first form if no form shares a letter with the word (নকৰে). Only the last
    word of a multi-word expression is inflected: `text` after `prefix`.
    """
    split_forms = [list(split_words(cell.form.removeprefix(prefix))) for cell in cells]
    forms = list(dict.fromkeys(parts[0] for parts in split_forms if parts))
    yield from (Root(word) for parts in split_forms for word in parts[1:])
    base = text if any(_prefix_length(text, form) for form in forms) else next(iter(forms), text)
    related_forms = [form for form in forms if _prefix_length(base, form)]
    yield Root(base, tuple(sorted({_build_rule(base, form) for form in related_forms if form != base})))
    yield from (Root(form) for form in forms if not _prefix_length(base, form))


def _prefix_length(first: str, second: str) -> int:
    """Return the length of the common prefix."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _build_rule(base: str, form: str) -> SuffixRule:
    length = _prefix_length(base, form)
    return SuffixRule(base[length:], form[length:])


def _assign_flags(root: Root, flags: dict[tuple[SuffixRule, ...], int]) -> Iterator[tuple[str, int]]:
    """Yield a root with the flag of its suffix rules; if no flag is left, yield all its forms instead."""
    if not root.suffix_rules:
        yield root.text, NO_FLAG
    elif root.suffix_rules in flags or len(flags) < MAX_FLAGS:
        yield root.text, flags.setdefault(root.suffix_rules, len(flags) + 1)
    else:
        yield root.text, NO_FLAG
        yield from ((root.text.removesuffix(ending.strip) + ending.ending, NO_FLAG) for ending in root.suffix_rules)


def _write_roots(roots: ExternalSorter, lines: IO[bytes]) -> None:
    """Write the number of words, then each word once with all its flags."""
    lines.write(b"%d\n" % sum(1 for _ in groupby(roots, key=lambda entry: entry.key)))
    for key, items in groupby(roots, key=lambda entry: entry.key):
        flags = ",".join(str(flag) for flag, _ in groupby(entry.number for entry in items) if flag != NO_FLAG)
        lines.write(key + (f"/{flags}" if flags else "").encode() + b"\n")


def _format_comment(export: ExportSource, language: Language) -> str:
    lines = [f"{export.title}: {language.name}. {export.date:%Y-%m-%d}", *export.format_terms().splitlines()]
    return "".join(f"# {' '.join(line.split())}\n" for line in lines)


def _format_rules(flags: dict[tuple[SuffixRule, ...], int]) -> str:
    """Format the affix rules. They need no conditions, since a word has only the flags of its own forms."""
    lines = []
    for endings, flag in flags.items():
        lines.append(f"SFX {flag} N {len(endings)}")
        lines += [f"SFX {flag} {ending.strip or EMPTY_AFFIX} {ending.ending or EMPTY_AFFIX} ." for ending in endings]
    return "".join(f"{line}\n" for line in lines)
