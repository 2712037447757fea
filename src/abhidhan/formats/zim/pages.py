"""Pages of a dictionary as a small static site that needs neither a network nor scripts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from abhidhan.formats.writers.export_source import Book, attributes, escaped, meaning_lines
from abhidhan.records.kinds import LanguageRecord
from abhidhan.records.languages import Language
from abhidhan.records.words import Meaning, Word

FIRST: Final = "index.html"
TERMS: Final = "terms.html"
STYLE: Final = "style.css"
FOLDER_OF_WORDS: Final = "w"
FOLDER_OF_LISTS: Final = "a"

TEXTS: Final = {
    "languages": ("Languages", "ভাষা"),
    "terms": ("Sources and licences", "উৎস আৰু অনুজ্ঞাপত্ৰ"),
    "next": ("Next", "পিছৰ পৃষ্ঠা"),
    "previous": ("Previous", "আগৰ পৃষ্ঠা"),
    "words": ("Words", "শব্দ"),
}
"""Fixed texts of the pages, in English and Assamese."""


class Page(NamedTuple):
    """A page: its path in the site, title and HTML, and whether it is found by its title."""

    path: str
    title: str
    html: str
    is_entry: bool = False


class Row(NamedTuple):
    """A word in a list: its ID, text and short meaning."""

    number: int
    word: str
    gloss: str


def said(name: str) -> str:
    """Return a fixed text in both languages."""
    english, assamese = TEXTS[name]
    return f'{english} · <span lang="as">{assamese}</span>'


def path_of_word(number: int) -> str:
    """Return the path of a word's page."""
    return f"{FOLDER_OF_WORDS}/{number}.html"


def path_of_list(language: Language, number: int | str = "") -> str:
    """Return the path of a language's word list; without a number, that of the overview."""
    return f"{FOLDER_OF_LISTS}/{language.code}{f'-{number}' if number != '' else ''}.html"


def word_page(word: Word, language: Language, languages: Mapping[int, LanguageRecord], linked: frozenset[int]) -> Page:
    """Build the page of a word. Words of the `linked` languages have pages of their own."""
    about = [part for part in (word.roman, f"/{word.given_ipa}/" if word.given_ipa else None) if part]
    head = f"<h1{_in(languages.get(language.id))}>{escaped(word.word)}</h1>\n"
    shown = " · ".join([*map(escaped, about), f'<a href="../{path_of_list(language)}">{escaped(language.name)}</a>'])
    meanings = "".join(f"<li>{_meaning(one, languages, linked)}</li>\n" for one in word.meanings)
    body = f'{head}<p class="quiet">{shown}</p>\n<ol class="meanings">\n{meanings}</ol>\n'
    return Page(path_of_word(word.id), word.word, page_around(word.word, body, ".."), is_entry=True)


def _meaning(meaning: Meaning, languages: Mapping[int, LanguageRecord], linked: frozenset[int]) -> str:
    label = next((text for kind, text in meaning_lines(meaning) if kind == "label"), "")
    parts = [f'<p class="label">{escaped(label)}</p>'] if label else []
    parts += [f"<p{_in(languages.get(one.language_id))}>{escaped(one.text)}</p>" for one in meaning.definitions]
    words: dict[int, list[str]] = {}
    for one in meaning.translations:
        text = escaped(one.word)
        shown = f'<a href="{one.id}.html">{text}</a>' if one.language_id in linked else text
        words.setdefault(one.language_id, []).append(shown)
    named = {one.language_id: one.language for one in meaning.translations}
    listed = "".join(
        f"<dt>{escaped(named[number])}</dt><dd{_in(languages.get(number))}>{', '.join(links)}</dd>"
        for number, links in words.items()
    )
    parts += [f"<dl>{listed}</dl>"] if listed else []
    for example in meaning.examples:
        also = f" — {escaped(example.translation)}" if example.translation else ""
        shown = f"<span{_in(languages.get(example.language_id))}>{escaped(example.text)}</span>{also}"
        parts.append(f'<p class="example">{shown}</p>')
    return "".join(parts)


def list_page(language: Language, number: int, rows: Sequence[Row], *, is_last: bool) -> Page:
    """Build a page of words in alphabetical order."""
    title = f"{language.name}: {rows[0].word} – {rows[-1].word}"
    code = attributes({"lang": language.code, "dir": language.direction})
    listed = "".join(
        f'<li><a{code} href="../{path_of_word(row.number)}">{escaped(row.word)}</a>'
        f' <span class="quiet">{escaped(row.gloss)}</span></li>\n'
        for row in rows
    )
    ends = [(number - 1, "previous")] if number > 1 else []
    ends += [] if is_last else [(number + 1, "next")]
    links = "".join(f'<a href="../{path_of_list(language, to)}">{said(name)}</a>' for to, name in ends)
    heading = f'<h1><a href="../{path_of_list(language)}">{escaped(language.name)}</a></h1>\n'
    body = f'{heading}<ul class="words">\n{listed}</ul>\n<nav class="ends">{links}</nav>\n'
    return Page(path_of_list(language, number), title, page_around(title, body, ".."))


def list_of_lists(language: Language, path: str, ranges: Iterable[tuple[str, str, str]]) -> Page:
    """Build a page that links to lists, each given as its path, first word and last word."""
    code = attributes({"lang": language.code, "dir": language.direction})
    listed = "".join(
        f'<li><a href="../{to}"><span{code}>{escaped(first)}</span> – <span{code}>{escaped(last)}</span></a></li>\n'
        for to, first, last in ranges
    )
    native = f" · <span{code}>{escaped(language.native_name)}</span>" if language.native_name != language.name else ""
    body = f'<h1>{escaped(language.name)}{native}</h1>\n<ul class="words">\n{listed}</ul>\n'
    return Page(path, language.name, page_around(language.name, body, ".."))


def first_page(book: Book, counted: Iterable[tuple[Language, int]]) -> Page:
    """Build the main page: the languages with their numbers of words, in the given order."""
    listed = "".join(
        f'<dt><a href="{path_of_list(language)}">{escaped(language.name)}</a></dt>'
        f"<dd><span{attributes({'lang': language.code, 'dir': language.direction})}>{escaped(language.native_name)}"
        f'</span> <span class="quiet">{words:,}</span></dd>\n'
        for language, words in counted
    )
    body = f"<h1>{escaped(book.title)}</h1>\n<h2>{said('words')}</h2>\n<dl>\n{listed}</dl>\n"
    return Page(FIRST, book.title, page_around(book.title, body, ""), is_entry=True)


def terms_page(book: Book) -> Page:
    """Build the page of sources and licences; URLs are plain text, since the site is read offline."""
    listed = "".join(f"<li>{escaped(line)}</li>\n" for line in book.terms().splitlines())
    body = f"<h1>{said('terms')}</h1>\n<p>{book.date:%Y-%m-%d}</p>\n<ul>\n{listed}</ul>\n"
    return Page(TERMS, TEXTS["terms"][0], page_around(TEXTS["terms"][0], body, ""), is_entry=True)


def page_around(title: str, body: str, root: str) -> str:
    """Wrap a body in a page; `root` is the relative path from its folder to the root."""
    up = f"{root}/" if root else ""
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escaped(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="stylesheet" href="{up}{STYLE}">\n</head>\n<body>\n'
        f'<nav><a href="{up}{FIRST}">{said("languages")}</a><a href="{up}{TERMS}">{said("terms")}</a></nav>\n'
        f"<main>\n{body}</main>\n</body>\n</html>\n"
    )


def parted(ranges: Sequence[tuple[str, str, str]], most: int) -> Iterator[Sequence[tuple[str, str, str]]]:
    """Split a list of ranges into pages."""
    for start in range(0, len(ranges), most):
        yield ranges[start : start + most]


def _in(language: LanguageRecord | None) -> str:
    return attributes({"lang": language.code, "dir": language.direction}) if language else ""
