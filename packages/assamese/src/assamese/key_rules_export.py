"""Export of the rules of the three keys as data, so that a browser can compute keys offline.

A program is a list of steps, each the name of an operation and its arguments; `pack-keys.js` is an interpreter, and
docs/offline.md describes the operations. All tables and expressions come from `keys`, `normalization` and
`signs`: only the order of the steps is repeated here, and a test compares the results of both for every headword.
"""
# ruff: noqa: SLF001  # the private rules of this package's own modules

import re
import sys
from collections.abc import Mapping
from typing import Final

import msgspec

from assamese import keys, normalization, signs
from assamese.language_rules import ARTICLE_PATTERNS

OPERATIONS_VERSION: Final = 1
"""Version of the set of operations; interpreters of another version must not apply the rules."""

Step = tuple[object, ...]
"""The name of an operation and its arguments: texts, tables, other steps."""

Steps = tuple[Step, ...]

NOT_ASCII: Final = "[^\\x00-\\x7f]"


class RomanRules(msgspec.Struct, frozen=True):
    """The reading of Roman letters: a pattern of letter groups, and the readings of each by position in the word."""

    groups: str
    longest: int
    most: int
    readings: Mapping[str, Mapping[str, keys.Readings]]


class PortableKeys(msgspec.Struct, frozen=True):
    """The rules for the keys of texts in one language.

    `folded` maps the characters whose case folding differs from their lower-case letter; `spaces` is all white space.
    """

    form: int
    folded: Mapping[str, str]
    spaces: str
    programs: Mapping[str, Steps]
    roman: RomanRules


def export_key_rules(language: str) -> PortableKeys:
    """Return the rules for texts of a language (BCP 47)."""
    return PortableKeys(
        OPERATIONS_VERSION,
        folded=_case_foldings(),
        spaces="".join(f"\\u{code:04x}" for code in range(0x10000) if chr(code).isspace()),
        programs={
            "exact": _EXACT,
            "common": _common_steps(language),
            "loose": _loose_steps(language),
            "sound": _SOUND,
            "settled": _SETTLED,
            "typed": _TYPED,
        },
        roman=RomanRules(keys._ROMAN_GROUPS.pattern, keys.MAX_ROMAN_GROUPS, keys.MAX_ROMAN_KEYS, _readings_by_group()),
    )


def _readings_by_group() -> dict[str, dict[str, keys.Readings]]:
    """Return the readings of each letter group by position, without positions that have no special readings."""
    groups = {name: msgspec.structs.asdict(group) for name, group in sorted(keys._ROMAN.items())}
    return {name: {position: values for position, values in group.items() if values} for name, group in groups.items()}


def _case_foldings() -> dict[str, str]:
    """Return the characters whose case folding differs from their lower-case letter."""
    characters = map(chr, range(sys.maxunicode + 1))
    return {letter: letter.casefold() for letter in characters if letter.casefold() != letter.lower()}


def _convert_table(table: Mapping[int, int | str | None]) -> dict[str, str]:
    """Convert a table for `str.translate` to strings; deleted characters map to ""."""
    return {chr(code): chr(to) if isinstance(to, int) else to or "" for code, to in table.items()}


def _replace_step(expression: re.Pattern[str] | str, text: str) -> Step:
    """Build the step that replaces every match of an expression with a text."""
    return "put", _to_javascript(expression), text


def _look_up_step(expression: re.Pattern[str], table: Mapping[str, str]) -> Step:
    """Build the step that replaces every match by looking it up in a table; matches not in the table are deleted."""
    return "look", _to_javascript(expression), dict(table)


def _first_group_step(expression: re.Pattern[str]) -> Step:
    """Build the step that replaces every match with its first group, or deletes it if that did not match."""
    return "first", _to_javascript(expression)


def _if_step(expression: re.Pattern[str] | str, then: Steps, otherwise: Steps = ()) -> Step:
    """Build the step that runs `then` if an expression matches, else `otherwise`."""
    return "if", _to_javascript(expression), then, otherwise


def _translate_step(table: Mapping[int, int | str | None]) -> Step:
    """Build the step that replaces single characters by a table."""
    return "swap", _convert_table(table)


def _to_javascript(expression: re.Pattern[str] | str) -> str:
    """Convert a regular expression to JavaScript syntax."""
    pattern = expression if isinstance(expression, str) else expression.pattern
    return re.sub(r"\\([^\w\\\]\[^$.|?*+(){}/-])", r"\1", pattern.replace("(?P<", "(?<"))


_NASALS: Final = {consonant + "्": "ं" for consonant in "ङञणनम"}

_EXACT: Final[Steps] = (
    ("nfc",),
    _replace_step(normalization.OLD_KHANDA_TA, "ৎ"),
    _translate_step(normalization._EQUIVALENTS),
    _replace_step(normalization._MISORDERED_O_SIGN, "ো"),
    ("nfc",),
    ("fold",),
    ("nfc",),
    ("squeeze",),
)

_WITHOUT_ACCENTS: Final[Steps] = (
    ("nfd",),
    _replace_step(keys._ACCENTS, ""),
    _translate_step(keys._LATIN),
    ("do", "exact"),
)


def _common_steps(language: str) -> Steps:
    with_wa = () if language in keys._WITHOUT_WA else (_replace_step("ওয়", "ৱ"),)
    indic: Steps = (
        _translate_step(keys._MARKS),
        _replace_step(keys._FINAL_HASANTA, ""),
        _translate_step(keys._SEPARATORS),
        ("nfc",),
        _replace_step(keys._WRONG_ORDER, "ো"),
        _if_step(keys._DEVANAGARI, (_look_up_step(keys._DEVANAGARI_VARIANTS, _NASALS | keys._VARIANT),)),
        *with_wa,
        _replace_step(keys._DOUBLED, ""),
        _replace_step(keys._VELAR_NASAL, "ং"),
    )
    article = ARTICLE_PATTERNS.get(language)
    return (
        ("do", "exact"),
        *((_replace_step(article, ""),) if article else ()),
        _if_step(keys._ACCENTED, _WITHOUT_ACCENTS),
        _if_step(keys._INDIC, indic, (_translate_step(keys._MARKS), _translate_step(keys._SEPARATORS))),
    )


def _loose_steps(language: str) -> Steps:
    replacements = keys.LANGUAGE_LETTERS.get(language)
    return (
        ("do", "common"),
        _replace_step("ত্", "ত"),
        _replace_step("ৎ", "ত"),
        *((_translate_step(replacements),) if replacements else ()),
    )


_SETTLED: Final[Steps] = (_first_group_step(keys._DOUBLED_SOUND),)
_IN_EASTERN_LETTERS: Final[Steps] = (
    _translate_step(keys._FROM_DEVANAGARI),
    _replace_step(keys._NASAL_AT_LIPS, "ম"),
    _replace_step(keys._NASAL, "ন"),
    _replace_step(keys._GLIDE, "য়"),
    _replace_step(keys._VELAR_NASAL, "ং"),
)
_INDIC_SOUND: Final[Steps] = (
    _if_step(keys._DEVANAGARI, _IN_EASTERN_LETTERS),
    _look_up_step(keys._START, {"অ": "o", "ও": "u"}),
    _replace_step(keys._HIATUS, "o"),
    _look_up_step(keys._CLUSTERS, keys._SOUNDS.clusters),
    _translate_step(keys._LETTERS),
    _replace_step(keys._NOT_SOUND, ""),
    ("do", "settled"),
)
_LATIN_SOUND: Final[Steps] = (
    _replace_step(keys._NOT_SOUND, ""),
    _look_up_step(keys._LATIN_GROUPS, keys._SOUNDS.latin),
    _first_group_step(keys._LATIN_DOUBLED),
)
_SOUND: Final[Steps] = (("do", "common"), _if_step(NOT_ASCII, _INDIC_SOUND, _LATIN_SOUND))


def _reading_step(expression_and_table: tuple[re.Pattern[str], Mapping[str, str]]) -> Step:
    return _look_up_step(*expression_and_table)


_ONLY_IPA: Final = "[" + "".join(sorted(signs._ONLY_IPA)) + "]"
_MARKED: Final[Steps] = (
    ("lower",),
    ("nfd",),
    _if_step(
        _ONLY_IPA,
        (_replace_step(signs._UNWRITTEN, ""), _reading_step(signs._IPA)),
        (_reading_step(signs._LETTERS),),
    ),
    _replace_step(signs._OTHER_MARKS, ""),
    ("nfc",),
)
_TYPED: Final[Steps] = (_if_step(NOT_ASCII, _MARKED), ("do", "loose"))
