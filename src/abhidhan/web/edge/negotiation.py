"""Which of two forms of an answer a client prefers: the one that everybody gets, or linked data."""

from collections.abc import Mapping
from typing import Any, Final

from abhidhan.domain.linked_data import MEDIA_TYPE
from abhidhan.web.edge.headers import qualities

LINKED_DATA: Final = "abhidhan.linked_data"
"""The key of the preference in the scope of a request to an address that has both forms."""

_NAMED: Final = MEDIA_TYPE.encode()


def prefers_linked_data(accepted: bytes, otherwise: str) -> bool:
    """Return whether an `Accept` header asks for linked data before the type that is answered otherwise.

    It must name the type: nobody who accepts everything means it. As glad of both, whoever names it gets it.
    """
    if _NAMED not in accepted.lower():
        return False
    named = qualities(accepted)
    linked = named.get(MEDIA_TYPE, 0.0)
    return linked > 0 and linked >= _quality_of(otherwise, named)


def _quality_of(media_type: str, named: Mapping[str, float]) -> float:
    """Return how gladly a type is accepted; the most exact of the ranges that it is in counts."""
    ranges = (media_type, f"{media_type.partition('/')[0]}/*", "*/*")
    return next((named[each] for each in ranges if each in named), 0.0)


def wants_linked_data(scope: Mapping[str, Any]) -> bool:
    """Return whether the client of a request wants linked data."""
    return bool(scope.get(LINKED_DATA))
