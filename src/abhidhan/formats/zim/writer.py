"""Writer of ZIM: the whole dictionary as a site in one file, for Kiwix (needs the optional package libzim)."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from abhidhan.formats.writers.export_source import ExportLists, ExportSource
from abhidhan.formats.writers.stardict import names_in_roman
from abhidhan.formats.zim.file import Site
from abhidhan.formats.zim.pages import (
    FIRST,
    STYLE,
    WORD_FOLDER,
    WordRow,
    first_page,
    list_of_lists,
    list_page,
    path_of_list,
    path_of_word,
    split_ranges,
    terms_page,
    word_page,
)
from abhidhan.records.languages import Language
from abhidhan.records.words import gloss_of

WORDS_PER_LIST: Final = 200
LISTS_PER_PAGE: Final = 200
MAX_NAMED_LANGUAGES: Final = 50
"""Maximum number of languages named in the metadata, those with the most words."""

MAX_TITLE_LENGTH: Final = 30
MAX_DESCRIPTION_LENGTH: Final = 80
MULTIPLE_LANGUAGES: Final = "mul"
"""ISO 639-2 code for multiple languages."""

FONTS: Final = {"Beng": "assamese.ttf", "Deva": "devanagari.ttf", "Mtei": "meetei-mayek.ttf", "Arab": "arabic.ttf"}
"""Fonts included for the scripts of words, since some phones lack them."""


def write_zim(book: ExportSource, target: Path) -> None:
    """Write the site. Raises InputError if libzim is not installed."""
    catalogue = ExportLists(book)
    linked = frozenset(language.id for language in book.languages)
    single_language = book.languages[0].iso639_3 if len(book.languages) == 1 else None
    with Site(target, FIRST, single_language or MULTIPLE_LANGUAGES) as site:
        word_counts = [
            (language, _write_language(book, language, catalogue, linked, site)) for language in book.languages
        ]
        word_counts = sorted((pair for pair in word_counts if pair[1]), key=lambda pair: (-pair[1], pair[0].id))
        site.add(first_page(book, word_counts))
        site.add(terms_page(book))
        _add_style(site, {language.script for language, _ in word_counts})
        for name, value in _metadata(book, [language for language, _ in word_counts]).items():
            site.add_metadata(name, value)


def _write_language(
    book: ExportSource, language: Language, catalogue: ExportLists, linked: frozenset[int], site: Site
) -> int:
    """Write the words of a language and their lists; return the number of words."""
    count = 0
    lists = _Lists(language, site)
    for word in book.words(language.id):
        site.add(word_page(word, language, catalogue.languages, linked))
        for number, name in enumerate(names_in_roman(word)):
            typed = name.decode()
            if typed != word.word:
                path = f"{WORD_FOLDER}/{word.id}-{number}"
                site.add_redirection(path, f"{typed} · {word.word}", path_of_word(word.id))
        lists.add(WordRow(word.id, word.word, gloss_of(word) or ""))
        count += 1
    lists.close()
    return count


class _Lists:
    """Writer of the word lists of a language: pages of limited size, and overviews that link to them."""

    def __init__(self, language: Language, site: Site) -> None:
        self._language = language
        self._site = site
        self._rows: list[WordRow] = []
        self._ranges: list[tuple[str, str, str]] = []

    def add(self, row: WordRow) -> None:
        if len(self._rows) >= WORDS_PER_LIST:
            self._write(is_last=False)
        self._rows.append(row)

    def close(self) -> None:
        """Write the last list, and the overviews."""
        if not self._rows:
            return
        self._write(is_last=True)
        level = 0
        ranges = self._ranges
        while len(ranges) > LISTS_PER_PAGE:
            level += 1
            ranges = [
                self._write_level(f"{level}-{number}", group)
                for number, group in enumerate(split_ranges(ranges, LISTS_PER_PAGE), 1)
            ]
        self._site.add(list_of_lists(self._language, path_of_list(self._language), ranges))

    def _write(self, *, is_last: bool) -> None:
        number = len(self._ranges) + 1
        self._site.add(list_page(self._language, number, self._rows, is_last=is_last))
        self._ranges.append((path_of_list(self._language, number), self._rows[0].word, self._rows[-1].word))
        self._rows = []

    def _write_level(self, name: str, ranges: Sequence[tuple[str, str, str]]) -> tuple[str, str, str]:
        path = path_of_list(self._language, name)
        self._site.add(list_of_lists(self._language, path, ranges))
        return path, ranges[0][1], ranges[-1][2]


def _add_style(site: Site, scripts: set[str]) -> None:
    """Add the style sheet, and the fonts of the scripts with their licence."""
    package = files("abhidhan.formats.zim")
    fonts = files("abhidhan") / "media/fonts"
    used = {script: FONTS[script] for script in sorted(scripts & FONTS.keys())}
    faces = "".join(
        f'@font-face {{ font-family: "{script}"; src: url("fonts/{file}"); }}\n' for script, file in used.items()
    )
    style = (package / "zim_style.css").read_text("utf-8").replace("FONTS", "".join(f'"{script}", ' for script in used))
    site.add_file(STYLE, "text/css", (faces + style).encode())
    for file in used.values():
        site.add_file(f"fonts/{file}", "font/ttf", (fonts / file).read_bytes())
    if used:
        site.add_file("fonts/OFL.txt", "text/plain", (fonts / "OFL.txt").read_bytes())
    site.add_illustration((package / "zim_icon.png").read_bytes())


def _metadata(book: ExportSource, languages: list[Language]) -> dict[str, str]:
    """Return the metadata that openZIM requires."""
    codes = [language.iso639_3 for language in languages[:MAX_NAMED_LANGUAGES] if language.iso639_3]
    named = ", ".join(language.name for language in languages[:4])
    about = f"A dictionary: {named}"
    code = languages[0].code if len(languages) == 1 else MULTIPLE_LANGUAGES
    return {
        "Title": book.title[:MAX_TITLE_LENGTH],
        "Description": about if len(about) <= MAX_DESCRIPTION_LENGTH else "A dictionary of many languages",
        "Language": ",".join(dict.fromkeys(codes)) or MULTIPLE_LANGUAGES,
        "Creator": "Abhidhan",
        "Publisher": "Abhidhan",
        "Date": f"{book.date:%Y-%m-%d}",
        "Name": f"abhidhan_{code}_all",
        "Flavour": "nopic",
        "License": book.licences(),
        "Tags": "_category:other;_pictures:no;_videos:no;_details:yes;_ftindex:yes;dictionary",
        "Scraper": "abhidhan",
    }
