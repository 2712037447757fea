"""Languages by code (ISO 639, BCP 47): validation, names and scripts."""

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import msgspec
from icu import Locale

from abhidhan.records.kinds import LanguageRecord
from assamese.normalization import nfc

if TYPE_CHECKING:
    from iso639 import Lang

RIGHT_TO_LEFT: Final = frozenset({"Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"})

SCRIPT_LENGTH: Final = 4
MAX_REGION_LENGTH: Final = 3
MIN_VARIANT_LENGTH: Final = 5
UNKNOWN_SCRIPT: Final = "Zyyy"

_REPLACED_CODES: Final = {"iw": "he", "in": "id", "ji": "yi", "sh": "sr-Latn", "mo": "ro", "no": "no", "nor": "no"}
"""Codes that were replaced, or (Norwegian) stand for two languages together."""

_EXTRA_NAMES: Final = {
    "asamiya": "as",
    "axomiya": "as",
    "boro": "brx",
    "kokborok": "trp",
    "meitei": "mni",
    "mishing": "mrg",
    "santhali": "sat",
}
"""Further names of the bundled languages, as used in column headings."""


@cache
def canonical_code(code: str) -> str | None:
    """Return a code in BCP 47's form (`asm` is `as`, `MNI_mtei` is `mni-Mtei`); None if there is no such language."""
    language, *subtags = code.strip().replace("_", "-").split("-")
    short = _REPLACED_CODES.get(language.lower()) or _get_short_code(language.lower())
    if short is None:
        return None
    parts = [short]
    for other in subtags:
        part = _normalize_subtag(other)
        if part is None:
            return None
        parts.append(part)
    return "-".join(parts)


def find_code(name: str) -> str | None:
    """Return the canonical code of a language by its name; None for an unknown name.

    It accepts the names in `languages.jsonl`, English names (CLDR, ISO 639) and native names.
    """
    plain = " ".join(name.split())
    return _load_codes_by_name().get(nfc(plain).casefold()) or _find_iso_code(plain)


@cache
def _load_codes_by_name() -> dict[str, str]:
    english, locales = Locale("en"), {code: Locale(code) for code in Locale.getISOLanguages()}
    codes = {
        **{str(locale.getDisplayName(locale)): code for code, locale in locales.items()},
        **{str(locale.getDisplayName(english)): code for code, locale in locales.items()},
        **_EXTRA_NAMES,
        **{language.native_name: language.code for language in _load_project_languages()},
        **{language.name: language.code for language in _load_project_languages()},
    }
    return {nfc(name).casefold(): code for name, raw_code in codes.items() if (code := canonical_code(raw_code))}


def _load_project_languages() -> list[LanguageRecord]:
    lines = (files("abhidhan.data") / "languages.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=LanguageRecord) for line in lines]


def _find_iso_code(name: str) -> str | None:
    import iso639.exceptions  # noqa: PLC0415  # a table of 9 MB, which workers do not need

    try:
        language = iso639.Lang(name=name)
    except (iso639.exceptions.InvalidLanguageValue, iso639.exceptions.DeprecatedLanguageValue):
        return None
    return canonical_code(str(language.pt3))


def describe_language(code: str) -> LanguageRecord:
    """Return the record of a new language by its canonical code, with names from ISO 639-3 and CLDR."""
    base = code.split("-", maxsplit=1)[0]
    locale = Locale(code.replace("-", "_"))
    name = locale.getDisplayName(Locale("en"))
    own_name = locale.getDisplayName(locale)
    iso_name = _get_iso_name(base)
    cldr_name = str(name) if str(name).casefold() not in {base, code.casefold().replace("-", "_")} else None
    likely = Locale(code.replace("-", "_"))
    likely.addLikelySubtags()
    script = str(likely.getScript()) or UNKNOWN_SCRIPT
    display_name = cldr_name or iso_name or code
    return LanguageRecord(
        id=0,
        code=code,
        iso639_3=_get_iso_code(base),
        name=display_name,
        native_name=str(own_name) if cldr_name and str(own_name) else display_name,
        script=script,
        direction="rtl" if script in RIGHT_TO_LEFT else "ltr",
    )


def _get_short_code(code: str) -> str | None:
    language = _find_language(code)
    # Language families (`tai`) have neither code.
    return (str(language.pt1) or str(language.pt3) or None) if language else None


def _get_iso_code(code: str) -> str | None:
    language = _find_language(code)
    return str(language.pt3) if language else None


def _get_iso_name(code: str) -> str | None:
    language = _find_language(code)
    return str(language.name) if language else None


def _find_language(code: str) -> "Lang | None":
    if not (code.isascii() and code.isalpha() and len(code) in {2, 3}):
        return None
    import iso639.exceptions  # noqa: PLC0415  # see `_find_iso_code`

    for field in ("pt1", "pt3", "pt2b"):
        try:
            return iso639.Lang(**{field: code})
        except iso639.exceptions.DeprecatedLanguageValue as error:
            return _find_language(error.change_to) if error.change_to else None
        except iso639.exceptions.InvalidLanguageValue:
            continue
    return None


def _normalize_subtag(part: str) -> str | None:
    if not (part.isascii() and part.isalnum()):
        return None
    if len(part) == SCRIPT_LENGTH and part.isalpha():
        return part.title()
    if len(part) <= MAX_REGION_LENGTH:
        return part.upper() if len(part) > 1 else None
    return part.lower() if len(part) >= MIN_VARIANT_LENGTH else None
