"""HTML that stands a hundred times on a page: written here, as a macro takes five times as long."""

from functools import cache

from markupsafe import Markup, escape

from abhidhan.platform.http.urls import word_address
from abhidhan.records.languages import Language


@cache
def lang(language: Language) -> Markup:
    """Return the attributes that tell in which language a text is and which way it is written."""
    return Markup('lang="%s" dir="%s"') % (language.code, language.direction)


def marked_text(text: str, language: Language) -> Markup:
    """Mark a text with its language."""
    return Markup(f"<span {lang(language)}>{escape(text)}</span>")  # noqa: S704 (the text is escaped)


def word_link(text: str, language: Language, css_class: str = "", starred: int = 0) -> Markup:
    """Write a word as a link to its page; `starred` is the ID of a word that a star may stand beside."""
    attributes = (f'class="{css_class}" ' if css_class else "") + (f'data-star="{starred}" ' if starred else "")
    address = escape(word_address(text))
    return Markup(f'<a {attributes}{lang(language)} href="{address}">{escape(text)}</a>')  # noqa: S704 (as above)
