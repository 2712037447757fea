"""Pages of lists: how far one may leaf, and the address of the page that follows."""

from collections.abc import Mapping
from typing import Annotated, Final
from urllib.parse import urlencode

from litestar.params import QueryParameter

from abhidhan.records.errors import InputError
from abhidhan.records.paging import GREATEST_OFFSET

PagedOffset = Annotated[
    int,
    QueryParameter(ge=0, description="How many to skip, up to 100,000.", schema_extra={"maximum": GREATEST_OFFSET}),
]

TOO_FAR: Final = "`offset` reaches to 100,000; choose fewer by the other parameters to see what comes later."


def check_offset(offset: int) -> None:
    """Make sure that nobody leafs too far. Raises InputError."""
    if offset > GREATEST_OFFSET:
        raise InputError.of("offset", TOO_FAR)


def next_page(path: str, total: int, size: int, offset: int, given: Mapping[str, str | None]) -> str | None:
    """Return the address of the page that follows, while one can be asked for."""
    following = offset + size
    if following >= total or following > GREATEST_OFFSET:
        return None
    parameters = {"limit": size, "offset": following} | {name: value for name, value in given.items() if value}
    return f"{path}?{urlencode(parameters)}"


def link_to(following: str | None) -> dict[str, str]:
    """Return the header that leads to the page that follows."""
    return {"Link": f'<{following}>; rel="next"'} if following else {}
