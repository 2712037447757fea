"""The pages of a dictionary as a small static site, which needs neither a network nor scripts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from abhidhan.formats.writers.export_source import ExportSource, escape, format_attributes, iter_meaning_lines
from abhidhan.records.kinds import LanguageRecord
from abhidhan.records.languages import Language
from abhidhan.records.words import Meaning, Word

MAIN_PAGE: Final = "index.html"
TERMS_PAGE: Final = "terms.html"
STYLE_SHEET: Final = "style.css"
WORD_FOLDER: Final = "w"
LIST_FOLDER: Final = "a"

FIXED_TEXTS: Final = {
    "languages": ("Languages", "ভাষা"),
    "terms": ("Sources and licences", "উৎস আৰু অনুজ্ঞাপত্ৰ"),
    "next": ("Next", "পিছৰ পৃষ্ঠা"),
    "previous": ("Previous", "আগৰ পৃষ্ঠা"),
    "words": ("Words", "শব্দ"),
}
"""Fixed texts of the pages, in English and Assamese."""


class ZimPage(NamedTuple):
    """A page: its path in the site, title and HTML; `is_entry` pages are found by title search."""

    path: str
    title: str
    html: str
    is_entry: bool = False


class WordRow(NamedTuple):
    """A word in a list: its ID, text and short meaning."""

    word_id: int
    word: str
    gloss: str


def bilingual_text(name: str) -> str:
    """Return a fixed text in both languages."""
    english, assamese = FIXED_TEXTS[name]
    return f'{english} · <span lang="as">{assamese}</span>'


def get_word_path(word_id: int) -> str:
    """Return the path of a word's page."""
    return f"{WORD_FOLDER}/{word_id}.html"


def get_list_path(language: Language, number: int | str = "") -> str:
    """Return the path of a page of a language's word list; without a number, the path of the overview."""
    return f"{LIST_FOLDER}/{language.code}{f'-{number}' if number != '' else ''}.html"


def build_word_page(
    word: Word, language: Language, languages: Mapping[int, LanguageRecord], linked_language_ids: frozenset[int]
) -> ZimPage:
    """Build the page of a word. Translations in the linked languages become links to their pages."""
    about = [part for part in (word.roman, f"/{word.explicit_ipa}/" if word.explicit_ipa else None) if part]
    head = f"<h1{_format_language_attributes(languages.get(language.id))}>{escape(word.word)}</h1>\n"
    subtitle = " · ".join([*map(escape, about), f'<a href="../{get_list_path(language)}">{escape(language.name)}</a>'])
    meanings = "".join(
        f"<li>{_format_meaning(meaning, languages, linked_language_ids)}</li>\n" for meaning in word.meanings
    )
    body = f'{head}<p class="quiet">{subtitle}</p>\n<ol class="meanings">\n{meanings}</ol>\n'
    return ZimPage(get_word_path(word.id), word.word, wrap_page(word.word, body, ".."), is_entry=True)


def _format_meaning(
    meaning: Meaning, languages: Mapping[int, LanguageRecord], linked_language_ids: frozenset[int]
) -> str:
    label = next((text for kind, text in iter_meaning_lines(meaning) if kind == "label"), "")
    parts = [f'<p class="label">{escape(label)}</p>'] if label else []
    parts += [
        f"<p{_format_language_attributes(languages.get(one.language_id))}>{escape(one.text)}</p>"
        for one in meaning.definitions
    ]
    words: dict[int, list[str]] = {}
    for one in meaning.translations:
        text = escape(one.word)
        shown = f'<a href="{one.id}.html">{text}</a>' if one.language_id in linked_language_ids else text
        words.setdefault(one.language_id, []).append(shown)
    named = {one.language_id: one.language for one in meaning.translations}
    word_list = "".join(
        f"<dt>{escape(named[language_id])}</dt>"
        f"<dd{_format_language_attributes(languages.get(language_id))}>{', '.join(links)}</dd>"
        for language_id, links in words.items()
    )
    parts += [f"<dl>{word_list}</dl>"] if word_list else []
    for example in meaning.examples:
        also = f" — {escape(example.translation)}" if example.translation else ""
        attributes = _format_language_attributes(languages.get(example.language_id))
        parts.append(f'<p class="example"><span{attributes}>{escape(example.text)}</span>{also}</p>')
    return "".join(parts)


def build_list_page(language: Language, number: int, rows: Sequence[WordRow], *, is_last: bool) -> ZimPage:
    """Build a page of words in alphabetical order."""
    title = f"{language.name}: {rows[0].word} – {rows[-1].word}"
    code = format_attributes({"lang": language.code, "dir": language.direction})
    items = "".join(
        f'<li><a{code} href="../{get_word_path(row.word_id)}">{escape(row.word)}</a>'
        f' <span class="quiet">{escape(row.gloss)}</span></li>\n'
        for row in rows
    )
    ends = [(number - 1, "previous")] if number > 1 else []
    ends += [] if is_last else [(number + 1, "next")]
    links = "".join(f'<a href="../{get_list_path(language, to)}">{bilingual_text(name)}</a>' for to, name in ends)
    heading = f'<h1><a href="../{get_list_path(language)}">{escape(language.name)}</a></h1>\n'
    body = f'{heading}<ul class="words">\n{items}</ul>\n<nav class="ends">{links}</nav>\n'
    return ZimPage(get_list_path(language, number), title, wrap_page(title, body, ".."))


def build_overview_page(language: Language, path: str, ranges: Iterable[tuple[str, str, str]]) -> ZimPage:
    """Build a page with links to word lists, each given as (path, first word, last word)."""
    code = format_attributes({"lang": language.code, "dir": language.direction})
    items = "".join(
        f'<li><a href="../{to}"><span{code}>{escape(first)}</span> – <span{code}>{escape(last)}</span></a></li>\n'
        for to, first, last in ranges
    )
    native = f" · <span{code}>{escape(language.native_name)}</span>" if language.native_name != language.name else ""
    body = f'<h1>{escape(language.name)}{native}</h1>\n<ul class="words">\n{items}</ul>\n'
    return ZimPage(path, language.name, wrap_page(language.name, body, ".."))


def build_main_page(export: ExportSource, word_counts: Iterable[tuple[Language, int]]) -> ZimPage:
    """Build the main page: the languages with their numbers of words, in the given order."""
    items = "".join(
        f'<dt><a href="{get_list_path(language)}">{escape(language.name)}</a></dt>'
        f"<dd><span{format_attributes({'lang': language.code, 'dir': language.direction})}>"
        f'{escape(language.native_name)}</span> <span class="quiet">{words:,}</span></dd>\n'
        for language, words in word_counts
    )
    body = f"<h1>{escape(export.title)}</h1>\n<h2>{bilingual_text('words')}</h2>\n<dl>\n{items}</dl>\n"
    return ZimPage(MAIN_PAGE, export.title, wrap_page(export.title, body, ""), is_entry=True)


def build_terms_page(export: ExportSource) -> ZimPage:
    """Build the page of sources and licences; URLs are plain text, since the site is read offline."""
    items = "".join(f"<li>{escape(line)}</li>\n" for line in export.format_terms().splitlines())
    body = f"<h1>{bilingual_text('terms')}</h1>\n<p>{export.date:%Y-%m-%d}</p>\n<ul>\n{items}</ul>\n"
    return ZimPage(TERMS_PAGE, FIXED_TEXTS["terms"][0], wrap_page(FIXED_TEXTS["terms"][0], body, ""), is_entry=True)


def wrap_page(title: str, body: str, root: str) -> str:
    """Wrap a body in a page; `root` is the relative path from its folder to the root."""
    up = f"{root}/" if root else ""
    links = [(MAIN_PAGE, "languages"), (TERMS_PAGE, "terms")]
    nav = "".join(f'<a href="{up}{file}">{bilingual_text(name)}</a>' for file, name in links)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="stylesheet" href="{up}{STYLE_SHEET}">\n</head>\n<body>\n'
        f"<nav>{nav}</nav>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def split_ranges(ranges: Sequence[tuple[str, str, str]], size: int) -> Iterator[Sequence[tuple[str, str, str]]]:
    """Split a list of ranges into pages."""
    for start in range(0, len(ranges), size):
        yield ranges[start : start + size]


def _format_language_attributes(language: LanguageRecord | None) -> str:
    return format_attributes({"lang": language.code, "dir": language.direction}) if language else ""
