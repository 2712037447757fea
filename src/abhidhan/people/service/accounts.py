"""All account services in one object."""

import time
from collections.abc import Callable

from abhidhan.people.service.account_context import AccountContext, AccountRules
from abhidhan.people.service.administration import Administration
from abhidhan.people.service.password_reset import PasswordResets
from abhidhan.people.service.sessions import Sessions
from abhidhan.people.service.sign_in import Authentication
from abhidhan.people.service.two_factor import TwoFactor
from abhidhan.platform.database.database import Database
from abhidhan.platform.runtime.passwords import Passwords
from abhidhan.platform.runtime.smtp import Mailer


class Accounts:
    """The account services, built with one shared context."""

    def __init__(
        self,
        database: Database,
        passwords: Passwords,
        *,
        rules: AccountRules = AccountRules(),  # noqa: B008  # frozen
        mailer: Mailer | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`clock` returns the seconds since 1970."""
        self.context = AccountContext(database, passwords, rules=rules, clock=clock)
        self.administration = Administration(self.context)
        self.sessions = Sessions(self.context)
        self.password_resets = PasswordResets(self.context, self.administration, mailer)
        self.authentication = Authentication(self.context, self.sessions)
        self.two_factor = TwoFactor(self.context, self.sessions, self.authentication)
