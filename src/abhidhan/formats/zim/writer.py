"""Writer of ZIM: the whole dictionary as a site in one file, for Kiwix (needs the optional package libzim)."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from abhidhan.formats.writers.export_source import ExportLists, ExportSource
from abhidhan.formats.writers.stardict import list_roman_spellings
from abhidhan.formats.zim.file import ZimWriter
from abhidhan.formats.zim.pages import (
    MAIN_PAGE,
    STYLE_SHEET,
    WORD_FOLDER,
    WordRow,
    build_list_page,
    build_main_page,
    build_overview_page,
    build_terms_page,
    build_word_page,
    get_list_path,
    get_word_path,
    split_ranges,
)
from abhidhan.records.languages import Language
from abhidhan.records.words import find_gloss

WORDS_PER_LIST: Final = 200
LISTS_PER_PAGE: Final = 200
MAX_NAMED_LANGUAGES: Final = 50
"""Maximum number of languages named in the metadata, those with the most words."""

MAX_TITLE_LENGTH: Final = 30
MAX_DESCRIPTION_LENGTH: Final = 80
MULTIPLE_LANGUAGES: Final = "mul"
"""ISO 639-2 code for multiple languages."""

FONT_BY_SCRIPT: Final = {
    "Beng": "assamese.ttf",
    "Deva": "devanagari.ttf",
    "Mtei": "meetei-mayek.ttf",
    "Arab": "arabic.ttf",
}
"""Fonts included for the scripts of words, since some phones lack them."""


def write_zim(export: ExportSource, target: Path) -> None:
    """Write the site. Raises InputError if libzim is not installed."""
    export_lists = ExportLists(export)
    linked_language_ids = frozenset(language.id for language in export.languages)
    single_language = export.languages[0].iso639_3 if len(export.languages) == 1 else None
    with ZimWriter(target, MAIN_PAGE, single_language or MULTIPLE_LANGUAGES) as site:
        word_counts = [
            (language, _write_language(export, language, export_lists, linked_language_ids, site))
            for language in export.languages
        ]
        word_counts = sorted((pair for pair in word_counts if pair[1]), key=lambda pair: (-pair[1], pair[0].id))
        site.add_page(build_main_page(export, word_counts))
        site.add_page(build_terms_page(export))
        _add_style(site, {language.script for language, _ in word_counts})
        for name, value in _build_metadata(export, [language for language, _ in word_counts]).items():
            site.add_metadata(name, value)


def _write_language(
    export: ExportSource,
    language: Language,
    export_lists: ExportLists,
    linked_language_ids: frozenset[int],
    site: ZimWriter,
) -> int:
    """Write the words of a language and their lists; return the number of words."""
    count = 0
    lists = _WordListWriter(language, site)
    for word in export.words(language.id):
        site.add_page(build_word_page(word, language, export_lists.languages, linked_language_ids))
        for number, name in enumerate(list_roman_spellings(word)):
            typed = name.decode()
            if typed != word.word:
                path = f"{WORD_FOLDER}/{word.id}-{number}"
                site.add_redirection(path, f"{typed} · {word.word}", get_word_path(word.id))
        lists.add_row(WordRow(word.id, word.word, find_gloss(word) or ""))
        count += 1
    lists.close()
    return count


class _WordListWriter:
    """Writer of the word lists of a language: pages of limited size, and overviews that link to them."""

    def __init__(self, language: Language, site: ZimWriter) -> None:
        self._language = language
        self._site = site
        self._rows: list[WordRow] = []
        self._ranges: list[tuple[str, str, str]] = []

    def add_row(self, row: WordRow) -> None:
        if len(self._rows) >= WORDS_PER_LIST:
            self._write_list(is_last=False)
        self._rows.append(row)

    def close(self) -> None:
        """Write the last list, and the overviews."""
        if not self._rows:
            return
        self._write_list(is_last=True)
        level = 0
        ranges = self._ranges
        while len(ranges) > LISTS_PER_PAGE:
            level += 1
            ranges = [
                self._write_overview(f"{level}-{number}", group)
                for number, group in enumerate(split_ranges(ranges, LISTS_PER_PAGE), 1)
            ]
        self._site.add_page(build_overview_page(self._language, get_list_path(self._language), ranges))

    def _write_list(self, *, is_last: bool) -> None:
        number = len(self._ranges) + 1
        self._site.add_page(build_list_page(self._language, number, self._rows, is_last=is_last))
        self._ranges.append((get_list_path(self._language, number), self._rows[0].word, self._rows[-1].word))
        self._rows = []

    def _write_overview(self, name: str, ranges: Sequence[tuple[str, str, str]]) -> tuple[str, str, str]:
        path = get_list_path(self._language, name)
        self._site.add_page(build_overview_page(self._language, path, ranges))
        return path, ranges[0][1], ranges[-1][2]


def _add_style(site: ZimWriter, scripts: set[str]) -> None:
    """Add the style sheet, and the fonts of the scripts with their licence."""
    package = files("abhidhan.formats.zim")
    fonts = files("abhidhan") / "media/fonts"
    used = {script: FONT_BY_SCRIPT[script] for script in sorted(scripts & FONT_BY_SCRIPT.keys())}
    faces = "".join(
        f'@font-face {{ font-family: "{script}"; src: url("fonts/{file}"); }}\n' for script, file in used.items()
    )
    style = (package / "zim_style.css").read_text("utf-8").replace("FONTS", "".join(f'"{script}", ' for script in used))
    site.add_file(STYLE_SHEET, "text/css", (faces + style).encode())
    for file in used.values():
        site.add_file(f"fonts/{file}", "font/ttf", (fonts / file).read_bytes())
    if used:
        site.add_file("fonts/OFL.txt", "text/plain", (fonts / "OFL.txt").read_bytes())
    site.add_illustration((package / "zim_icon.png").read_bytes())


def _build_metadata(export: ExportSource, languages: list[Language]) -> dict[str, str]:
    """Return the metadata that openZIM requires."""
    codes = [language.iso639_3 for language in languages[:MAX_NAMED_LANGUAGES] if language.iso639_3]
    named = ", ".join(language.name for language in languages[:4])
    about = f"A dictionary: {named}"
    code = languages[0].code if len(languages) == 1 else MULTIPLE_LANGUAGES
    return {
        "Title": export.title[:MAX_TITLE_LENGTH],
        "Description": about if len(about) <= MAX_DESCRIPTION_LENGTH else "A dictionary of many languages",
        "Language": ",".join(dict.fromkeys(codes)) or MULTIPLE_LANGUAGES,
        "Creator": "Abhidhan",
        "Publisher": "Abhidhan",
        "Date": f"{export.date:%Y-%m-%d}",
        "Name": f"abhidhan_{code}_all",
        "Flavour": "nopic",
        "License": export.format_licences(),
        "Tags": "_category:other;_pictures:no;_videos:no;_details:yes;_ftindex:yes;dictionary",
        "Scraper": "abhidhan",
    }
