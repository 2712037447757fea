"""The first page, the page of a word, and the way from the search box to it."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count, groupby
from typing import Annotated, Final, NamedTuple
from urllib.parse import unquote_to_bytes

import msgspec
from litestar import Response, get
from litestar.params import FromPath, QueryParameter

from abhidhan.domain.ideas import Definition, IdeaWord
from abhidhan.domain.languages import ASSAMESE, ENGLISH, Language
from abhidhan.domain.lists import Named
from abhidhan.domain.matching.cascade import FoundWord, Match, QueryWord
from abhidhan.domain.people import Permission
from abhidhan.domain.phrases import Phrase
from abhidhan.domain.text.alphabet import letters_of
from abhidhan.domain.text.normal import script_of
from abhidhan.domain.words import Meaning, Suggestion, Word
from abhidhan.errors import InputError, sentence
from abhidhan.services.dictionary import browse, contexts, lookup, neighbours, proverbs, search
from abhidhan.services.dictionary.browse import LANGUAGE_OF_SCRIPT, RecentWord
from abhidhan.services.dictionary.contexts import Head, Spelling
from abhidhan.services.dictionary.neighbours import Neighbours
from abhidhan.storage.database import Reader
from abhidhan.web.arguments import LONGEST_TEXT, GivenDatabase
from abhidhan.web.pages.addresses import absolute, word_address
from abhidhan.web.pages.rendering import Asked, GivenPages, lead_to
from abhidhan.web.params import CONTROL_CHARACTERS, clean_text
from abhidhan.web.sessions import find_signed_in

MOST_NEIGHBOURS: Final = 3
MOST_PROVERBS: Final = 5
MOST_NEAR: Final = 8
MOST_IN_A_LINE: Final = 60
"""Words of one language under one idea that a page shows; a real idea has up to 28."""

MOST_RELATED: Final = 3
RECENT_ON_FIRST_PAGE: Final = 8
LONGEST_DESCRIPTION: Final = 160
TERMS_DESCRIBED: Final = 6

ENCYCLOPEDIAS: Final = {1: "en", 2: "as", 22: "bn"}
"""Languages whose encyclopedia dic-wiki.php reads, and where it is."""


# --- what the page of a word shows --------------------------------------------------------------------------------


class Line(msgspec.Struct, frozen=True):
    """The words of an idea in one language."""

    language: Language
    words: tuple[IdeaWord, ...]
    left_out: int


class Related(msgspec.Struct, frozen=True):
    """The ideas that stand in one relation, each shown by some of its words."""

    type: Named
    ideas: tuple[tuple[Spelling, ...], ...]


class Sense(msgspec.Struct, frozen=True):
    """A numbered meaning as the page shows it."""

    number: int
    meaning: Meaning
    head: Head
    lines: tuple[Line, ...]
    related: tuple[Related, ...]


class Entry(msgspec.Struct, frozen=True):
    """A block of the page: one spelling in one language."""

    word: Word
    language: Language
    senses: tuple[Sense, ...]


class Part(msgspec.Struct, frozen=True):
    """What was found for one word of the address."""

    text: str
    match: Match
    entries: tuple[Entry, ...]
    suggestions: tuple[Suggestion, ...]


class WordPage(msgspec.Struct, frozen=True):
    """Everything on the page of a word."""

    text: str
    parts: tuple[Part, ...]
    languages: dict[int, Language]
    language: Language
    neighbours: Neighbours
    proverbs: tuple[Phrase, ...]
    near: tuple[FoundWord, ...]

    @property
    def entries(self) -> list[Entry]:
        """All blocks in their order."""
        return [entry for part in self.parts for entry in part.entries]

    @property
    def canonical(self) -> str:
        """The address that stands for this page: that of the spelling found, where it was asked for otherwise."""
        entries = self.entries
        spellings = {entry.word.word for entry in entries}
        if not entries or self.text in spellings or len(self.parts) > 1:
            return word_address(self.text)
        return word_address(entries[0].word.word)


def read_word_page(reader: Reader, text: str) -> WordPage:
    """Read everything that the page of a word shows."""
    found = lookup.look_up(reader, text)
    languages = {language.id: language for language in reader.catalogue.languages}
    entries = [word for item in found for word in item.entries]
    language = languages[entries[0].language_id if entries else LANGUAGE_OF_SCRIPT.get(script_of(text), ASSAMESE)]
    spelling = entries[0].word if entries else text
    return WordPage(
        text=text,
        parts=tuple(_parts(reader, found, languages)),
        languages=languages,
        language=language,
        neighbours=neighbours.find_neighbours(reader, language.id, spelling, MOST_NEIGHBOURS),
        proverbs=proverbs.find_containing(reader, spelling, language, MOST_PROVERBS) if entries else (),
        near=() if entries else _near(reader, text, {each.id for item in found for each in item.suggestions}),
    )


def _near(reader: Reader, text: str, offered: set[int]) -> tuple[FoundWord, ...]:
    """Find words that are near in any way, beside those that are offered already."""
    found = search.search(reader, text, None, fuzzy=True, limit=MOST_NEAR)
    return tuple(each for each in found if each.id not in offered)


def _parts(reader: Reader, found: Iterable[QueryWord], languages: dict[int, Language]) -> Iterator[Part]:
    items = list(found)
    meanings = [meaning for item in items for word in item.entries for meaning in word.meanings]
    heads = contexts.read_heads(reader, sorted({meaning.idea_id for meaning in meanings}))
    related = {relation.idea_id for meaning in meanings for relation in meaning.relations}
    around = Around(languages, heads, contexts.read_words(reader, sorted(related)) if related else {})
    numbers = count(1)
    for item in items:
        entries = tuple(_entry(word, around, numbers) for word in item.entries)
        yield Part(item.queryword, item.match, entries, item.suggestions)


class Around(NamedTuple):
    """What stands round the words of a page: languages by ID, and heads and words of ideas by theirs."""

    languages: dict[int, Language]
    heads: dict[int, Head]
    words: dict[int, list[Spelling]]


def _entry(word: Word, around: Around, numbers: Iterator[int]) -> Entry:
    senses = (
        Sense(
            next(numbers),
            meaning,
            around.heads[meaning.idea_id],
            tuple(_lines(word, meaning, around.languages)),
            tuple(_related(word, meaning, around)),
        )
        for meaning in word.meanings
        if meaning.idea_id in around.heads
    )
    return Entry(word, around.languages[word.language_id], tuple(senses))


def _related(word: Word, meaning: Meaning, around: Around) -> Iterator[Related]:
    """Gather the related ideas by the type of their relation."""
    for _, relations in groupby(meaning.relations, key=lambda relation: relation.type.id):
        of_type = list(relations)
        ideas = (_shown(word, around.words.get(relation.idea_id, [])) for relation in of_type)
        yield Related(of_type[0].type, tuple(idea for idea in ideas if idea))


def _shown(word: Word, words: list[Spelling]) -> tuple[Spelling, ...]:
    """Show an idea by words of the entry's own language, and one of English beside them; else by its first words."""
    own = [each for each in words if each[1].id == word.language_id][:MOST_RELATED]
    english = [each for each in words if each[1].id == ENGLISH and word.language_id != ENGLISH][:1]
    return tuple([*own, *english] or words[:MOST_RELATED])


def _lines(word: Word, meaning: Meaning, languages: dict[int, Language]) -> Iterator[Line]:
    """Gather an idea's other words by language; those of the word's own language, its synonyms, come first."""
    words: dict[int, list[IdeaWord]] = {}
    for each in meaning.translations:
        words.setdefault(each.language_id, []).append(each)
    for language_id in sorted(words, key=lambda number: (number != word.language_id, number)):
        of_language = words[language_id]
        yield Line(
            languages[language_id], tuple(of_language[:MOST_IN_A_LINE]), max(0, len(of_language) - MOST_IN_A_LINE)
        )


# --- what machines read of it -------------------------------------------------------------------------------------


def title_of(page: WordPage) -> str:
    """Title a word: itself, and its first English word, or its first in any other language."""
    lines = [line for entry in page.entries[:1] for sense in entry.senses[:1] for line in sense.lines]
    others = [line for line in lines if line.language.id != page.language.id]
    best = next((line for line in others if line.language.id == ENGLISH), others[0] if others else None)
    return f"{page.text}: {best.words[0].word}" if best else page.text


def describe(page: WordPage) -> str:
    """Describe a word in one line: its first definition, and its first words in other languages."""
    texts = []
    for entry in page.entries[:1]:
        for sense in entry.senses[:1]:
            texts += [definition.text for definition in sense.meaning.definitions[:1]]
            texts.append(", ".join(word.word for line in sense.lines for word in line.words[:2]))
    whole = " ".join(text for text in texts if text)
    return whole if len(whole) <= LONGEST_DESCRIPTION else whole[: LONGEST_DESCRIPTION - 1].rstrip() + "…"


def defined_terms(page: WordPage, address: str, base: str) -> dict[str, object]:
    """Describe the meanings of a page as schema.org DefinedTerms."""
    whole = {"@type": "DefinedTermSet", "name": "Abhidhan", "url": f"{base}/"}
    terms = [
        {
            "@type": "DefinedTerm",
            "@id": f"{address}#sense-{sense.number}",
            "name": entry.word.word,
            "inLanguage": entry.language.code,
            "url": address,
            "inDefinedTermSet": whole,
            **_described(sense.meaning.definitions),
        }
        for entry in page.entries
        for sense in entry.senses
    ]
    return {"@context": "https://schema.org", "@graph": terms[:TERMS_DESCRIBED]}


def _described(definitions: Sequence[Definition]) -> dict[str, str]:
    return {"description": definitions[0].text} if definitions else {}


# --- the addresses ------------------------------------------------------------------------------------------------


class FirstPage(msgspec.Struct, frozen=True):
    """What the first page shows besides its search box."""

    recent: tuple[RecentWord, ...]
    languages: dict[int, Language]
    language: Language
    letters: tuple[str, ...]


def read_first_page(reader: Reader) -> FirstPage:
    """Read what the first page shows."""
    languages = {language.id: language for language in reader.catalogue.languages}
    language = languages[ASSAMESE]
    return FirstPage(
        browse.list_recent(reader, ASSAMESE, RECENT_ON_FIRST_PAGE),
        languages,
        language,
        letters_of(language.code, language.script),
    )


@get("/", include_in_schema=False)
async def show_first_page(request: Asked, database: GivenDatabase, pages: GivenPages) -> Response[str]:
    """Show the search box, and a few ways into the dictionary."""
    return pages.show(request, "first.html", {"page": await database.read(read_first_page)})


@get("/dic/{word:path}", include_in_schema=False)
async def show_word(request: Asked, database: GivenDatabase, pages: GivenPages, word: FromPath[str]) -> Response[str]:
    """Show what the dictionary knows of a word; one it does not know is a 404 with suggestions."""
    text = word_of_path(request.scope.get("raw_path") or word.encode())
    page = await database.read(partial(read_word_page, text=text))
    found = bool(page.entries)
    values: dict[str, object] = {"page": page, "encyclopedias": ENCYCLOPEDIAS, "edits": await _edits(request)}
    if found:
        address = absolute(pages.base(request), page.canonical)
        values |= {
            "title": title_of(page),
            "description": describe(page),
            "terms": defined_terms(page, address, pages.base(request)),
        }
    template, status = ("word.html", 200) if found else ("missing.html", 404)
    return pages.show(request, template, values, canonical=page.canonical, status=status)


async def _edits(request: Asked) -> bool:
    """Tell whether the reader is an editor; only of somebody with a session is the database asked."""
    signed_in = await find_signed_in(request)
    return signed_in is not None and signed_in.person.may(Permission.EDIT)


def word_of_path(raw_path: bytes) -> str:
    """Read the word in an address: everything after `/dic/`, slashes included. Raises InputError."""
    raw = raw_path.partition(b"?")[0].removeprefix(b"/dic/")
    try:
        text = unquote_to_bytes(raw).decode()
    except UnicodeDecodeError:
        raise InputError.of("word", sentence("The word in the address must be percent-encoded UTF-8 text.")) from None
    if CONTROL_CHARACTERS.search(text):
        raise InputError.of("word", sentence("The word in the address must not hold control characters."))
    clean = clean_text(text)
    if len(clean) > LONGEST_TEXT:
        raise InputError.of(
            "word",
            sentence("The word in the address is longer than %(longest_text)s characters.", longest_text=LONGEST_TEXT),
        )
    return clean


SearchText = Annotated[str, QueryParameter(max_length=LONGEST_TEXT)]


@get(["/search", "/dic"], include_in_schema=False)
async def go_to_word(q: SearchText = "", w: SearchText = "") -> Response[str]:
    """Lead from the search box to the page of the word."""
    text = q or w
    return lead_to(word_address(text) if text else "/")


@get("/dic.php", include_in_schema=False)
async def go_to_new_address(w: SearchText = "") -> Response[str]:
    """Lead from an address that people remember of older sites."""
    return lead_to(word_address(w) if w else "/", 301)
