"""The pages of a dictionary as a small static site, which needs neither a network nor scripts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from abhidhan.formats.writers.export_source import ExportSource, attributes, escape, meaning_lines
from abhidhan.records.kinds import LanguageRecord
from abhidhan.records.languages import Language
from abhidhan.records.words import Meaning, Word

FIRST: Final = "index.html"
TERMS: Final = "terms.html"
STYLE: Final = "style.css"
WORD_FOLDER: Final = "w"
LIST_FOLDER: Final = "a"

TEXTS: Final = {
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

    number: int
    word: str
    gloss: str


def bilingual_text(name: str) -> str:
    """Return a fixed text in both languages."""
    english, assamese = TEXTS[name]
    return f'{english} · <span lang="as">{assamese}</span>'


def path_of_word(number: int) -> str:
    """Return the path of a word's page."""
    return f"{WORD_FOLDER}/{number}.html"


def path_of_list(language: Language, number: int | str = "") -> str:
    """Return the path of a page of a language's word list; without a number, the path of the overview."""
    return f"{LIST_FOLDER}/{language.code}{f'-{number}' if number != '' else ''}.html"


def word_page(
    word: Word, language: Language, languages: Mapping[int, LanguageRecord], linked: frozenset[int]
) -> ZimPage:
    """Build the page of a word. Translations in the linked languages become links to their pages."""
    about = [part for part in (word.roman, f"/{word.explicit_ipa}/" if word.explicit_ipa else None) if part]
    head = f"<h1{_language_attributes(languages.get(language.id))}>{escape(word.word)}</h1>\n"
    subtitle = " · ".join([*map(escape, about), f'<a href="../{path_of_list(language)}">{escape(language.name)}</a>'])
    meanings = "".join(f"<li>{_meaning(meaning, languages, linked)}</li>\n" for meaning in word.meanings)
    body = f'{head}<p class="quiet">{subtitle}</p>\n<ol class="meanings">\n{meanings}</ol>\n'
    return ZimPage(path_of_word(word.id), word.word, wrap_page(word.word, body, ".."), is_entry=True)


def _meaning(meaning: Meaning, languages: Mapping[int, LanguageRecord], linked: frozenset[int]) -> str:
    label = next((text for kind, text in meaning_lines(meaning) if kind == "label"), "")
    parts = [f'<p class="label">{escape(label)}</p>'] if label else []
    parts += [
        f"<p{_language_attributes(languages.get(one.language_id))}>{escape(one.text)}</p>"
        for one in meaning.definitions
    ]
    words: dict[int, list[str]] = {}
    for one in meaning.translations:
        text = escape(one.word)
        shown = f'<a href="{one.id}.html">{text}</a>' if one.language_id in linked else text
        words.setdefault(one.language_id, []).append(shown)
    named = {one.language_id: one.language for one in meaning.translations}
    word_list = "".join(
        f"<dt>{escape(named[number])}</dt><dd{_language_attributes(languages.get(number))}>{', '.join(links)}</dd>"
        for number, links in words.items()
    )
    parts += [f"<dl>{word_list}</dl>"] if word_list else []
    for example in meaning.examples:
        also = f" — {escape(example.translation)}" if example.translation else ""
        shown = f"<span{_language_attributes(languages.get(example.language_id))}>{escape(example.text)}</span>{also}"
        parts.append(f'<p class="example">{shown}</p>')
    return "".join(parts)


def list_page(language: Language, number: int, rows: Sequence[WordRow], *, is_last: bool) -> ZimPage:
    """Build a page of words in alphabetical order."""
    title = f"{language.name}: {rows[0].word} – {rows[-1].word}"
    code = attributes({"lang": language.code, "dir": language.direction})
    items = "".join(
        f'<li><a{code} href="../{path_of_word(row.number)}">{escape(row.word)}</a>'
        f' <span class="quiet">{escape(row.gloss)}</span></li>\n'
        for row in rows
    )
    ends = [(number - 1, "previous")] if number > 1 else []
    ends += [] if is_last else [(number + 1, "next")]
    links = "".join(f'<a href="../{path_of_list(language, to)}">{bilingual_text(name)}</a>' for to, name in ends)
    heading = f'<h1><a href="../{path_of_list(language)}">{escape(language.name)}</a></h1>\n'
    body = f'{heading}<ul class="words">\n{items}</ul>\n<nav class="ends">{links}</nav>\n'
    return ZimPage(path_of_list(language, number), title, wrap_page(title, body, ".."))


def list_of_lists(language: Language, path: str, ranges: Iterable[tuple[str, str, str]]) -> ZimPage:
    """Build a page with links to word lists, each given as (path, first word, last word)."""
    code = attributes({"lang": language.code, "dir": language.direction})
    items = "".join(
        f'<li><a href="../{to}"><span{code}>{escape(first)}</span> – <span{code}>{escape(last)}</span></a></li>\n'
        for to, first, last in ranges
    )
    native = f" · <span{code}>{escape(language.native_name)}</span>" if language.native_name != language.name else ""
    body = f'<h1>{escape(language.name)}{native}</h1>\n<ul class="words">\n{items}</ul>\n'
    return ZimPage(path, language.name, wrap_page(language.name, body, ".."))


def first_page(book: ExportSource, word_counts: Iterable[tuple[Language, int]]) -> ZimPage:
    """Build the main page: the languages with their numbers of words, in the given order."""
    items = "".join(
        f'<dt><a href="{path_of_list(language)}">{escape(language.name)}</a></dt>'
        f"<dd><span{attributes({'lang': language.code, 'dir': language.direction})}>{escape(language.native_name)}"
        f'</span> <span class="quiet">{words:,}</span></dd>\n'
        for language, words in word_counts
    )
    body = f"<h1>{escape(book.title)}</h1>\n<h2>{bilingual_text('words')}</h2>\n<dl>\n{items}</dl>\n"
    return ZimPage(FIRST, book.title, wrap_page(book.title, body, ""), is_entry=True)


def terms_page(book: ExportSource) -> ZimPage:
    """Build the page of sources and licences; URLs are plain text, since the site is read offline."""
    items = "".join(f"<li>{escape(line)}</li>\n" for line in book.terms().splitlines())
    body = f"<h1>{bilingual_text('terms')}</h1>\n<p>{book.date:%Y-%m-%d}</p>\n<ul>\n{items}</ul>\n"
    return ZimPage(TERMS, TEXTS["terms"][0], wrap_page(TEXTS["terms"][0], body, ""), is_entry=True)


def wrap_page(title: str, body: str, root: str) -> str:
    """Wrap a body in a page; `root` is the relative path from its folder to the root."""
    up = f"{root}/" if root else ""
    links = [(FIRST, "languages"), (TERMS, "terms")]
    nav = "".join(f'<a href="{up}{file}">{bilingual_text(name)}</a>' for file, name in links)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="stylesheet" href="{up}{STYLE}">\n</head>\n<body>\n'
        f"<nav>{nav}</nav>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def split_ranges(ranges: Sequence[tuple[str, str, str]], size: int) -> Iterator[Sequence[tuple[str, str, str]]]:
    """Split a list of ranges into pages."""
    for start in range(0, len(ranges), size):
        yield ranges[start : start + size]


def _language_attributes(language: LanguageRecord | None) -> str:
    return attributes({"lang": language.code, "dir": language.direction}) if language else ""
