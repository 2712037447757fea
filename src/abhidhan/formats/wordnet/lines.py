"""Lines of Princeton WordNet's data files, taken apart as wndb(5WN) describes them, and what no record holds."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from abhidhan.formats.pos_mapping import ABSTRACT, MATERIAL, VERBAL

NOUNS: Final = {4: VERBAL, 7: ABSTRACT, 9: ABSTRACT, 12: ABSTRACT, 16: ABSTRACT, 26: ABSTRACT, 27: MATERIAL}
"""Kinds of nouns by lexicographer file: act, attribute, cognition, feeling, motive, state, substance."""

CONTEXTS: Final = {
    5: "Animal",
    8: "Anatomy",
    13: "Food",
    15: "Place",
    20: "Botany",
    28: "Time",
}
"""Contexts by lexicographer file: animal, body, food, location, plant, time."""

POINTERS: Final = {
    "@": "Hypernym",
    "@i": "Hypernym",
    "#m": "Holonym",
    "#s": "Holonym",
    "#p": "Holonym",
    "!": "Antonym",
    "&": "Near-synonym",
    "$": "Near-synonym",
    "^": "Related",
    "=": "Related",
    ">": "Effect",
    "<": "Derived from",
    "\\": "Derived from",
}
"""Pointers that become relations."""

INVERSES: Final = frozenset({"~", "~i", "%m", "%s", "%p"})
"""Pointers whose inverses become relations: hyponyms and meronyms."""

INSTANCE: Final = "@i"
"""The pointer of what has a name of its own: it is a proper noun."""

SATELLITE: Final = "s"
FIRST: Final = "0"
"""The `lex_id` of a word that the lexicographer file has once."""

ALL_WORDS: Final = "0000"
"""What `source/target` is where a pointer holds for all words of both synsets."""

_EXAMPLE: Final = re.compile(r'"([^"]+)"')
_MARKER: Final = re.compile(r"\((a|p|ip)\)$")
_BETWEEN: Final = re.compile(r"[;\s]+")


class Pointer(NamedTuple):
    """What leads to another synset."""

    symbol: str
    offset: str
    letter: str
    words: str

    @property
    def key(self) -> str:
        """What the other synset is called here."""
        return f"{self.offset}-{'a' if self.letter == SATELLITE else self.letter}"


class SynsetLine(NamedTuple):
    """A synset as its line tells it. `forms` are words with their markers, `ids` the `lex_id` of each."""

    key: str
    file_number: int
    type: str
    forms: list[str]
    ids: list[str]
    pointers: list[Pointer]
    frames: list[int]
    definition: str
    examples: list[str]
    rest: str
    """What a gloss holds besides: who has said an example."""

    @property
    def words(self) -> list[str]:
        """The words, underscores and all, without markers."""
        return [_MARKER.sub("", form) for form in self.forms]


def read_synset(line: str, letter: str) -> SynsetLine:
    """Take a line apart. Raises ValueError or IndexError."""
    data, _, gloss = line.partition(" | ")
    fields = data.split()
    count = int(fields[3], 16)
    start = 4 + 2 * count
    pointers = int(fields[start])
    if max(count, pointers) > len(fields):
        raise ValueError
    frames = fields[start + 3 + 4 * pointers :: 3] if letter == "v" else []
    cut = gloss.find('; "')
    quoted = gloss[cut:] if cut >= 0 else ""
    return SynsetLine(
        f"{fields[0]}-{letter}",
        int(fields[1]),
        fields[2],
        fields[4:start:2],
        fields[5:start:2],
        [Pointer(*fields[start + 1 + 4 * n : start + 5 + 4 * n]) for n in range(pointers)],
        [int(number) for number in frames],
        (gloss[:cut] if cut >= 0 else gloss).strip().rstrip(";"),
        _EXAMPLE.findall(gloss),
        _BETWEEN.sub(" ", _EXAMPLE.sub("", quoted)).strip(),
    )


def lost_values(synset: SynsetLine) -> Iterator[tuple[str, str]]:
    """Yield what no record holds of a synset, each value with the name that wndb(5WN) gives its field."""
    is_proper = any(one.symbol == INSTANCE for one in synset.pointers)
    if synset.file_number not in CONTEXTS and (is_proper or synset.file_number not in NOUNS):
        yield "lex_filenum", f"{synset.file_number:02}"
    if synset.type == SATELLITE:
        yield "ss_type", synset.type
    yield from (("lex_id", number) for number in synset.ids if number != FIRST)
    yield from (("syntactic marker", found[1]) for form in synset.forms if (found := _MARKER.search(form)))
    for one in synset.pointers:
        is_kept = one.symbol in POINTERS and one.key != synset.key
        if not is_kept and one.symbol not in INVERSES:
            yield f"ptr {one.symbol}", one.key
        elif is_kept and one.words != ALL_WORDS:
            yield "ptr source/target", one.words
    yield from (("f_num", str(number)) for number in synset.frames)
    if synset.rest:
        yield "gloss", synset.rest
