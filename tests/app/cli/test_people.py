import time
from pathlib import Path

import pyotp
import pytest
import typer
from typer.testing import CliRunner

from abhidhan.app.cli import people
from abhidhan.people.model.mails import mailbox_key
from abhidhan.people.store.mail_addresses import add_refusal
from abhidhan.records.errors import AbhidhanError, CodeRequiredError, ConflictError, InputError, NotFoundError
from abhidhan.records.throttling import ClientInfo
from tests.support.server import copy_starter

program = typer.Typer()
people.register(program)

VISIT = ClientInfo("192.0.2.1")
PASSWORD = "a long enough password\n"  # noqa: S105 (of people who exist in tests only)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy_starter(tmp_path)
    monkeypatch.setenv("ABHIDHAN_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")


def run(*arguments: str, stdin: str = "") -> str:
    """Run a command; give its output, or raise its error."""
    result = CliRunner().invoke(program, ["people", *arguments], input=stdin)
    if isinstance(result.exception, AbhidhanError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def add(name: str, role: str) -> str:
    return run("add", name, "--role", role, "--password-stdin", stdin=PASSWORD)


def test_people_are_added_listed_changed_and_removed() -> None:
    assert add("root", "administrator") == "root can now sign in, as administrator.\n"
    add("নীলা", "reader")

    assert run("role", "নীলা", "editor") == "নীলা is now editor.\n"
    assert run("disable", "নীলা") == "নীলা can no longer sign in.\n"
    assert "নীলা" in run("list")
    assert run("enable", "নীলা") == "নীলা can sign in again.\n"
    assert "\nhttp://127.0.0.1:8080/account/reset?token=" in run("reset", "নীলা")
    assert "signed out everywhere" in run("reset", "নীলা", "--password-stdin", stdin="quite another password\n")
    assert run("remove", "নীলা", "--yes") == "The account of নীলা has been deleted.\n"
    assert "নীলা" not in run("list")


def test_a_removed_account_leaves_its_contributions_under_a_name_or_without_one() -> None:
    add("root", "administrator")
    add("anil", "reader")

    with pytest.raises(InputError, match="either"):
        run("remove", "anil", "--name", "Anil Das", "--anonymous", "--yes")
    with pytest.raises(ConflictError, match="taken"):
        run("remove", "anil", "--name", "Root", "--yes")
    assert run("remove", "anil", "--name", "bina", "--yes") == "The account of anil has been deleted.\n"
    with pytest.raises(ConflictError, match="taken"):
        add("bina", "reader")
    assert "anil can now sign in" in add("anil", "reader")
    assert run("remove", "anil", "--anonymous", "--yes") == "The account of anil has been deleted.\n"
    with pytest.raises(NotFoundError):
        run("role", "bina", "editor")


def test_an_invitation_prints_its_token_and_the_page_for_it() -> None:
    said, token = run("invite", "--role", "editor").splitlines()

    assert len(token) == 43
    assert "http://127.0.0.1:8080/account/sign-up" in said


def test_an_invitation_may_be_for_a_group() -> None:
    said, _ = run("invite", "--people", "30", "--days", "7").splitlines()

    assert said.startswith("30 people can create an account each at")
    assert said.endswith("within 7 days:")
    assert "30" in run("invitations")


def test_links_lead_to_the_public_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ABHIDHAN_BASE_URL", "https://dictionary.example")
    add("root", "administrator")

    assert "\nhttps://dictionary.example/account/reset?token=" in run("reset", "root")
    assert "https://dictionary.example/account/sign-up" in run("invite")


def test_the_last_administrator_cannot_be_demoted_disabled_or_removed() -> None:
    add("root", "administrator")

    for command in (("role", "root", "reader"), ("disable", "root"), ("remove", "root", "--yes")):
        with pytest.raises(ConflictError, match="only administrator"):
            run(*command)


def test_mistakes_are_refused_with_sentences() -> None:
    add("root", "administrator")

    with pytest.raises(ConflictError, match="taken"):
        add("ROOT", "reader")
    with pytest.raises(InputError, match="must be one of"):
        add("bina", "god")
    with pytest.raises(InputError, match="from 10"):
        run("add", "bina", "--password-stdin", stdin="short\n")
    with pytest.raises(InputError, match="--password-stdin"):
        run("add", "bina", stdin=PASSWORD)
    with pytest.raises(NotFoundError, match="nobody"):
        run("disable", "nobody")


def test_invitations_are_listed_and_revoked() -> None:
    run("invite", "--role", "editor")

    assert "a command" in run("invitations")
    assert run("revoke", "1") == "The invitation no longer works.\n"
    assert "editor" not in run("invitations")
    with pytest.raises(NotFoundError, match="no open invitation"):
        run("revoke", "1")


def test_codes_that_are_not_turned_on_cannot_be_reset() -> None:
    add("root", "administrator")

    with pytest.raises(ConflictError, match="is not turned on"):
        run("reset-codes", "root")


def test_a_command_resets_the_codes_of_the_last_administrator() -> None:
    add("root", "administrator")
    with people.open_command_services() as services:
        accounts = services.accounts
        signed_in = services.run(
            accounts.sessions.authenticate(
                services.run(accounts.authentication.sign_in("root", PASSWORD.strip(), VISIT))
            )
        )
        assert signed_in is not None
        made = services.run(accounts.two_factor.start_set_up(signed_in, PASSWORD.strip(), VISIT))
        # The step of time to come: on a slow machine it counts for a minute at least.
        services.run(accounts.two_factor.confirm(signed_in, pyotp.TOTP(made.secret).at(time.time() + 30), VISIT))
        with pytest.raises(CodeRequiredError):
            services.run(accounts.authentication.sign_in("root", PASSWORD.strip(), VISIT))

    assert run("reset-codes", "root").endswith("root now signs in with the password alone.\n")

    with people.open_command_services() as services:
        assert services.run(services.accounts.authentication.sign_in("root", PASSWORD.strip(), VISIT))


def test_a_command_allows_mails_again_to_an_address_that_refused_them() -> None:
    with people.open_command_services() as services, services.database.engine.begin() as connection:
        add_refusal(connection, mailbox_key("anil@mail.example"), 1)

    assert run("allow-mails", "Anil@mail.example").startswith("This address can receive e-mails again")
    with pytest.raises(NotFoundError, match="is not blocked"):
        run("allow-mails", "anil@mail.example")
