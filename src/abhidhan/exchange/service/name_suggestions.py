"""A name that is not there, told with the one that may have been meant."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from abhidhan.records.errors import quoted

ALIKE_ENOUGH = 0.6
"""How alike a name must be to be offered, from 0 to 1."""


def no_such(what: str, name: str, names: Iterable[str], other_names: Mapping[str, str]) -> str:
    """Say that there is nothing of this name, what may have been meant, and what there is.

    `other_names` leads from what people also say to the names.
    """
    there = tuple(names)
    meant = did_you_mean(name, {**{one: one for one in there}, **other_names})
    return f"There is no {what} {quoted(name)}.{meant} There are {', '.join(there)}."


def did_you_mean(name: str, known: Mapping[str, str]) -> str:
    """Ask whether a name was meant that is spelled alike; empty when none is. `known` leads from spellings to names."""
    spelled = {spelling.casefold(): meant for spelling, meant in known.items()}
    typed = name.strip().removeprefix(".").casefold()
    near = [typed] if typed in spelled else get_close_matches(typed, spelled, 1, ALIKE_ENOUGH)
    return f" Did you mean {spelled[near[0]]}?" if near else ""
