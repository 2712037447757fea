"""The mails that people agree to, as addresses and pages know them."""

from typing import Final, Literal

from abhidhan.services.accounts.mails import Mails
from abhidhan.web.sessions import Connection

MAILS: Final = "mails"
"""The key of the service in the application's state."""

MailLanguage = Literal["en", "as"]
"""The languages in which mails are written: those of the pages."""

DigestRhythm = Literal["never", "daily", "weekly"]


def mails_of(connection: Connection) -> Mails:
    """Return what people agree to, of the application that answers."""
    mails: Mails = connection.app.state[MAILS]
    return mails
