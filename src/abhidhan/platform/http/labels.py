"""Labels on pages in an interface language: names, origins of words, messages, dates, lists by letter."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Final, NamedTuple, TypeVar

from markupsafe import Markup

from abhidhan.platform.http.preferences import DEFAULT_LANGUAGE, InterfacePreferences, fill_pattern
from abhidhan.records.errors import Sentence, sentence
from abhidhan.records.languages import ENGLISH, LANGUAGE_IDS
from abhidhan.records.local_texts import LocalText
from abhidhan.records.submissions import AUTOMATIC_REASONS
from assamese.normalization import Script, detect_script
from assamese.paradigms import Label


class DonorLanguage(NamedTuple):
    """A source language of loans: its name, and the label of an unchanged loan from it."""

    name: Sentence
    loan: Sentence


class OriginPart(NamedTuple):
    """A component of a word's origin: a word of another language, or only the language."""

    donor: DonorLanguage
    word: str


class OriginTheory(NamedTuple):
    """A possible origin of a word: its components and the source of the claim."""

    parts: tuple[OriginPart, ...]
    source: str


_ARABIC: Final = DonorLanguage(sentence("Arabic"), sentence("from Arabic"))
_TAI_AHOM: Final = DonorLanguage(sentence("Tai-Ahom"), sentence("from Tai-Ahom"))

DONOR_LANGUAGES: Final = {
    "অ": DonorLanguage(sentence("Assamese"), sentence("from Assamese")),
    "অষ্ট্ৰ": DonorLanguage(sentence("Austroasiatic"), sentence("from Austroasiatic")),
    "আ": _ARABIC,
    "আৰ": _ARABIC,
    "আহো": _TAI_AHOM,
    "ইং": DonorLanguage(sentence("English"), sentence("from English")),
    "কা": DonorLanguage(sentence("Karbi"), sentence("from Karbi")),
    "খা": DonorLanguage(sentence("Khasi"), sentence("from Khasi")),
    "টাই": _TAI_AHOM,
    "ডি": DonorLanguage(sentence("Dimasa"), sentence("from Dimasa")),
    "তিব": DonorLanguage(sentence("Tibeto-Burman"), sentence("from Tibeto-Burman")),
    "দে": DonorLanguage(sentence("Deori"), sentence("from Deori")),
    "দেশজ": DonorLanguage(sentence("local"), sentence("a local word")),
    "নে": DonorLanguage(sentence("Nepali"), sentence("from Nepali")),
    "পা": DonorLanguage(sentence("Pali"), sentence("from Pali")),
    "পৰ্তু": DonorLanguage(sentence("Portuguese"), sentence("from Portuguese")),
    "প্ৰা": DonorLanguage(sentence("Prakrit"), sentence("from Prakrit")),
    "ফা": DonorLanguage(sentence("Persian"), sentence("from Persian")),
    "ব": DonorLanguage(sentence("Bodo"), sentence("from Bodo")),
    "বাং": DonorLanguage(sentence("Bengali"), sentence("from Bengali")),
    "মি": DonorLanguage(sentence("Mising"), sentence("from Mising")),
    "সং": DonorLanguage(sentence("Sanskrit"), sentence("from Sanskrit")),
    "হি": DonorLanguage(sentence("Hindi"), sentence("from Hindi")),
}
"""Source languages by their codes in data and responses."""

ADAPTED_LOAN: Final = sentence("from %(language)s %(word)s")
"""Label of an adapted loan: its source language and the word there."""

_THEORY_PATTERN: Final = re.compile(r"(?P<parts>[^()]+?)\s*(?P<source>\([^()]*\))?")
_PART_PATTERN: Final = re.compile(r"(?P<code>[^\s.+]+)\s*(?:\.\s*(?P<word>.*))?")


def parse_origin(text: str) -> tuple[OriginTheory, ...] | None:
    """Parse the origin of a word; return None for a text that is not in XOBDO's notation.

    `সং` is an unchanged loan from Sanskrit, `ফা. বাজাৰ` an adapted one from that Persian word. Components of a compound
    are joined by +, alternative theories are separated by semicolons, and a source in brackets follows its theory.
    """
    theories = [_parse_theory(theory.strip()) for theory in text.split(";")]
    return tuple(theory for theory in theories if theory) if all(theories) else None


def _parse_theory(text: str) -> OriginTheory | None:
    match = _THEORY_PATTERN.fullmatch(text)
    parts = [_parse_part(each.strip()) for each in match["parts"].split("+")] if match else []
    if match is None or not all(parts):
        return None
    return OriginTheory(tuple(each for each in parts if each), match["source"] or "")


def _parse_part(text: str) -> OriginPart | None:
    match = _PART_PATTERN.fullmatch(text)
    donor = DONOR_LANGUAGES.get(match["code"]) if match else None
    return OriginPart(donor, match["word"] or "") if match and donor else None


ASSAMESE_INTERFACE: Final = "as"
SCRIPT_LANGUAGES: Final = {Script.EASTERN_NAGARI: "as", Script.DEVANAGARI: "hi"}
PARAMETER_PLACEHOLDER: Final = "`%(parameter)s`"
"""The parameter's name in messages, replaced by `THIS_FIELD` on pages, which show the message next to the field."""

ASSAMESE_WORDS: Final = re.compile("-?[\u0980-\u09ff]+(?:[ ,]+[\u0980-\u09ff]+)*-?")
LANGUAGE_SPAN: Final = Markup('<span lang="%s" dir="ltr">%s</span>')
THIS_FIELD: Final = sentence("This field")
DATE_PATTERN: Final = sentence("%(day)s %(month)s %(year)s")
MONTHS: Final = (
    sentence("January"),
    sentence("February"),
    sentence("March"),
    sentence("April"),
    sentence("May"),
    sentence("June"),
    sentence("July"),
    sentence("August"),
    sentence("September"),
    sentence("October"),
    sentence("November"),
    sentence("December"),
)


GRAMMAR_LABELS: Final = {
    "Common Noun": sentence("noun"),
    "Proper Noun": sentence("proper noun"),
    "Material Noun": sentence("noun"),
    "Verbal Noun": sentence("verbal noun"),
    "Abstract Noun": sentence("noun"),
    "Noun": sentence("noun"),
    "Pronoun": sentence("pronoun"),
    "Proper Adjective": sentence("adjective"),
    "Verbal Adjective": sentence("verbal adjective"),
    "Adjective Adjective": sentence("adjective"),
    "Adjective": sentence("adjective"),
    "Adverb": sentence("adverb"),
    "Transitive": sentence("transitive verb"),
    "Intransitive": sentence("intransitive verb"),
    "Verb": sentence("verb"),
    "Adposition": sentence("preposition or postposition"),
    "Interjection": sentence("interjection"),
    "Conjunction": sentence("conjunction"),
    "Prefix": sentence("prefix"),
    "Suffix": sentence("suffix"),
    "Masculine": sentence("masculine"),
    "Feminine": sentence("feminine"),
    "Common": sentence("masculine or feminine"),
    "Neuter": sentence("neuter"),
    "Hypernym": sentence("broader"),
    "Hyponym": sentence("narrower"),
    "Holonym": sentence("whole"),
    "Meronym": sentence("part"),
}
"""Labels of parts of speech, genders and relations on pages, by their stored values in the lookup lists."""

ENGLISH_PAGE_NAMES: Final = {
    "All": "All subjects",
    "Card edited": "Flashcard edited",
    "Insects and life in the water": "Insects and water animals",
    "Name the small animal in English.": "What is this animal called in English?",
    "Vegetables and food": "Food and vegetables",
    "Names of emoji, regions and languages taken over by a script; not reviewed one by one.": (
        "Names of emoji, regions and languages, imported automatically; not checked individually."
    ),
    "Not yet reviewed by a speaker of the language.": "Not yet checked by a speaker.",
    "Not yet reviewed by a speaker of the languages.": "Not yet checked by a speaker.",
    "Spelling lightly modernised. Not yet reviewed by a speaker of the language.": (
        "Spelling lightly modernised. Not yet checked by a speaker."
    ),
}
"""Names of the starter's lists, card sets and sources on English pages; files and the API use the stored ones."""


class Wording:
    """Labels and messages in one interface language."""

    def __init__(self, language: str) -> None:
        """`language` is one of `INTERFACE_LANGUAGES`."""
        self._language = language
        self._interface = InterfacePreferences(language)
        self._translate = self._interface.translations.gettext
        self._messages: dict[str, Markup] = {}

    def translate_template_text(self, text: str, /, **values: object) -> Markup:
        """Translate a text of a template, and insert values, which are escaped.

        Jinja's own extension makes fifty calls for each text, and a page has a hundred texts.
        """
        if values:
            return Markup(self._translate(text)) % values  # noqa: S704 (our own templates and translations are HTML)
        if text not in self._messages:
            self._messages[text] = Markup(self._translate(text)) % {}  # noqa: S704 (as above)
        return self._messages[text]

    def translate_plural(self, singular: str, plural: str, number: int, /, **values: object) -> Markup:
        """Translate a text of a template that has a singular and a plural form, by `number`."""
        return Markup(self._interface.translations.ngettext(singular, plural, number)) % values  # noqa: S704 (as above)

    def translate_name(self, value: str) -> str:
        """Return the name of a list value, language, card set or source in the interface language."""
        if self._language == DEFAULT_LANGUAGE:
            return ENGLISH_PAGE_NAMES.get(value, value)
        return self._translate(value) if value else value

    def translate_grammar(self, value: str) -> str:
        """Return the label of a part of speech, a gender or a relation, in lower case as in dictionaries."""
        return self._translate(str(GRAMMAR_LABELS[value])) if value in GRAMMAR_LABELS else self.translate_name(value)

    def translate(self, text: str) -> Markup:
        """Translate a message of the program; without a translation, mark it as English."""
        pattern = getattr(text, "pattern", text)
        translation = self._translate(pattern)
        marked = self._language if translation != pattern else DEFAULT_LANGUAGE
        here = translation.replace(PARAMETER_PLACEHOLDER, self._translate(THIS_FIELD))
        return LANGUAGE_SPAN % (marked, fill_pattern(self._language, here, text))

    def translate_reason(self, text: str) -> str:
        """Return a reason for rejection: the program's own reasons translated, others unchanged."""
        automatic_reason = AUTOMATIC_REASONS.get(text)
        return self.translate(automatic_reason) if automatic_reason else text

    def format_origin(self, text: str) -> Markup:
        """Format the origin of a word as text; an origin that is not in XOBDO's notation stays unchanged."""
        theories = parse_origin(text)
        if theories is None:
            return _mark_language(text)
        return Markup("; ").join(map(self._format_theory, theories))

    def _format_theory(self, theory: OriginTheory) -> Markup:
        source = Markup(" ") + _mark_language(theory.source) if theory.source else Markup()
        if len(theory.parts) > 1:
            return Markup(" + ").join(map(self._format_origin_part, theory.parts)) + source
        (part,) = theory.parts
        if not part.word:
            return self.translate(part.donor.loan) + source
        pattern = Markup.escape(self._translate(ADAPTED_LOAN))
        return pattern % {"language": self.translate(part.donor.name), "word": _mark_language(part.word)} + source

    def _format_origin_part(self, part: OriginPart) -> Markup:
        return self.translate(part.donor.name) + (Markup(" ") + _mark_language(part.word) if part.word else Markup())

    def inflection_label(self, label: Label) -> Markup:
        """Return a label of the inflection tables in the interface language; Assamese words in it get their `lang`."""
        if self._language == ASSAMESE_INTERFACE:
            return Markup.escape(label.assamese)
        english = str(Markup.escape(label.english))
        return Markup(ASSAMESE_WORDS.sub(r'<span lang="as">\g<0></span>', english))  # noqa: S704 (the text is escaped)

    def select_text(self, texts: Sequence[LocalText]) -> LocalText | None:
        """Return the text in the interface language, otherwise in English, otherwise the first."""
        by_language = {each.language_id: each for each in texts}
        local_text = by_language.get(LANGUAGE_IDS[self._language])
        return local_text or by_language.get(ENGLISH) or next(iter(texts), None)

    def group_by_letter(self, items: Iterable[Any]) -> list[tuple[str, Sequence[Any]]]:
        """Group languages, or items with a language, by the first letter of the language's name."""
        return group_by_letter(items, lambda item: self.translate_name(getattr(item, "language", item).name))

    def join_names(self, names: Iterable[str]) -> str:
        """Join names as an enumeration: "Assamese, Hindi and Bengali"."""
        *first, last = names
        return self._translate("%(first)s and %(last)s") % {"first": ", ".join(first), "last": last} if first else last

    def format_date(self, text: str) -> str:
        """Format a date such as 2026-11-22 for readers."""
        year, month, number = map(int, text.split("-"))
        return self._translate(DATE_PATTERN) % {
            "day": self._interface.number(number),
            "month": self._translate(MONTHS[month - 1]),
            "year": self._interface.number(str(year)),
        }

    def format_day(self, seconds: int) -> str:
        """Format the day of a timestamp for readers, in UTC."""
        return self.format_date(format_iso_day(seconds))

    def format_moment(self, seconds: int) -> str:
        """Format a timestamp as day and time, in UTC."""
        time = datetime.fromtimestamp(seconds, UTC).strftime("%H:%M")
        return f"{self.format_day(seconds)}, {self._interface.number(time)}"


def _mark_language(text: str) -> Markup:
    """Wrap a text in an element with the language of its script."""
    return LANGUAGE_SPAN % (detect_language(text), text)


def format_iso_day(seconds: int) -> str:
    """Return the day of a timestamp in UTC, in ISO format."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def detect_language(text: str) -> str:
    """Return the likely `lang` of a text, by its script."""
    return SCRIPT_LANGUAGES.get(detect_script(text), "en")


T = TypeVar("T")


def first_letter(name: str) -> str:
    """Return the letter under which a name is listed: an unaccented capital, or a letter of another script."""
    letter = next((character for character in name if character.isalpha()), "#")
    return unicodedata.normalize("NFD", letter)[0].upper()


def group_by_letter(items: Iterable[T], name_of: Callable[[T], str]) -> list[tuple[str, Sequence[T]]]:
    """Group items by the first letter of their names, in the order of the letters.

    Names in other scripts come before those in ASCII letters.
    """
    originals = list(items)
    keyed = sorted(
        (first_letter(name_of(item)), name_of(item).casefold(), index) for index, item in enumerate(originals)
    )
    ordered = sorted(keyed, key=lambda each: each[0].isascii())
    groups = groupby(ordered, key=lambda each: each[0])
    return [(letter, [originals[index] for _, _, index in group]) for letter, group in groups]


def filter_by_name(items: Iterable[T], query: str, names_of: Callable[[T], Iterable[str | None]]) -> list[T]:
    """Return the items with a name that starts with the given text, then those with a name that contains it."""
    needle = query.strip().casefold()
    starting: list[T] = []
    containing: list[T] = []
    for item in items:
        names = [name.casefold() for name in names_of(item) if name]
        if any(name.startswith(needle) for name in names):
            starting.append(item)
        elif any(needle in name for name in names):
            containing.append(item)
    return starting + containing
