"""The letter tables of this package: TOML files, each read once into a typed value."""

from importlib.resources import files
from typing import TypeVar

import msgspec

Table = TypeVar("Table")


def read_table(name: str, shape: type[Table]) -> Table:
    """Read the table `name` (without `.toml`) into `shape`. A table that does not fit is a broken package."""
    content = files(__name__).joinpath(f"{name}.toml").read_bytes()
    return msgspec.toml.decode(content, type=shape)
