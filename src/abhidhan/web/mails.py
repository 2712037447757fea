"""The mails that people agree to, as pages know them."""

from typing import Final

from abhidhan.services.accounts.mails import Mails
from abhidhan.web.sessions import Connection

MAILS: Final = "mails"
"""The key of the service in the application's state."""


def mails_of(connection: Connection) -> Mails:
    """Return what people agree to, of the application that answers."""
    mails: Mails = connection.app.state[MAILS]
    return mails
