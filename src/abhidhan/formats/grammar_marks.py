"""Grammatical labels in angle brackets within texts, as in FreeDict: `casa <n, f>`."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

POS_LABELS: Final = frozenset(
    {
        *("n", "noun", "nn", "s", "subst", "pn", "propn", "prop", "pron", "prn", "a", "adj", "adv", "v", "vb", "verb"),
        *("vt", "vtr", "vi", "vitr", "p", "prep", "adp", "postp", "intj", "interj", "int", "excl", "c", "conj"),
        *("num", "numeral", "det", "ptcp", "participle", "pref", "prefix", "suff", "suffix"),
    }
)
"""Labels of parts of speech."""

GENDER_BY_LABEL: Final = {
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

_BRACKETED_LABELS: Final = re.compile(r"(?<=\S)[ \t]+<([A-Za-z][A-Za-z ,./&+]{0,30})>(?=[ \t]*(?:[,;:.|/)(\[<{\n]|$))")
_LABEL_SEPARATOR: Final = re.compile(r"[ ,./&+]+")


class UnlabelledText(NamedTuple):
    """A text from which grammatical labels were removed, and the labels."""

    text: str
    labels: tuple[str, ...]


def extract_labels(text: str) -> UnlabelledText:
    """Split grammatical labels off a text; other text in angle brackets stays in it."""
    if "<" not in text:
        return UnlabelledText(text, ())
    labels: list[str] = []

    def collect_labels(match: re.Match[str]) -> str:
        names = [label for label in _LABEL_SEPARATOR.split(match[1].casefold()) if label]
        if not all(label in POS_LABELS or label in GENDER_BY_LABEL or label in OTHER_LABELS for label in names):
            return match[0]
        labels.extend(names)
        return ""

    return UnlabelledText(_BRACKETED_LABELS.sub(collect_labels, text), tuple(labels))


def find_label_gender(labels: Iterable[str]) -> str | None:
    """Return the gender named by the first gender label; None if there is none."""
    return next((GENDER_BY_LABEL[label] for label in labels if label in GENDER_BY_LABEL), None)


def format_other_labels(labels: Iterable[str]) -> str | None:
    """Format the labels other than parts of speech as a note; None if there are none."""
    return ", ".join(dict.fromkeys(label for label in labels if label not in POS_LABELS)) or None
