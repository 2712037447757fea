"""Confirmations: that somebody who reviews has read what an idea says, and found it right."""

from abhidhan.records.kinds.fields import State


class ConfirmationState(State, frozen=True, tag="confirmation"):
    """When an idea was confirmed, in seconds since 1970. By whom is not a part of it: the history tells."""

    confirmed: int
