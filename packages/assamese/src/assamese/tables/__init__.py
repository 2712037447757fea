"""The letter tables of this package: TOML files, each read once into a typed value."""

from importlib.resources import files
from typing import TypeVar

import msgspec

Table = TypeVar("Table")

_ENDING = ".toml"


def read_table(name: str, shape: type[Table]) -> Table:
    """Read the table `name` (without `.toml`) into `shape`. A table that does not fit is a broken package."""
    content = files(__name__).joinpath(f"{name}{_ENDING}").read_bytes()
    return msgspec.toml.decode(content, type=shape)


def read_tables(folder: str, shape: type[Table]) -> dict[str, Table]:
    """Read every table of a folder into `shape`, by its name (without `.toml`) and in the order of the names."""
    there = sorted(each.name for each in files(__name__).joinpath(folder).iterdir() if each.name.endswith(_ENDING))
    names = [name.removesuffix(_ENDING) for name in there]
    return {name: read_table(f"{folder}/{name}", shape) for name in names}
