"""Origins of words: what their codes stand for.

An origin is written as XOBDO writes it. `সং` is an unchanged loan from Sanskrit, `ফা. বাজাৰ` a changed one from that
Persian word; parts of a compound stand with + between them, several theories with semicolons, and a source in brackets
behind its theory.
"""

import re
from typing import Final, NamedTuple

from abhidhan.records.errors import Sentence, sentence


class Donor(NamedTuple):
    """A language that words come from: its name, and how an unchanged loan from it is called."""

    name: Sentence
    loan: Sentence


class Part(NamedTuple):
    """A word of another language, or only that language."""

    donor: Donor
    word: str


class Theory(NamedTuple):
    """Where a word may be from: the parts it is made of, and who says so."""

    parts: tuple[Part, ...]
    source: str


_ARABIC: Final = Donor(sentence("Arabic"), sentence("from Arabic"))
_TAI_AHOM: Final = Donor(sentence("Tai-Ahom"), sentence("from Tai-Ahom"))

DONORS: Final = {
    "অ": Donor(sentence("Assamese"), sentence("from Assamese")),
    "অষ্ট্ৰ": Donor(sentence("Austroasiatic"), sentence("from Austroasiatic")),
    "আ": _ARABIC,
    "আৰ": _ARABIC,
    "আহো": _TAI_AHOM,
    "ইং": Donor(sentence("English"), sentence("from English")),
    "কা": Donor(sentence("Karbi"), sentence("from Karbi")),
    "খা": Donor(sentence("Khasi"), sentence("from Khasi")),
    "টাই": _TAI_AHOM,
    "ডি": Donor(sentence("Dimasa"), sentence("from Dimasa")),
    "তিব": Donor(sentence("Tibeto-Burman"), sentence("from Tibeto-Burman")),
    "দে": Donor(sentence("Deori"), sentence("from Deori")),
    "দেশজ": Donor(sentence("local"), sentence("a local word")),
    "নে": Donor(sentence("Nepali"), sentence("from Nepali")),
    "পা": Donor(sentence("Pali"), sentence("from Pali")),
    "পৰ্তু": Donor(sentence("Portuguese"), sentence("from Portuguese")),
    "প্ৰা": Donor(sentence("Prakrit"), sentence("from Prakrit")),
    "ফা": Donor(sentence("Persian"), sentence("from Persian")),
    "ব": Donor(sentence("Bodo"), sentence("from Bodo")),
    "বাং": Donor(sentence("Bengali"), sentence("from Bengali")),
    "মি": Donor(sentence("Mising"), sentence("from Mising")),
    "সং": Donor(sentence("Sanskrit"), sentence("from Sanskrit")),
    "হি": Donor(sentence("Hindi"), sentence("from Hindi")),
}
"""The languages by the codes that stand in data and answers."""

CHANGED: Final = sentence("from %(language)s %(word)s")
"""A loan that has changed: the language it is from, and the word there."""

_THEORY: Final = re.compile(r"(?P<parts>[^()]+?)\s*(?P<source>\([^()]*\))?")
_PART: Final = re.compile(r"(?P<code>[^\s.+]+)\s*(?:\.\s*(?P<word>.*))?")


def read_origin(text: str) -> tuple[Theory, ...] | None:
    """Read an origin; return None for a text that is not written in codes."""
    theories = [_theory(each.strip()) for each in text.split(";")]
    return tuple(each for each in theories if each) if all(theories) else None


def _theory(text: str) -> Theory | None:
    found = _THEORY.fullmatch(text)
    parts = [_part(each.strip()) for each in found["parts"].split("+")] if found else []
    if found is None or not all(parts):
        return None
    return Theory(tuple(each for each in parts if each), found["source"] or "")


def _part(text: str) -> Part | None:
    found = _PART.fullmatch(text)
    donor = DONORS.get(found["code"]) if found else None
    return Part(donor, found["word"] or "") if found and donor else None
