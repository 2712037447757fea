"""The lists that accounts keep, as addresses and pages know them."""

from typing import Final

from abhidhan.services.accounts.own_lists import OwnLists
from abhidhan.web.sessions import Connection

OWN_LISTS: Final = "own_lists"
"""The key of the service in the application's state."""


def own_lists_of(connection: Connection) -> OwnLists:
    """Return the lists that accounts keep, of the application that answers."""
    lists: OwnLists = connection.app.state[OWN_LISTS]
    return lists
