"""The languages that somebody reads: what forms ask words and texts in, and name first."""

import re
from typing import Final

from abhidhan.domain.catalogue import Catalogue
from abhidhan.domain.languages import Language
from abhidhan.web.pages.interface import interface_of
from abhidhan.web.pages.rendering import PageRequest

LANGUAGES_COOKIE: Final = "languages"
"""The cookie of the languages that a reader has chosen: codes, with a full stop or a comma between."""

USUAL: Final = ("en", "as")
MOST_OWN: Final = 6
"""In so many languages a form asks for words at most."""

_BETWEEN: Final = re.compile(r"[.,\s]+")


def own_languages(request: PageRequest, catalogue: Catalogue) -> tuple[Language, ...]:
    """Return the languages of whoever asks: that of the interface, English, Assamese, and those they have chosen."""
    interface = interface_of(request.scope, request.query_params.get("interface")).language
    chosen = _BETWEEN.split(request.cookies.get(LANGUAGES_COOKIE, ""))[:MOST_OWN]
    found = (catalogue.find_language(code) for code in (interface, *USUAL, *chosen) if code)
    return tuple({language.id: language for language in found if language}.values())[:MOST_OWN]
