"""Grammatical labels in angle brackets within texts, as in FreeDict: `casa <n, f>`."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

PARTS: Final = frozenset(
    {
        *("n", "noun", "nn", "s", "subst", "pn", "propn", "prop", "pron", "prn", "a", "adj", "adv", "v", "vb", "verb"),
        *("vt", "vtr", "vi", "vitr", "p", "prep", "adp", "postp", "intj", "interj", "int", "excl", "c", "conj"),
        *("num", "numeral", "det", "ptcp", "participle", "pref", "prefix", "suff", "suffix"),
    }
)
"""Labels of parts of speech."""

GENDERS: Final = {
    **dict.fromkeys(("m", "masc", "masculine", "mpl"), "Masculine"),
    **dict.fromkeys(("f", "fem", "feminine", "fpl"), "Feminine"),
    **dict.fromkeys(("nt", "neut", "neuter", "npl"), "Neuter"),
}
"""Labels of genders; `n` and `c` are missing, since alone they mean noun and conjunction."""

OTHER_LABELS: Final = frozenset(
    {
        *("sg", "pl", "cpl", "mf", "mfpl", "inv", "indecl", "refl", "vr", "vti", "vp", "vneg", "aux", "auxv", "mv"),
        *("phrv", "phrvt", "phrvi", "phr", "idm", "idiom", "abbr", "acron", "dim"),
        *("comp", "sup", "superl", "interro", "rel", "art", "artd", "arti", "pers", "poss", "ppron", "impers"),
    }
)
"""Labels that are neither parts of speech nor genders."""

_MARK: Final = re.compile(r"(?<=\S)[ \t]+<([A-Za-z][A-Za-z ,./&+]{0,30})>(?=[ \t]*(?:[,;:.|/)(\[<{\n]|$))")
_LABEL_SEPARATOR: Final = re.compile(r"[ ,./&+]+")


class UnmarkedText(NamedTuple):
    """A text from which grammatical labels were removed, and the labels."""

    text: str
    labels: tuple[str, ...]


def remove_marks(text: str) -> UnmarkedText:
    """Split grammatical labels off a text; other text in angle brackets stays in it."""
    if "<" not in text:
        return UnmarkedText(text, ())
    labels: list[str] = []

    def take(match: re.Match[str]) -> str:
        names = [label for label in _LABEL_SEPARATOR.split(match[1].casefold()) if label]
        if not all(label in PARTS or label in GENDERS or label in OTHER_LABELS for label in names):
            return match[0]
        labels.extend(names)
        return ""

    return UnmarkedText(_MARK.sub(take, text), tuple(labels))


def gender_of_marks(labels: Iterable[str]) -> str | None:
    """Return the gender named by the first gender label; None if there is none."""
    return next((GENDERS[label] for label in labels if label in GENDERS), None)


def other_marks(labels: Iterable[str]) -> str | None:
    """Format the labels other than parts of speech as a note; None if there are none."""
    return ", ".join(dict.fromkeys(label for label in labels if label not in PARTS)) or None
