"""Articles that are only text, as dictd and StarDict keep them: read into words and definitions as far as they tell."""

import html
import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from abhidhan.domain.records import DefinitionRecord, ExampleRecord, IdeaRecord, WordRecord
from abhidhan.formats.languages import canonical_code
from abhidhan.formats.marks import gender_of_marks, unmarked
from abhidhan.formats.parts import GENDERS, is_verb, part_of_marks, part_of_speech
from abhidhan.formats.reading import Options, is_short, joined, key_of, words_of

_UNSEEN: Final = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1>", re.IGNORECASE | re.DOTALL)
_BREAK: Final = re.compile(r"</?(?:br|p|div|li|ol|ul|dl|dt|dd|tr|table|h[1-6]|hr|blockquote)\b[^>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-zA-Z][^>]*>")

_IPA: Final = re.compile(r"/([^/\n]+)/|\[([a-zæçðøħŋœɐ-χ\u0300-\u036f. ]*[ɐ-χ][a-zæçðøħŋœɐ-χ\u0300-\u036f. ]*)\]")
_LABELS: Final = re.compile(r"<([^>\n]{1,40})>|\{([a-z., ]{1,20})\}")
_ABBREVIATION: Final = r"[a-z]{1,5}\.(?:\s?(?:(?:et|and|or|&)\s)?[a-z]{1,5}\.){0,3}"
_ABBREVIATED: Final = re.compile(rf"({_ABBREVIATION})(?=[\s,;(]|$)")
_LAST_ABBREVIATED: Final = re.compile(rf"(?<=\s)({_ABBREVIATION})$")
_RESPELLING: Final = re.compile(r"(\\[^\\\n]+\\)|\(([^()\n]{1,80})\)")
_SPELLINGS: Final = re.compile(r",([^/<\n]{1,80})(?= [/<])")
"""More spellings of the headword, before what is said of it."""

_NUMBER: Final = re.compile(r"^[ \t]*(?:(n|v|adj|adv)[ \t]+)?(\d{1,3})[.):°][.]?[ \t]+", re.MULTILINE)
_EXAMPLE: Final = re.compile(r"^[ \t]*[\"“]([^\"”\n]+)[\"”](?:[ \t]*-[ \t]+(\S[^\n]*))?[ \t]*$", re.MULTILINE)
_REMARK: Final = re.compile(r"^[ \t]*Note:[ \t]*([^\n]+)$", re.MULTILINE)
_SEE: Final = re.compile(r"^[ \t]*(?:see|see also|synonyms?|antonyms?):[ \t]*\{[^\n]*$", re.MULTILINE | re.IGNORECASE)
_OF_SOURCE: Final = re.compile(r"^[ \t]*\[[^\]\n]{1,40}\][ \t]*$", re.MULTILINE)
_REFERENCE: Final = re.compile(r"\{([^{}]*)\}", re.DOTALL)
_PARAGRAPH: Final = re.compile(r"\n[ \t]*\n")
_PUNCTUATION: Final = " .,:;!?\t\n"
AMBIGUOUS_GENDERS: Final = frozenset({"n", "c"})
"""Labels that are parts of speech as well."""


class Article(NamedTuple):
    """A headword and its text, its pronunciation if that stands apart, and other spellings that should find it."""

    headword: str
    text: str
    ipa: str | None = None
    forms: tuple[str, ...] = ()


def without_markup(text: str) -> str:
    """Take HTML, XDXF and Pango tags off; ends of paragraphs are ends of lines."""
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", _UNSEEN.sub("", text))))


def written_headword(headword: str, line: str) -> str | None:
    """Find a headword at the beginning of a line, as it is written there; indexes fold case and punctuation."""
    wanted = _letters(headword)
    for place, letter in enumerate(line):
        if not wanted:
            return None if _letters(letter) else line[:place].rstrip(_PUNCTUATION)
        folded = _letters(letter)
        if not wanted.startswith(folded):
            return None
        wanted = wanted.removeprefix(folded)
    return line.rstrip(_PUNCTUATION) if not wanted else None


def with_named_languages(name: str, options: Options) -> Options:
    """Take the languages from the name of a dictionary, where the person says none. Raises InputError without either.

    FreeDict, and Debian's packages of it, call the Latin-English dictionary `lat-eng` and `freedict-lat-eng`.
    """
    named = _LANGUAGES.fullmatch(name)
    words, meanings = map(canonical_code, named.groups()) if named else (None, None)
    if words and meanings:
        options = msgspec.structs.replace(
            options, language=options.language or words, target=options.target or meanings
        )
    options.own_language()
    return options


_LANGUAGES: Final = re.compile(r"(?:freedict-)?([a-z]{3})-([a-z]{3})")


def stands_in(headword: str, line: str) -> bool:
    """Return whether a line has a headword in it, case and punctuation aside."""
    return _letters(headword) in _letters(line)


def article_ideas(article: Article, source: str, options: Options) -> Iterator[IdeaRecord]:
    """Read the meanings of an article, one idea each: short ones are translations, long ones definitions."""
    headword, marks = unmarked(article.headword)
    article = article._replace(headword=headword)
    before, numbered = _numbered(_body(article))
    head = _Head(before, options)
    # What stands before the numbers is a remark; of several paragraphs, it is a meaning that has no number.
    is_remark = bool(numbered) and "\n" not in _plain(head.text)
    word = _word(article, head, head.text if is_remark else "", options)
    pos = head.pos or part_of_marks(marks, options) or (_last_part(head.text, options) if is_remark else None)
    for label, text in numbered if is_remark else [("", head.text), *numbered]:
        pos = part_of_speech(label, options) if label else pos
        idea = _meaning(word, text, source, options)
        if idea is not None:
            gender = head.gender or gender_of_marks(marks)
            yield msgspec.structs.replace(idea, pos=pos or idea.pos, gender=gender, contexts=head.contexts)


def _body(article: Article) -> str:
    """Take the headword off the text, and what is said for machines or belongs to no meaning."""
    text = _OF_SOURCE.sub("", _SEE.sub("", article.text.strip()))
    first = text.partition("\n")[0]
    written = written_headword(article.headword, first)
    return text.removeprefix(written) if written else text


def _numbered(body: str) -> tuple[str, list[tuple[str, str]]]:
    """Part a text into what stands before its meanings numbered from 1, and these, each with its label, if any."""
    before, *others = _NUMBER.split(body)
    if not others or others[1] != "1":
        return body, []
    labels, texts = others[::3], others[2::3]
    return before, [(label or "", text) for label, text in zip(labels, texts, strict=True)]


def _last_part(text: str, options: Options) -> str | None:
    """Read a part of speech that stands last before the meanings, after the inflected forms."""
    found = _LAST_ABBREVIATED.search(text.rstrip())
    return part_of_speech(found[1], options) if found else None


class _Head:
    """What stands at the beginning of an article, read piece by piece; `text` is what is left."""

    def __init__(self, text: str, options: Options) -> None:
        self.text = text
        self.ipa: str | None = None
        self.pos: str | None = None
        self.gender: str | None = None
        self.contexts: tuple[str, ...] = ()
        self.notes: list[str] = []
        self._options = options
        self.forms = self._spellings()
        while self._take():
            pass
        self.text = self.text.lstrip(" ,;:\t\n")

    def _spellings(self) -> tuple[str, ...]:
        found = _SPELLINGS.match(self.text)
        if found is None or _ABBREVIATED.match(self.text.lstrip(_PUNCTUATION)):
            return ()
        self.text = self.text[found.end() :]
        return tuple(spelling for one in found[1].split(",") if (spelling := one.strip()))

    def _take(self) -> bool:
        """Read the next piece, if it is one."""
        text = self.text.lstrip(_PUNCTUATION)
        for pattern, read in (
            (_IPA, self._read_ipa),
            (_RESPELLING, self._read_respelling),
            (_LABELS, self._read_labels),
            (_ABBREVIATED, self._read_abbreviation),
        ):
            found = pattern.match(text)
            if found is not None and read(found[found.lastindex or 0]):
                self.text = text[found.end() :]
                return True
        return False

    def _read_ipa(self, given: str) -> bool:
        self.ipa = self.ipa or given
        return True

    def _read_respelling(self, given: str) -> bool:
        if not given.startswith("\\"):
            self.notes.append(given)
        return True

    def _read_labels(self, given: str) -> bool:
        for label in (one.strip() for one in given.split(",")):
            gender = GENDERS.get(label) if label not in AMBIGUOUS_GENDERS else None
            context = self._options.values.get("context", {}).get(label)
            pos = part_of_speech(label, self._options)
            self.gender = self.gender or gender
            self.pos = self.pos or pos
            self.contexts += (context,) if context else ()
            if not (gender or pos or context):
                self.notes.append(label)
        return True

    def _read_abbreviation(self, given: str) -> bool:
        found = part_of_speech(given, self._options)
        self.pos = self.pos or found
        return found is not None or is_verb(given)


def _word(article: Article, head: _Head, rest: str, options: Options) -> WordRecord:
    """Read the headword; `rest` is what else stands before its numbered meanings."""
    origin = rest.strip()[1:-1] if rest.strip().startswith("[") and rest.strip().endswith("]") else None
    return WordRecord(
        options.own_language(),
        article.headword,
        ipa=article.ipa or head.ipa,
        origin=_plain(origin) if origin else None,
        note=joined(*head.notes, None if origin else _plain(rest)),
        forms=(*article.forms, *head.forms),
    )


def _meaning(word: WordRecord, text: str, source: str, options: Options) -> IdeaRecord | None:
    target = options.code(options.target or "en")
    examples = tuple(
        ExampleRecord(word.language, _plain(example), _plain(translation) or None)
        for example, translation in _EXAMPLE.findall(text)
    )
    note = joined(word.note, *_REMARK.findall(text))
    marked = _REMARK.sub("", _EXAMPLE.sub("", text))
    unmarked_text, marks = unmarked(marked)
    meaning = _plain(unmarked_text).strip("/ ")
    if not meaning:
        return None
    listed = meaning if "\n" in marked.strip() else _plain(marked).strip("/ ")
    translations = words_of(target, listed) if is_short(meaning) and target != word.language else ()
    return IdeaRecord(
        source,
        key_of(word.language, word.text, meaning),
        part_of_marks(marks, options) if translations else None,
        (msgspec.structs.replace(word, note=note), *translations),
        definitions=() if translations else (DefinitionRecord(target, meaning),),
        examples=examples,
    )


def _plain(text: str) -> str:
    """Take the marks of references off, and join the lines of each paragraph."""
    paragraphs = _PARAGRAPH.split(_REFERENCE.sub(r"\1", text))
    return "\n".join(line for one in paragraphs if (line := " ".join(one.split())))


def _letters(text: str) -> str:
    """Fold a text to what indexes are sorted by: letters, marks and digits, in small letters."""
    return "".join(letter.casefold() for letter in text if unicodedata.category(letter)[0] in "LMN")
