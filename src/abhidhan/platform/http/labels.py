"""How pages word what the program knows: names, sentences, labels and dates in one language of the interface."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from markupsafe import Markup

from abhidhan.platform.http.language_lists import by_letter
from abhidhan.platform.http.origins import CHANGED, Part, Theory, read_origin
from abhidhan.platform.http.preferences import DEFAULT, Interface, filled
from abhidhan.records.errors import sentence
from abhidhan.records.languages import ENGLISH, LANGUAGE_NUMBERS
from abhidhan.records.local_texts import LocalText
from abhidhan.records.submissions import AUTOMATIC_REASONS
from assamese.normalization import Script, script_of
from assamese.paradigms import Label

ASSAMESE_INTERFACE: Final = "as"
LANGUAGE_OF_LETTERS: Final = {Script.EASTERN_NAGARI: "as", Script.DEVANAGARI: "hi"}
NAMED_PARAMETER: Final = "`%(parameter)s`"
"""The placeholder by which sentences name a field to programs; people see beside which field they stand."""

SPAN: Final = Markup('<span lang="%s" dir="ltr">%s</span>')
THIS_FIELD: Final = sentence("This field")
DATE: Final = sentence("%(day)s %(month)s %(year)s")
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


class Wording:
    """The words of one language of the interface."""

    def __init__(self, language: str) -> None:
        """Take the language, one of LANGUAGES."""
        self._language = language
        self._interface = Interface(language)
        self._translate = self._interface.translations.gettext
        self._messages: dict[str, Markup] = {}

    def message(self, text: str, /, **values: object) -> Markup:
        """Translate a text of a template, and put values into it, which are escaped.

        Jinja's own extension does the same with fifty calls for each text, and a page has a hundred.
        """
        if values:
            return Markup(self._translate(text)) % values  # noqa: S704 (our own templates and translations are HTML)
        if text not in self._messages:
            self._messages[text] = Markup(self._translate(text)) % {}  # noqa: S704 (as above)
        return self._messages[text]

    def plural_message(self, singular: str, plural: str, number: int, /, **values: object) -> Markup:
        """Translate a text of a template that has a form for one and another for more."""
        return Markup(self._interface.translations.ngettext(singular, plural, number)) % values  # noqa: S704 (as above)

    def named(self, value: str) -> str:
        """Translate a value of a lookup list or the name of a language, where the catalogue has it."""
        return self._translate(value) if value else value

    def said(self, text: str) -> Markup:
        """Say a sentence of the program in the reader's language; one that has no translation is marked as English."""
        pattern = getattr(text, "pattern", text)
        known = self._translate(pattern)
        marked = self._language if known != pattern else DEFAULT
        here = known.replace(NAMED_PARAMETER, self._translate(THIS_FIELD))
        return SPAN % (marked, filled(self._language, here, text))

    def reason(self, text: str) -> str:
        """Say why something was rejected: the program's own reasons in the reader's language, others as written."""
        ours = AUTOMATIC_REASONS.get(text)
        return self.said(ours) if ours else text

    def origin(self, text: str) -> Markup:
        """Spell out where a word is from; what is not written in codes stays as it is."""
        theories = read_origin(text)
        if theories is None:
            return _marked(text)
        return Markup("; ").join(map(self._theory, theories))

    def _theory(self, theory: Theory) -> Markup:
        source = Markup(" ") + _marked(theory.source) if theory.source else Markup()
        if len(theory.parts) > 1:
            return Markup(" + ").join(map(self._part, theory.parts)) + source
        (part,) = theory.parts
        if not part.word:
            return self.said(part.donor.loan) + source
        pattern = Markup.escape(self._translate(CHANGED))
        return pattern % {"language": self.said(part.donor.name), "word": _marked(part.word)} + source

    def _part(self, part: Part) -> Markup:
        return self.said(part.donor.name) + (Markup(" ") + _marked(part.word) if part.word else Markup())

    def said_in(self, label: Label) -> str:
        """Say a label of the tables of forms, which come in both languages of the interface."""
        return label.assamese if self._language == ASSAMESE_INTERFACE else label.english

    def text_here(self, texts: Sequence[LocalText]) -> LocalText | None:
        """Choose the text in the language of the interface, or else the English one, or else the first."""
        by_language = {each.language_id: each for each in texts}
        own = by_language.get(LANGUAGE_NUMBERS[self._language])
        return own or by_language.get(ENGLISH) or next(iter(texts), None)

    def lettered(self, items: Iterable[Any]) -> list[tuple[str, Sequence[Any]]]:
        """Group languages, or what has a language, by the first letter of their names."""
        return by_letter(items, lambda item: self.named(getattr(item, "language", item).name))

    def written_day(self, text: str) -> str:
        """Write a date such as 2026-11-22 as people do."""
        year, month, number = map(int, text.split("-"))
        return self._translate(DATE) % {
            "day": self._interface.number(number),
            "month": self._translate(MONTHS[month - 1]),
            "year": self._interface.number(str(year)),
        }


def _marked(text: str) -> Markup:
    """Mark a text with the language of its letters."""
    return SPAN % (language_of(text), text)


def day(seconds: int) -> str:
    """Write a moment as the day it lies on, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def language_of(text: str) -> str:
    """Return the `lang` of a text about words by its letters, where nothing else tells it."""
    return LANGUAGE_OF_LETTERS.get(script_of(text), "en")
