"""The security log: one line for each event that concerns who may do what, without passwords, tokens or typed names."""

import logging
from typing import Final

import structlog

from abhidhan.records.people import Person

NAME: Final = "abhidhan.security"

_log = structlog.get_logger(NAME)


def record(
    event: str,
    person: Person | None = None,
    *,
    address: str | None = None,
    by: Person | None = None,
    **details: str | int,
) -> None:
    """Log an event of a person's account; `address` is where the request came from, `by` is who did it to the person.

    Commands silence the logger: they print what they do.
    """
    if logging.getLogger(NAME).isEnabledFor(logging.INFO):
        given = {"person_id": person and person.id, "address": address, "by": by and by.id, **details}
        _log.info(event, **{name: value for name, value in given.items() if value is not None})
