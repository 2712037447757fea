"""An address is confirmed before any mail goes to it, and whoever reads mails there may refuse them for good."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, update

from abhidhan.people.model.mails import (
    CONFIRMATION_SECONDS,
    LEASE_SECONDS,
    LinkPurpose,
    MailTopic,
)
from abhidhan.people.store.mail_addresses import find_address, has_refused_mails
from abhidhan.platform.database.database import Database
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.platform.runtime.smtp import Mailer
from abhidhan.records.errors import ConflictError, InputError, NotFoundError, TooManyRequestsError
from abhidhan.records.people import Role
from abhidhan.records.throttling import ClientInfo
from abhidhan.records.timestamps import DAY_SECONDS, HOUR_SECONDS
from abhidhan.schema import mail_choice, mail_refusal, person, ticket
from tests.support.contributions import PASSWORD
from tests.support.databases import Databases, SqliteDatabases
from tests.support.mail_server import SmallMailServer, running_mail_server
from tests.support.mail_site import BASE_URL, DECISION_DELAY_SECONDS, MailTestSite, open_mail_site
from tests.support.plans import find_scanned_tables

CHAND = "chand@mail.example"
LINK = re.compile(rf"{BASE_URL}(/account/mails/(?:confirm|refuse)\?token=\S+)")


@pytest.fixture(scope="module")
def mail_server() -> Iterator[SmallMailServer]:
    """Run a mail server."""
    with running_mail_server() as server:
        yield server


def with_chand(post: MailTestSite) -> MailTestSite:
    """Add somebody whose address nobody has confirmed."""
    post.add("chand", CHAND, Role.CONTRIBUTOR, confirmed=False)
    # Services and workers share the clock of the test.
    post.site.write_side.mails.addresses._clock = post.clock  # noqa: SLF001
    return post


@pytest.fixture
def post(databases: Databases, tmp_path: Path, mail_server: SmallMailServer) -> Iterator[MailTestSite]:
    """Open a site with somebody whose address nobody has confirmed, once on each engine."""
    for opened in open_mail_site(databases, tmp_path / "home", mail_server):
        yield with_chand(opened)


@pytest.fixture
def one_post(sqlite_databases: SqliteDatabases, tmp_path: Path, mail_server: SmallMailServer) -> Iterator[MailTestSite]:
    """Open the same, on SQLite alone."""
    for opened in open_mail_site(sqlite_databases, tmp_path / "home", mail_server):
        yield with_chand(opened)


def request_links(post: MailTestSite, by: str = "chand") -> tuple[str, str]:
    """Agree to mails; return the links of the mail that asks: to confirm, and to refuse."""
    post.choose(by)
    (text,) = post.deliver(offset_seconds=post.clock.offset_seconds)
    confirm, refuse = LINK.findall(text)
    return confirm, refuse


def confirm(post: MailTestSite, link: str) -> bool:
    """Press the button behind a link, if the link works."""
    addresses, token = post.site.write_side.mails.addresses, token_in(link)
    try:
        post.site.run(addresses.check_link(token, LinkPurpose.CONFIRM))
        post.site.run(addresses.confirm(token))
    except InputError:
        return False
    return True


def refuse(post: MailTestSite, link: str) -> str:
    """Refuse mails by a link; return the token that takes it back."""
    return str(post.site.run(post.site.write_side.mails.addresses.refuse(token_in(link))))


def token_in(link: str) -> str:
    """Return the token of a link."""
    return link.partition("token=")[2]


def ask_again(post: MailTestSite, by: str = "chand") -> None:
    """Have the mail sent once more that asks."""
    post.site.run(post.site.write_side.mails.resend_confirmation(post.person(by), post.client_info))


def address_status(post: MailTestSite, by: str = "chand") -> str:
    """Return whether mails go to somebody's address."""
    return str(post.site.run(post.site.write_side.mails.addresses.status(post.person(by))))


def is_mailed(post: MailTestSite, reason: str, word: str) -> bool:
    """Reject a word of hers, and say whether a mail tells her."""
    post.decide(post.send(word, by="chand"), "reject", reason)
    texts = post.deliver(offset_seconds=post.clock.offset_seconds + DECISION_DELAY_SECONDS)
    return any(reason in text for text in texts)


def set_email(post: MailTestSite, name: str, email: str) -> None:
    """Write another address into an account."""
    with post.site.database.engine.begin() as connection:
        connection.execute(update(person).where(person.c.username == name).values(email=email))


# --- confirming ---------------------------------------------------------------------------------------------------


def test_an_address_gets_no_mail_before_it_is_confirmed(post: MailTestSite) -> None:
    assert address_status(post) == "unconfirmed"
    link, _ = request_links(post)
    assert (address_status(post), is_mailed(post, "Before.", "নীৰদ")) == ("waiting", False)
    assert post.count_unsent() == 0

    assert (confirm(post, link), confirm(post, link), address_status(post)) == (True, True, "confirmed")

    assert is_mailed(post, "After.", "নীৰদা")
    assert "Before." not in post.server.texts[-1]
    assert post.server.messages[-1]["To"] == CHAND
    assert CHAND in [each["confirmed"] for each in post.site.export_data("chand")["mails"]]


def test_the_confirmation_mail_contains_no_text_of_the_user_who_caused_it(one_post: MailTestSite) -> None:
    one_post.add("buy.pills", "victim@mail.example", Role.CONTRIBUTOR, confirmed=False)
    confirm_link, refuse_link = request_links(one_post, "buy.pills")
    message, text = one_post.server.messages[-1], one_post.server.texts[-1]

    assert (message["To"], message["Subject"]) == ("victim@mail.example", "Abhidhan: Is this your address?")
    assert message["List-Unsubscribe"] == f"<{BASE_URL}{refuse_link}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "pills" not in str(message)
    assert "If this was not you, ignore this e-mail" in text
    assert {*re.findall(r"https?://\S+", text)} == {f"{BASE_URL}.", BASE_URL + confirm_link, BASE_URL + refuse_link}


def test_a_confirmation_link_is_valid_for_three_days_one_account_and_one_address(post: MailTestSite) -> None:
    link, refuse_link = request_links(post)
    post.add("dhan", "dhan@mail.example", Role.CONTRIBUTOR, confirmed=False)
    post.choose("dhan")
    chand, dhan = (post.person(name).id for name in ("chand", "dhan"))

    others = link.replace(f"={chand}-", f"={dhan}-"), refuse_link.replace("refuse", "confirm"), "?token=x"
    assert [confirm(post, each) for each in others] == [False] * 3
    later = re.sub(r"-confirm-(\d+)-", lambda found: f"-confirm-{int(found[1]) + DAY_SECONDS}-", link)
    assert not confirm(post, later)
    post.clock.offset_seconds = CONFIRMATION_SECONDS + 60
    assert (confirm(post, link), address_status(post)) == (False, "unconfirmed")

    post.clock.offset_seconds = 0
    set_email(post, "chand", "other@mail.example")
    assert (confirm(post, link), address_status(post)) == (False, "waiting")
    set_email(post, "chand", CHAND)
    assert (confirm(post, link), address_status(post)) == (True, "confirmed")


def test_a_changed_address_must_be_confirmed_again_before_any_mail(post: MailTestSite) -> None:
    link, _ = request_links(post)
    confirm(post, link)
    post.decide(post.send("নীৰদ", by="chand"), "reject", "Noted.")
    set_email(post, "chand", "victim@mail.example")

    assert (post.count_unsent(), post.deliver(), post.count_unsent()) == (1, [], 0)
    assert address_status(post) == "waiting"
    assert not is_mailed(post, "Not noted.", "নীৰদা")

    post.clock.offset_seconds = HOUR_SECONDS + 60
    assert confirm(post, request_links(post)[0])
    assert is_mailed(post, "Told.", "নীৰদি")
    assert post.server.messages[-1]["To"] == "victim@mail.example"


def test_mails_are_stopped_after_the_address_was_confirmed(one_post: MailTestSite) -> None:
    confirm(one_post, request_links(one_post)[0])
    assert is_mailed(one_post, "One.", "নীৰদ")

    one_post.site.run(one_post.site.write_side.mails.unsubscribe(token_in(one_post.stop_link())))

    assert not is_mailed(one_post, "Two.", "নীৰদা")
    assert address_status(one_post) == "confirmed"


def test_users_of_older_versions_confirm_their_address_when_they_request_it(one_post: MailTestSite) -> None:
    one_post.choose("chand")
    with one_post.site.database.engine.begin() as connection:
        connection.execute(mail_choice.delete().where(mail_choice.c.topic == str(MailTopic.CONFIRMATION)))
    assert (address_status(one_post), is_mailed(one_post, "No.", "নীৰদ")) == ("unconfirmed", False)
    one_post.clock.offset_seconds = HOUR_SECONDS + 60

    ask_again(one_post)
    assert address_status(one_post) == "waiting"
    (text,) = one_post.deliver(offset_seconds=one_post.clock.offset_seconds)
    assert confirm(one_post, LINK.findall(text)[0])


def test_setting_a_password_by_a_mailed_link_confirms_the_address(post: MailTestSite) -> None:
    accounts = post.site.write_side.accounts
    post.site.run(accounts.password_resets.request_link("chand", post.client_info))
    post.site.run(accounts.context.finish())
    token = post.server.texts[-1].partition("token=")[2].split()[0]
    assert address_status(post) == "unconfirmed"

    post.site.run(accounts.password_resets.set_password(token, f"{PASSWORD} anew", post.client_info))

    post.site.sign_in("chand", f"{PASSWORD} anew")
    assert address_status(post) == "confirmed"
    post.choose("chand")
    assert post.deliver(offset_seconds=0) == []


def test_setting_a_password_by_a_link_of_an_administrator_does_not_confirm_the_address(one_post: MailTestSite) -> None:
    accounts = one_post.site.write_side.accounts
    chand = one_post.site.run(accounts.administration.find_by_name("chand"))
    token = one_post.site.run(accounts.administration.create_reset_link(chand)).partition("token=")[2]

    one_post.site.run(accounts.password_resets.set_password(token, f"{PASSWORD} anew", one_post.client_info))

    one_post.site.sign_in("chand", f"{PASSWORD} anew")
    assert address_status(one_post) == "unconfirmed"


# --- how often an address is asked --------------------------------------------------------------------------------


def test_confirmation_mails_to_one_address_are_limited_over_all_accounts(post: MailTestSite) -> None:
    names = ["chand", *(f"stranger{number}" for number in range(4))]
    ways = [CHAND, CHAND.upper(), "chand+news@mail.example", "Chand+x@mail.example", CHAND]
    came = []
    for number, (name, email) in enumerate(zip(names, ways, strict=True)):
        if number:
            post.add(name, email, Role.CONTRIBUTOR, confirmed=False)
        post.choose(name)
        came.append(len(post.deliver(offset_seconds=post.clock.offset_seconds)))
        with pytest.raises(TooManyRequestsError):
            ask_again(post, name)
        post.clock.offset_seconds += HOUR_SECONDS // 2 + 60

    assert came == [1, 0, 1, 0, 1]
    assert address_status(post, "stranger0") == "unconfirmed"
    for _ in range(20):
        post.clock.offset_seconds += HOUR_SECONDS
        with pytest.raises(TooManyRequestsError):
            ask_again(post)
    post.clock.offset_seconds += 4 * HOUR_SECONDS
    ask_again(post)


def test_confirmation_mails_of_one_user_are_limited_over_all_addresses(one_post: MailTestSite) -> None:
    statuses = []
    for number in range(6):
        set_email(one_post, "chand", f"victim{number}@mail.example")
        one_post.choose("chand")
        statuses.append(len(one_post.deliver(offset_seconds=one_post.clock.offset_seconds)))
        one_post.clock.offset_seconds += HOUR_SECONDS + 60

    assert statuses == [1, 1, 1, 0, 0, 0]


def test_users_who_want_no_mails_get_no_confirmation_mail(one_post: MailTestSite) -> None:
    with pytest.raises(ConflictError):
        ask_again(one_post)
    one_post.choose("chand")
    one_post.choose("chand", decisions=False)

    assert one_post.deliver(offset_seconds=0) == []


# --- refusing -----------------------------------------------------------------------------------------------------


def test_the_owner_of_an_address_can_refuse_all_mails_to_it(post: MailTestSite) -> None:
    link, refusal = request_links(post)
    confirm(post, link)
    post.decide(post.send("নীৰদ", by="chand"), "reject", "Noted.")
    back = refuse(post, refusal)

    assert (address_status(post), post.deliver()) == ("refused", [])
    assert not is_mailed(post, "Not noted.", "নীৰদা")
    post.add("stranger", "Chand+again@mail.example", Role.CONTRIBUTOR, confirmed=False)
    post.clock.offset_seconds = 2 * DAY_SECONDS
    post.choose("stranger")
    assert (address_status(post, "stranger"), post.deliver(offset_seconds=2 * DAY_SECONDS)) == ("refused", [])
    with post.site.database.engine.begin() as connection:
        assert "chand" not in str(connection.execute(select(mail_refusal)).all()).casefold()

    post.clock.offset_seconds = 0
    post.site.run(post.site.write_side.mails.addresses.undo_refusal(back))
    assert address_status(post) == "confirmed"


def test_a_refusal_can_be_undone_for_an_hour_and_later_by_confirming_or_an_administrator(
    one_post: MailTestSite,
) -> None:
    addresses = one_post.site.write_side.mails.addresses
    confirm_link, refusal = request_links(one_post)
    back = refuse(one_post, refusal)
    one_post.clock.offset_seconds = HOUR_SECONDS + 60
    with pytest.raises(InputError):
        one_post.site.run(addresses.undo_refusal(back))
    assert address_status(one_post) == "refused"

    one_post.site.run(addresses.unblock("CHAND@mail.example"))
    assert address_status(one_post) == "waiting"
    with pytest.raises(NotFoundError):
        one_post.site.run(addresses.unblock(CHAND))
    refuse(one_post, refusal)
    assert (confirm(one_post, confirm_link), address_status(one_post)) == (True, "confirmed")


def test_the_owner_of_an_address_can_refuse_mails_after_the_account_was_deleted(post: MailTestSite) -> None:
    _, refusal = request_links(post)
    addresses = post.site.write_side.mails.addresses
    post.site.delete_account("chand")
    token = token_in(refusal)

    post.site.run(addresses.check_link(token, LinkPurpose.REFUSE))
    assert [post.site.run(addresses.refuse(token)) for _ in range(2)] == ["", ""]

    post.add("stranger", CHAND, Role.CONTRIBUTOR, confirmed=False)
    post.clock.offset_seconds = 2 * DAY_SECONDS
    post.choose("stranger")
    assert (address_status(post, "stranger"), post.deliver(offset_seconds=2 * DAY_SECONDS)) == ("refused", [])
    with post.site.database.engine.begin() as connection:
        left = [str(connection.execute(select(table)).all()).casefold() for table in (mail_refusal, ticket)]
    assert not any("chand" in rows for rows in left)


# --- links to set a new password ----------------------------------------------------------------------------------


def test_accounts_with_one_address_get_one_mail_with_confirmed_accounts_first(post: MailTestSite) -> None:
    for number in range(6):
        post.add(f"stranger{number}", CHAND.upper(), Role.CONTRIBUTOR, confirmed=False)
    post.add("owner", CHAND, Role.CONTRIBUTOR, confirmed=True)

    assert [re.findall(r"^(\w+)\nhttps:", text, re.MULTILINE) for text in resets(post, CHAND)] == [
        ["owner", "chand", "stranger0", "stranger1", "stranger2"]
    ]


def test_a_mailbox_gets_at_most_three_reset_mails_an_hour_over_all_accounts(one_post: MailTestSite) -> None:
    names = [f"stranger{number}" for number in range(5)]
    for number, name in enumerate(names):
        one_post.add(name, f"chand+{number}@mail.example", Role.CONTRIBUTOR, confirmed=False)

    assert sum(len(resets(one_post, name)) for name in names) == 3


def resets(post: MailTestSite, name: str) -> list[str]:
    """Ask for a new password from an address of its own; return the texts of the mails that come."""
    before, accounts = len(post.server.messages), post.site.write_side.accounts
    post.site.run(accounts.password_resets.request_link(name, ClientInfo(f"198.51.100.{before}")))
    post.site.run(accounts.context.finish())
    return post.server.texts[before:]


# --- what goes wrong ----------------------------------------------------------------------------------------------


def test_a_worker_that_dies_while_sending_a_confirmation_mail_loses_no_mail(
    post: MailTestSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.choose("chand")

    class Death(BaseException):
        """No error that the program handles. Asyncio would raise KeyboardInterrupt elsewhere, too."""

    async def die(*_: object) -> None:
        raise Death

    monkeypatch.setattr(Mailer, "send", die)
    with pytest.raises(Death):
        post.deliver(offset_seconds=0)
    monkeypatch.undo()

    assert post.deliver(offset_seconds=0) == []
    (text,) = post.deliver(offset_seconds=LEASE_SECONDS + 60)
    assert confirm(post, LINK.findall(text)[0])
    assert post.deliver(offset_seconds=2 * LEASE_SECONDS) == []


def test_of_two_workers_only_one_sends_a_confirmation_mail(post: MailTestSite) -> None:
    post.choose("chand")
    url = post.site.database.url.render_as_string(hide_password=False)

    with Database(url) as other:

        async def both() -> tuple[int, int]:
            return await asyncio.gather(post.delivery().deliver(), post.delivery(other).deliver())

        assert sorted(post.site.run(both())) == [0, 1]
    assert len(post.server.messages) == 1


def test_a_rejected_confirmation_mail_is_given_up_and_decisions_are_kept(one_post: MailTestSite) -> None:
    one_post.decide(one_post.send(), "reject", "Of Anil.")
    one_post.choose("chand")
    one_post.server.refusal, one_post.server.refused = "550 5.1.1", CHAND

    assert one_post.deliver(offset_seconds=0) == []
    assert one_post.deliver(offset_seconds=5 * DAY_SECONDS)[0].count("Of Anil.") == 1
    one_post.server.refusal = ""
    assert one_post.deliver(offset_seconds=6 * DAY_SECONDS) == []


def test_looking_for_an_address_is_a_search_in_an_index(one_post: MailTestSite) -> None:
    def look(connection: ReadConnection) -> None:
        find_address(connection, 1)
        has_refused_mails(connection, CHAND)

    assert find_scanned_tables(one_post.site.database, look) == []
