"""Which meanings of a Wiktextract entry its translations, synonyms and other related words belong to."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from abhidhan.formats.wiktextract.entries import RELATIONS, Entry, Linked
from assamese.normalization import nfc

NO_SENSES: Final = frozenset({"translations", "translations to be checked"})
"""What stands above a table of translations that names no sense."""

_BETWEEN_WORDS: Final = re.compile(r"[\s.,;:!?()\[\]\"“”„…]+")


class Links(NamedTuple):
    """Other words of a meaning, what translations call it, and notes on related words."""

    translations: list[Linked]
    synonyms: list[Linked]
    glosses: list[str]
    notes: list[str]


def links_of(entry: Entry) -> tuple[list[Links], dict[str, list[Linked]]]:
    """Sort the words by meaning. Translations of a sense that is none of them are returned under its name."""
    meanings = entry.meanings
    places = _Places(entry)
    links = [Links([*one.translations], [*one.synonyms], [], []) for one in meanings]
    others: dict[str, list[Linked]] = {}
    for one in entry.translations:
        place = places.find(one)
        if place is None:
            others.setdefault(_sense_name(one), []).append(one)
        else:
            links[place].translations.append(one)
            links[place].glosses.append(_sense_name(one))
    for one in entry.synonyms:
        if (place := places.find(one)) is not None:
            links[place].synonyms.append(one)
    for name in RELATIONS:
        related = [[*getattr(one, name)] for one in meanings]
        for one in getattr(entry, name):
            if (place := places.find(one)) is not None:
                related[place].append(one)
        for link, found in zip(links, related, strict=True):
            if words := ", ".join(dict.fromkeys(one.word for one in found if one.word)):
                link.notes.append(f"{name}: {words}")
    return links, others


@lru_cache(4096)
def plain(text: str | None) -> str:
    """Write a text without punctuation and in small letters, to compare it."""
    return _BETWEEN_WORDS.sub(" ", nfc(text or "").casefold()).strip()


def _sense_name(one: Linked) -> str:
    return "" if plain(one.sense) in NO_SENSES else one.sense or ""


class _Places:
    """The meanings of an entry by their glosses and numbers."""

    def __init__(self, entry: Entry) -> None:
        meanings = entry.meanings
        self._glosses = [plain(one.glosses[-1]) for one in meanings]
        self._numbers: dict[str, int] = {}
        for place, one in enumerate(meanings):
            names = one.senseid if isinstance(one.senseid, list) else [one.senseid]
            self._numbers |= {str(name): place for name in (one.sense_index, *names) if name}
        if not self._numbers:
            # The French edition counts senses without giving them numbers.
            self._numbers = {str(entry.senses.index(one) + 1): place for place, one in enumerate(meanings)}

    def find(self, one: Linked) -> int | None:
        """Return the place of the meaning that a word names: by its gloss, its number, or as the only one."""
        said = plain(_sense_name(one))
        if said in self._glosses:
            return self._glosses.index(said)
        number = one.sense_index or one.sense_id
        if number and str(number) in self._numbers:
            return self._numbers[str(number)]
        begun = [place for place, gloss in enumerate(self._glosses) if said and gloss.startswith(f"{said} ")]
        if len(begun) == 1 or len(self._glosses) == 1:
            return begun[0] if begun else 0
        return None
