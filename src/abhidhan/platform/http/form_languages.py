"""The languages that forms ask words and texts in, and name first."""

from typing import Final

from abhidhan.platform.http.rendering import PageRequest, readers_of
from abhidhan.records.catalogue import Catalogue
from abhidhan.records.language_preferences import USUAL
from abhidhan.records.languages import Language

MOST_OWN: Final = 6
"""In so many languages a form asks for words at most."""


def own_languages(request: PageRequest, catalogue: Catalogue) -> tuple[Language, ...]:
    """Return the languages of whoever asks: that of the interface, English, Assamese, and those they have chosen."""
    reader = readers_of(request)
    found = (catalogue.find_language(code) for code in (reader.interface, *USUAL, *reader.chosen))
    return tuple({language.id: language for language in found if language}.values())[:MOST_OWN]
