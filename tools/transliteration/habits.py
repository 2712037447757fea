"""Simulation of writers with random spelling habits for Assamese in Roman letters.

The collected pairs follow few habits (অ as o, স as x, চ as s), while other people write a, s, sh, ch, v, z. The habits
and their shares are a linguist's estimate from XOBDO's notes on informal Roman, Gurdon's and IE-CoR's romanizations,
and everyday names; none comes from the test pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assamese.joint_ngram import JointUnit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    Writer = Mapping[str, str]

HABITS: Final[Mapping[str, Mapping[str, float]]] = {
    "inherent": {"o": 0.62, "a": 0.20, "mixed": 0.18},
    "sibilant": {"x": 0.44, "s": 0.24, "sh": 0.16, "h": 0.11, "kh": 0.05},
    "চ": {"s": 0.55, "ch": 0.35, "c": 0.10},
    "ছ": {"s": 0.55, "ch": 0.33, "chh": 0.12},
    "জ": {"j": 0.85, "z": 0.15},
    "য": {"j": 0.88, "y": 0.12},
    "ং": {"ng": 0.72, "n": 0.28},
    "ফ": {"f": 0.60, "ph": 0.40},
    "ভ": {"bh": 0.85, "v": 0.15},
    "ব": {"b": 0.92, "v": 0.08},
    "ৱ": {"w": 0.70, "b": 0.15, "v": 0.15},
    "্য": {"y": 0.66, "i": 0.08, "j": 0.08, "doubled": 0.18},
    "ক্ষ": {"kh y": 0.45, "k h": 0.18, "kk h": 0.15, "k sh": 0.22},
    "জ্ঞ": {"g y": 0.80, "j n": 0.12, "g n": 0.08},
    "ো": {"u": 0.50, "o": 0.50},
    "length": {"short": 0.85, "double": 0.15},
    "া": {"a": 0.85, "aa": 0.15},
    "glide": {"written": 0.70, "left out": 0.30},
    "nasal": {"left out": 0.60, "n": 0.40},
    "ঃ": {"h": 0.50, "doubled": 0.35, "left out": 0.15},
    "joined ৱ": {"written": 0.75, "left out": 0.25},
    "aspiration": {"written": 0.90, "sometimes": 0.10},
}
"""Habits by kind, with the shares of writers who have them."""

_DOUBLING_LETTERS: Final = frozenset({"্য", "ঃ"})
_DOUBLED_CONSONANTS: Final = frozenset("bcdfgjklmnpqstvwz")
_JOINED_W: Final = frozenset({JointUnit("w", "্ৱ"), JointUnit("b", "্ৱ"), JointUnit("w", "্ব"), JointUnit("b", "্ব")})
_BEFORE_SILENT_W: Final = frozenset("শষসতদজধ")
_ASPIRATES: Final = frozenset({"kh", "gh", "th", "dh", "bh", "jh"})
_SAME_HABIT: Final = {"য": "জ", "ও": "ো", "আ": "া"}
_ORDINARY_SPELLINGS: Final = {
    "চ": {"s", "c", "ch"},
    "ছ": {"s", "c", "ch"},
    "জ": {"j"},
    "য": {"j"},
    "ফ": {"f", "ph"},
    "ভ": {"bh"},
    "ব": {"b"},
    "ৱ": {"w", "b"},
    "্য": {"y"},
}
"""Letters spelled by habit, with their ordinary spellings; other spellings, such as English ones, are not changed."""
_CLUSTERS: Final = {("ক", "্ষ"): "ক্ষ", ("জ", "্ঞ"): "জ্ঞ"}
_SIBILANTS: Final = {
    "x": {},
    "s": dict.fromkeys("শষস", "s"),
    "sh": {"শ": "sh", "ষ": "sh", "স": "s"},
    "h": dict.fromkeys("শষস", "h"),
    "kh": dict.fromkeys("শষস", "kh"),
}
_VELAR_SPELLINGS: Final = frozenset({"h", "kh"})
"""Spellings of the velar fricative. A sibilant pronounced s (before ট and ত) is always spelled s."""
_DOUBLED_VOWELS: Final = {"ী": "ee", "ঈ": "ee", "ূ": "oo", "ঊ": "oo"}
_OPEN_VOWELS: Final = {"": ("o", "a"), "অ": ("o", "a"), "ৈ": ("oi", "ai"), "ঐ": ("oi", "ai"), "ৌ": ("ou", "au")}
"""Spellings of the inherent vowel, and of diphthongs that start with it, by o-writers and a-writers."""

_INITIAL_A_RATE: Final = 0.15
_FINAL_VOWEL_DROP_RATE: Final = 0.30
_INNER_VOWEL_DROP_RATE: Final = 0.03
_HABIT_RATE: Final = 0.80
_GEMINATE_SIMPLIFICATION_RATE: Final = 0.15
_FLAP_ASPIRATION_RATES: Final = {"ঢ়": 0.60, "ড়": 0.33}
_EVEN_CHANCE: Final = 0.5


def random_writer(random: Random) -> Writer:
    """Return a random writer: one habit of each kind."""
    return {kind: random.choices([*shares], [*shares.values()])[0] for kind, shares in HABITS.items()}


def respell_units(units: Sequence[JointUnit], random: Random) -> tuple[JointUnit, ...]:
    """Return the aligned units of an Assamese word in the spelling of a random writer."""
    writer = random_writer(random)
    units = [part for unit in units for part in _split_nasal(unit, writer)]
    romans = [_spell(units, at, writer, random) for at in range(len(units))]
    written: list[JointUnit] = []
    for unit, roman in zip(units, romans, strict=True):
        if roman:
            written.append(JointUnit(roman, unit.target))
        elif written:
            written[-1] = JointUnit(written[-1].source, written[-1].target + unit.target)
        else:
            written.append(unit)
    return tuple(written)


def _split_nasal(unit: JointUnit, writer: Writer) -> tuple[JointUnit, ...]:
    """Split off a separate n for the nasal sign, if the writer spells it."""
    sign, rest = unit.target[:1], unit.target[1:]
    if sign == "ঁ" and rest and writer["nasal"] == "n" and unit.source not in {"n", "o"}:
        return (JointUnit("n", sign), JointUnit(unit.source, rest))
    return (unit,)


def _spell(units: Sequence[JointUnit], index: int, writer: Writer, random: Random) -> str:
    """Return the Roman letters that the writer uses for a unit; empty if the writer omits it."""
    roman, native = units[index]
    if (joined := _spell_dependent_letter(units, index, writer)) is not None:
        return joined
    if (
        native[:1] == "্"
        and native[1:] == _previous_letter(units, index).removeprefix("্")
        and random.random() < _GEMINATE_SIMPLIFICATION_RATE
    ):
        return ""
    if native in _OPEN_VOWELS and roman == _OPEN_VOWELS[native][0]:
        return _spell_open_vowel(native, (index, len(units)), writer, random)
    if native in {"য়", "ৱ"} and roman in {"y", "w"} and writer["glide"] == "left out":
        return _spell_glide(units, index)
    return _spell_by_habit(units[index], writer, random)


def _previous_letter(units: Sequence[JointUnit], index: int) -> str:
    return units[index - 1].target if index else ""


def _spell_dependent_letter(units: Sequence[JointUnit], index: int, writer: Writer) -> str | None:
    """Spell a letter whose pronunciation depends on its neighbour; return None for other letters."""
    before, native = _previous_letter(units, index), units[index].target
    after = units[index + 1].target if index + 1 < len(units) else ""
    if (native, after) in _CLUSTERS:
        return writer[_CLUSTERS[native, after]].split()[0]
    if (before, native) in _CLUSTERS:
        return writer[_CLUSTERS[before, native]].split()[1]
    if native in _DOUBLING_LETTERS:
        return {"doubled": _spell_doubled_letter(units, index), "left out": ""}.get(writer[native])
    if units[index] in _JOINED_W and before in _BEFORE_SILENT_W and writer["joined ৱ"] == "left out":
        return ""
    return None


def _spell_open_vowel(native: str, position: tuple[int, int], writer: Writer, random: Random) -> str:
    """Spell the inherent vowel, or a diphthong that starts with it; the vowel may be dropped inside and at the end."""
    at, length = position
    closed, opened = _OPEN_VOWELS[native]
    habit = writer["inherent"]
    if habit == "mixed":
        habit = "a" if random.random() < _EVEN_CHANCE else "o"
    if native == "অ" and habit == "o" and random.random() < _INITIAL_A_RATE:
        habit = "a"
    dropped = _INNER_VOWEL_DROP_RATE
    if at == length - 1:
        dropped = _FINAL_VOWEL_DROP_RATE if writer["inherent"] != "o" else 0.0
    if not native and random.random() < dropped:
        return ""
    return opened if habit == "a" else closed


def _spell_doubled_letter(units: Sequence[JointUnit], index: int) -> str:
    """Return the letter that is doubled in speech (the n of ন্য, the k of দুঃখ), or else the letters of the unit."""
    neighbour = (
        units[index - 1].source if units[index].target == "্য" else units[min(index + 1, len(units) - 1)].source[:1]
    )
    return neighbour if index and neighbour in _DOUBLED_CONSONANTS else units[index].source


def _spell_glide(units: Sequence[JointUnit], index: int) -> str:
    """Drop য় after i, and ৱ after u and o; spell a final য় as i."""
    roman, native = units[index]
    before = units[index - 1].target if index else ""
    if (native == "য়" and before in {"ি", "ী"}) or (native == "ৱ" and before in {"ু", "ো"}):
        return ""
    return "i" if native == "য়" and index == len(units) - 1 else roman


def _spell_by_habit(unit: JointUnit, writer: Writer, random: Random) -> str:
    """Spell a letter by the writer's habit, if its spelling in the pair is an ordinary one."""
    roman, native = unit
    letter = native if native in _ORDINARY_SPELLINGS else native.removeprefix("্")
    if letter in {"শ", "ষ", "স"} and roman in {"x", "kh", "s", "sh"}:
        return _spell_sibilant(letter, roman, writer["sibilant"])
    if native == "য" and writer["য"] == "y":
        return "y"
    if letter in _ORDINARY_SPELLINGS and roman in _ORDINARY_SPELLINGS[letter]:
        return writer[_SAME_HABIT.get(letter, letter)]
    vowel = native.removesuffix("ঁ")
    if vowel in {"ো", "ও", "া", "আ"} and roman in {"o", "u", "a", "aa"}:
        return _spell_round_or_long(vowel, writer, random)
    return _spell_carelessly(unit, writer, random)


def _spell_sibilant(letter: str, roman: str, habit: str) -> str:
    is_velar = roman in {"x", "kh"}
    if habit in _VELAR_SPELLINGS and not is_velar:
        return roman
    return _SIBILANTS[habit].get(letter, "x" if is_velar else "s")


def _spell_carelessly(unit: JointUnit, writer: Writer, random: Random) -> str:
    """Spell letters whose spelling varies even within one writer: nasals, long vowels, aspirates and flaps."""
    roman, native = unit
    if native == "ং" and roman == "ng":
        return writer["ং"]
    if native in _DOUBLED_VOWELS and writer["length"] == "double" and random.random() < _EVEN_CHANCE:
        return _DOUBLED_VOWELS[native]
    if writer["aspiration"] == "sometimes" and roman in _ASPIRATES and random.random() < _EVEN_CHANCE:
        return roman[0]
    if native in _FLAP_ASPIRATION_RATES:
        return "rh" if random.random() < _FLAP_ASPIRATION_RATES[native] else "r"
    return roman


def _spell_round_or_long(native: str, writer: Writer, random: Random) -> str:
    """Spell ো as o or u and া as a or aa, mostly but not always by habit."""
    usual = writer[_SAME_HABIT.get(native, native)]
    follows_habit = random.random() < (_HABIT_RATE if native in {"ো", "ও"} else _EVEN_CHANCE)
    if native in {"ো", "ও"}:
        return usual if follows_habit else {"o": "u", "u": "o"}[usual]
    return usual if follows_habit else "a"
