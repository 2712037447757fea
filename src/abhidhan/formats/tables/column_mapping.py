"""What the columns and values of a file mean here: a TOML file, and options of the command."""

import tomllib
from pathlib import Path
from typing import Final

import msgspec

from abhidhan.records.errors import InputError, quoted

KINDS: Final = ("language", "pos", "gender", "context", "variant", "relation", "category")


class Mapping(msgspec.Struct, forbid_unknown_fields=True):
    """What columns hold (`word:as`, `definition:en`, `pos`, ...), and what values mean, by their kind.

    `header` says it of the columns of tables without headings, in their order.
    """

    columns: dict[str, str] = {}
    values: dict[str, dict[str, str]] = {}
    header: tuple[str, ...] = ()


def read_mapping(file: Path | None, options: list[str], header: str = "") -> Mapping:
    """Read a mapping file, and options over it: such as `language:ast=as`, and `word:en,word:as` for columns.

    Raises InputError.
    """
    mapping = _read_file(file) if file else Mapping()
    if header:
        mapping.header = tuple(column.strip() for column in header.split(","))
    mapping.columns |= {column: column for column in mapping.header}
    for option in options:
        kind, colon, pair = option.partition(":")
        given, equals, meant = pair.rpartition("=")
        if not (colon and equals and given and kind in KINDS):
            raise InputError.of(
                "map",
                f"{quoted(option)} is not a mapping: write a kind ({', '.join(KINDS)}), a colon, "
                "what stands there = what it means.",
            )
        mapping.values.setdefault(kind, {})[given] = meant
    return mapping


def _read_file(file: Path) -> Mapping:
    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), Mapping)
    except OSError as error:
        raise InputError.of("mapping", f"The mapping file {file} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise InputError.of("mapping", f"The mapping file {file} is not valid: {error}.") from error
