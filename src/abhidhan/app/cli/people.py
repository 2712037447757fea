"""`abhidhan people`: administration of accounts from the command line."""

import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar
from urllib.parse import urljoin

import typer

from abhidhan.app.cli.common import INVITATION_DAYS, load_command_settings
from abhidhan.records.errors import InputError, pluralize

if TYPE_CHECKING:
    import asyncio

    from abhidhan.app.wiring import WriteServices
    from abhidhan.platform.database.database import Database
    from abhidhan.records.people import Person

T = TypeVar("T")

MAX_SHOWN = 10_000

SIGN_UP_PAGE: Final = "/account/sign-up"
"""The page on which an invitation is used."""

NameArgument = Annotated[str, typer.Argument(help="The name of an account.", metavar="NAME")]
RoleOption = Annotated[str, typer.Option("--role", help="The role: reader, contributor, editor or administrator.")]
PasswordStdinOption = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from standard input (one line).")
]


class CommandServices:
    """The services for commands about accounts and submissions, called synchronously."""

    def __init__(
        self, database: "Database", services: "WriteServices", runner: "asyncio.Runner", base_url: str
    ) -> None:
        """`base_url` is the URL of the server, for links that commands print."""
        self.database = database
        self.base_url = base_url
        self.accounts = services.accounts
        self.mails = services.mails
        self.personal_data = services.personal_data
        self.photos = services.photos
        self.recordings = services.recordings
        self.submissions = services.submissions
        self._runner = runner

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine and return its result."""
        return self._runner.run(coroutine)

    def find_person(self, name: str) -> "Person":
        """Find an account by its name. Raises NotFoundError."""
        return self.run(self.accounts.administration.find_by_name(name))


@contextmanager
def open_command_services() -> Iterator[CommandServices]:
    """Open the dictionary and its services, by the settings."""
    import asyncio
    import logging

    from abhidhan.app.database import open_dictionary
    from abhidhan.app.wiring import build_write_services
    from abhidhan.people.service import account_context

    # Commands print their results, so they need no log.
    logging.getLogger(account_context.SECURITY_LOG).setLevel(logging.WARNING)
    settings = load_command_settings()
    with open_dictionary(settings) as database, asyncio.Runner() as runner:
        services = build_write_services(settings, database)
        try:
            yield CommandServices(database, services, runner, settings.site_url)
        finally:
            runner.run(services.close())


def register(program: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help="Manage accounts, roles and invitations.", no_args_is_help=True)
    for name, command in (
        ("add", add),
        ("list", list_people),
        ("role", set_role),
        ("disable", disable),
        ("enable", enable),
        ("reset", reset),
        ("invite", invite),
        ("invitations", list_invitations),
        ("revoke", revoke),
        ("reset-codes", reset_codes),
        ("allow-mails", allow_mails),
        ("remove", remove),
    ):
        group.command(name)(command)
    program.add_typer(group, name="people")


def add(
    name: NameArgument,
    role: RoleOption = "contributor",
    email: Annotated[
        str | None,
        typer.Option(help="The address for password reset links, and for e-mails once its owner has confirmed it."),
    ] = None,
    *,
    password_stdin: PasswordStdinOption = False,
) -> None:
    """Create an account. For the first administrator, use --role administrator."""
    from abhidhan.people.service.administration import NewAccount
    from abhidhan.records.people import parse_role

    with open_command_services() as services:
        new = NewAccount(name, _read_password(from_stdin=password_stdin), email)
        person = services.run(services.accounts.administration.create_account(new, parse_role(role, "--role")))
    typer.echo(f"{person.username} can now sign in, as {person.role}.")


def list_people() -> None:
    """List all accounts, by name."""
    from rich.console import Console
    from rich.table import Table

    with open_command_services() as services:
        people = services.run(services.accounts.administration.list_people(MAX_SHOWN)).items
    table = Table("ID", "Name", "Role", "E-mail", "Since", "Disabled")
    for person in people:
        table.add_row(
            str(person.id),
            person.username,
            person.role,
            person.email or "",
            _format_day(person.created),
            _format_day(person.disabled),
        )
    Console().print(table)


def set_role(name: NameArgument, role: Annotated[str, typer.Argument(help="The new role.", metavar="ROLE")]) -> None:
    """Give an account another role."""
    from abhidhan.records.people import parse_role

    with open_command_services() as services:
        person = services.run(
            services.accounts.administration.set_role(services.find_person(name), parse_role(role, "ROLE"))
        )
    typer.echo(f"{person.username} is now {person.role}.")


def disable(name: NameArgument) -> None:
    """Disable an account, and sign its owner out everywhere."""
    with open_command_services() as services:
        person = services.run(services.accounts.administration.disable(services.find_person(name)))
    typer.echo(f"{person.username} can no longer sign in.")


def enable(name: NameArgument) -> None:
    """Enable an account that was disabled."""
    with open_command_services() as services:
        person = services.run(services.accounts.administration.enable(services.find_person(name)))
    typer.echo(f"{person.username} can sign in again.")


def reset(name: NameArgument, *, password_stdin: PasswordStdinOption = False) -> None:
    """Create a link for a new password. With --password-stdin, set the password instead."""
    with open_command_services() as services:
        person = services.find_person(name)
        if password_stdin:
            services.run(services.accounts.administration.set_password(person, _read_password(from_stdin=True)))
            typer.echo(f"{person.username} has a new password, and is signed out everywhere.")
            return
        link = urljoin(services.base_url, services.run(services.accounts.administration.create_reset_link(person)))
    typer.echo(f"{person.username} can set a new password here, within an hour:\n{link}")


def invite(
    role: RoleOption = "contributor",
    people: Annotated[int, typer.Option(help="The number of people who can create an account with it.")] = 1,
    days: Annotated[int, typer.Option(help="The number of days for which it is valid.")] = INVITATION_DAYS,
) -> None:
    """Create an invitation for one person or a group."""
    from abhidhan.records.people import parse_role

    with open_command_services() as services:
        token = services.run(
            services.accounts.administration.create_invitation(parse_role(role, "--role"), people=people, days=days)
        )
        page = urljoin(services.base_url, SIGN_UP_PAGE)
    who = "Someone can create an account" if people == 1 else f"{people} people can create an account each"
    typer.echo(f"{who} at {page} with this invitation, within {pluralize(days, 'day')}:\n{token}")


def list_invitations() -> None:
    """List the open invitations, with role, creator and last day."""
    from rich.console import Console
    from rich.table import Table

    with open_command_services() as services:
        invitations = services.run(services.accounts.administration.list_invitations())
    table = Table("ID", "Role", "People", "Made by", "Since", "Until")
    for invitation in invitations:
        issuer = invitation.issuer or "a command"
        table.add_row(
            str(invitation.id),
            invitation.role,
            str(invitation.people),
            issuer,
            _format_day(invitation.created),
            _format_day(invitation.expires),
        )
    Console().print(table)


def revoke(
    invitation_id: Annotated[
        int, typer.Argument(help="The ID of the invitation, as shown by `invitations`.", metavar="ID")
    ],
) -> None:
    """Revoke an invitation."""
    with open_command_services() as services:
        services.run(services.accounts.administration.revoke_invitation(invitation_id))
    typer.echo("The invitation no longer works.")


def reset_codes(name: NameArgument) -> None:
    """Turn off two-factor sign-in for an account. Its owner is signed out everywhere."""
    with open_command_services() as services:
        person = services.find_person(name)
        services.run(services.accounts.administration.reset_two_factor(person))
    typer.echo(f"{person.username} now signs in with the password alone.")


def allow_mails(
    email: Annotated[
        str, typer.Argument(help="The address whose owner wants to receive e-mails again.", metavar="EMAIL")
    ],
) -> None:
    """Allow mails to an address that has refused them."""
    with open_command_services() as services:
        services.run(services.mails.addresses.unblock(email))
    typer.echo("This address can receive e-mails again once it is confirmed.")


def remove(  # noqa: PLR0913  # each is an option of the command
    name: NameArgument,
    *,
    stays: Annotated[
        str | None, typer.Option("--name", help="The name to show with the contributions from now on.")
    ] = None,
    anonymous: Annotated[
        bool, typer.Option("--anonymous", help="Keep contributions without a name (the default).")
    ] = False,
    keep_waiting: Annotated[
        bool, typer.Option("--keep-waiting", help="Keep pending contributions in the review queue.")
    ] = False,
    all_credits: Annotated[
        bool, typer.Option("--all-credits", help="Also use the name in the credit line of every photo.")
    ] = False,
    remove_recordings: Annotated[
        bool,
        typer.Option(
            "--remove-recordings", help=("Also delete all recordings of the person, including approved ones.")
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Delete an account. Approved contributions stay, with the name that you choose or without one."""
    from abhidhan.records.personal_data import DeletionChoices

    if stays is not None and anonymous:
        raise InputError.of("--name", "Give either --name or --anonymous.")
    with open_command_services() as services:
        person = services.find_person(name)
        if not yes:
            typer.confirm(f"Delete the account of {person.username} permanently?", abort=True)
        choice = DeletionChoices(stays, keep_waiting, all_credits, remove_recordings)
        services.run(services.personal_data.delete_account(person, choice))
    typer.echo(f"The account of {person.username} has been deleted.")


def _read_password(*, from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise InputError.of("password", "Send the password to standard input, with --password-stdin.")
    prompted: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    return prompted


def _format_day(seconds: int | None) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d") if seconds else ""
