import asyncio
from collections.abc import Coroutine, Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Final

import pytest

from abhidhan.people.service.accounts import Accounts
from abhidhan.people.service.administration import NewAccount
from abhidhan.people.service.sign_in import count_sign_in
from abhidhan.platform.runtime.passwords import Passwords
from abhidhan.records.errors import (
    AbhidhanError,
    CodeRequiredError,
    DiskFullError,
    InputError,
    TooManyRequestsError,
    sentence,
)
from abhidhan.records.people import Role
from abhidhan.records.throttling import RESET_BY_LINK, ClientInfo
from tests.support.contributions import HOST, PASSWORD, Site, opened_site, read_session_token
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.metrics import count_changes

OTHER_SITE = "https://evil.example"


def test_the_session_cookie_identifies_the_user_and_forged_cookies_do_not(site: Site) -> None:
    site.add("anil", Role.EDITOR)
    site.cookies["thief"] = "A" * 43

    answer = site.ask("GET", "/api/session", by="anil")

    assert answer.json == {"username": "anil", "role": "editor"}
    assert answer.headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in answer.headers
    assert site.ask("GET", "/api/session").status == 401
    assert site.ask("GET", "/api/session", by="thief").status == 401


def test_the_name_may_be_written_in_any_letter_case(site: Site) -> None:
    site.add("Anil", signed_in=False)

    assert site.sign_in("anil").status == 204
    assert site.sign_in("ANIL").status == 204


def test_the_cookie_is_hidden_from_scripts_and_other_sites(site: Site) -> None:
    site.add("anil", signed_in=False)

    cookie = next(iter(SimpleCookie(site.sign_in("anil").headers["set-cookie"]).values()))

    assert (cookie.key, cookie["httponly"], cookie["samesite"].lower(), cookie["path"]) == (
        "abhidhan",
        True,
        "lax",
        "/",
    )
    assert not cookie["secure"]
    assert not cookie["domain"]


WRONG_SIGN_INS: Final = (
    ("anil", "wrong password"),
    ("nobody", PASSWORD),
    ("anil", ""),
    ("", PASSWORD),
    ("a" * 160, "x"),
)


def test_a_wrong_name_or_password_is_401_without_telling_which(site: Site) -> None:
    site.add("anil", signed_in=False)

    for number, (username, password) in enumerate(WRONG_SIGN_INS):
        answer = site.sign_in(username, password, address=f"203.0.113.{number}")

        assert answer.status == 401, username
        assert answer.json["detail"] == "The name or the password is wrong."
        assert "set-cookie" not in answer.headers


def test_the_cookie_is_invalid_after_signing_out(site: Site) -> None:
    site.add("anil")

    answer = site.ask("DELETE", "/api/session", by="anil")

    assert answer.status == 204
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert site.ask("GET", "/api/session", by="anil").status == 401


def test_signing_in_ignores_a_session_chosen_by_the_client(site: Site) -> None:
    site.add("anil", signed_in=False)
    site.cookies["fixed"] = "chosen-by-the-attacker"

    answer = site.sign_in("anil", headers={"Cookie": "abhidhan=chosen-by-the-attacker"})

    assert read_session_token(answer) != "chosen-by-the-attacker"
    assert site.ask("GET", "/api/session", by="fixed").status == 401


def test_signing_in_again_ends_the_session_before(site: Site) -> None:
    site.add("anil")
    site.cookies["before"] = site.cookies["anil"]

    site.sign_in("anil", by="anil")

    assert site.ask("GET", "/api/session", by="before").status == 401
    assert site.ask("GET", "/api/session", by="anil").status == 200


ORIGINS: Final[tuple[tuple[dict[str, str], int], ...]] = (
    ({}, 204),
    ({"Sec-Fetch-Site": "same-origin"}, 204),
    ({"Sec-Fetch-Site": "none"}, 204),
    ({"Sec-Fetch-Site": "cross-site"}, 403),
    ({"Sec-Fetch-Site": "same-site"}, 403),
    ({"Sec-Fetch-Site": "same-origin", "Origin": OTHER_SITE}, 204),
    ({"Origin": f"http://{HOST}"}, 204),
    ({"Origin": f"http://{HOST}:80"}, 204),
    ({"Origin": f"http://{HOST}:8080"}, 403),
    ({"Origin": f"https://{HOST}"}, 403),
    ({"Origin": OTHER_SITE}, 403),
    ({"Origin": "null"}, 403),
    ({"Origin": ""}, 403),
)


def test_another_site_can_neither_sign_in_nor_out(open_site: Site, subtests: pytest.Subtests) -> None:
    open_site.add("anil")

    for headers, status in ORIGINS:
        with subtests.test(str(headers)):
            open_site.sign_in("anil")
            assert open_site.ask("DELETE", "/api/session", by="anil", headers=headers).status == status
            assert open_site.sign_in("anil", headers=headers).status == status


def test_guessing_passwords_from_one_address_is_limited(site: Site) -> None:
    site.add("anil", signed_in=False)

    answers = [site.sign_in("anil", f"guess number {number}") for number in range(8)]
    unknown_name = [site.sign_in("nobody", address="198.51.100.7").status for _ in range(7)]

    assert [answer.status for answer in answers] == [401] * 5 + [429] * 3
    assert int(answers[-1].headers["retry-after"]) > 0
    assert site.sign_in("anil").status == 429
    assert unknown_name[-1] == 429


def test_concurrent_guesses_are_limited_too(open_site: Site) -> None:
    open_site.add("anil", signed_in=False)

    async def guess_all() -> list[int]:
        body = {"username": "anil", "password": "a wrong guess"}
        return [
            answer.status
            for answer in await asyncio.gather(
                *(open_site.ask_async("POST", "/api/session", json=body) for _ in range(30))
            )
        ]

    assert open_site.run(guess_all()).count(401) <= 5


def test_an_attacker_cannot_lock_the_owner_out(open_site: Site) -> None:
    open_site.add("anil", signed_in=False)
    open_site.sign_in("anil", address="198.51.100.7")

    for number in range(60):
        open_site.sign_in("anil", "a wrong guess", address=f"203.0.113.{number}")
    known = open_site.sign_in("anil", address="198.51.100.7")
    unknown = open_site.sign_in("anil", address="198.51.100.99")

    assert known.status == 204
    assert unknown.status == 204 or int(unknown.headers["retry-after"]) <= 30


def test_signing_in_forgets_the_failures_before(site: Site) -> None:
    site.add("anil", signed_in=False)
    for _ in range(4):
        site.sign_in("anil", "wrong password")

    assert [site.sign_in("anil").status for _ in range(10)] == [204] * 10


def test_an_invalid_sign_in_request_is_400(open_site: Site) -> None:
    headers = {"Content-Type": "application/json"}
    for body in (b"", b"nonsense", b"[]", b"{}", b'{"username": 5, "password": "x"}', b'{"username": "anil"}'):
        answer = open_site.ask("POST", "/api/session", body=body, headers=headers)

        assert answer.status == 400, body
        assert answer.headers["content-type"] == "application/problem+json"


def test_anybody_makes_an_account_where_that_is_open(open_site: Site) -> None:
    made = open_site.ask(
        "POST", "/api/account", json={"username": "নীলা", "password": PASSWORD, "email": "n@example.org"}
    )

    assert (made.status, made.json) == (201, {"username": "নীলা", "role": "contributor"})
    assert open_site.sign_in("নীলা").status == 204


def test_all_problems_of_a_new_account_are_reported_together(open_site: Site) -> None:
    open_site.add("anil", signed_in=False)

    answer = open_site.ask("POST", "/api/account", json={"username": "a", "password": "short", "email": "nowhere"})
    taken = open_site.ask("POST", "/api/account", json={"username": "ANIL", "password": PASSWORD})

    assert answer.status == 400
    assert {problem["parameter"] for problem in answer.json["errors"]} == {"username", "password", "email"}
    assert taken.status == 409


def test_new_accounts_from_one_address_are_limited(open_site: Site) -> None:
    statuses = [
        open_site.ask("POST", "/api/account", json={"username": f"robot{number}", "password": PASSWORD}).status
        for number in range(12)
    ]

    assert statuses == [201] * 5 + [429] * 7


def test_an_invitation_makes_one_account_with_its_role(site: Site) -> None:
    token = site.run(site.write_side.accounts.administration.create_invitation(Role.EDITOR))
    new = {"username": "bina", "password": PASSWORD}

    assert site.ask("POST", "/api/account", json=new).status == 403
    assert site.ask("POST", "/api/account", json=new | {"invitation": "made up"}).status == 400
    assert site.ask("POST", "/api/account", json=new | {"invitation": token}).json["role"] == "editor"
    assert site.ask("POST", "/api/account", json=new | {"username": "chandan", "invitation": token}).status == 400


def test_a_class_behind_one_address_signs_up_and_only_wrong_invitations_are_slowed_down(site: Site) -> None:
    accounts = site.write_side.accounts

    def sign_up(name: str, invitation: str) -> int:
        new = {"username": name, "password": PASSWORD, "invitation": invitation}
        return site.ask("POST", "/api/account", json=new).status

    assert [
        sign_up(f"pupil{number}", site.run(accounts.administration.create_invitation())) for number in range(12)
    ] == [201] * 12
    assert [sign_up("guesser", f"made up {number}") for number in range(7)] == [400] * 5 + [429] * 2
    assert sign_up("latecomer", site.run(accounts.administration.create_invitation())) == 201


def test_signing_out_clears_the_cookie_even_on_a_full_disk(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.add("anil")

    async def full(*_: object, **__: object) -> None:
        raise DiskFullError("dictionary.sqlite3: the disk is full")

    monkeypatch.setattr(site.write_side.accounts.context, "write", full)
    answer = site.ask("DELETE", "/api/session", by="anil")

    assert answer.status == 204
    assert read_session_token(answer) == ""


def test_a_new_password_signs_out_everywhere_else(site: Site) -> None:
    site.add("anil")
    site.cookies["elsewhere"] = site.cookies["anil"]
    site.sign_in("anil")
    new = "quite another password"

    wrong = site.ask("POST", "/api/account/password", by="anil", json={"password": "wrong", "new_password": new})
    right = site.ask("POST", "/api/account/password", by="anil", json={"password": PASSWORD, "new_password": new})
    site.cookies["anil"] = read_session_token(right)

    assert (wrong.status, right.status) == (403, 204)
    assert site.ask("GET", "/api/session", by="elsewhere").status == 401
    assert site.ask("GET", "/api/session", by="anil").status == 200
    assert site.sign_in("anil", PASSWORD).status == 401
    assert site.sign_in("anil", new).status == 204


def test_a_reset_link_works_once(site: Site) -> None:
    site.add("anil")
    accounts = site.write_side.accounts
    link = site.run(accounts.administration.create_reset_link(site.run(accounts.administration.find_by_name("anil"))))
    body = {"token": link.partition("token=")[2], "password": "quite another password"}

    first = site.ask("POST", "/api/account/reset", json=body)
    second = site.ask("POST", "/api/account/reset", json=body)

    assert (first.status, second.status) == (204, 400)
    assert site.ask("GET", "/api/session", by="anil").status == 401
    assert site.sign_in("anil", "quite another password").status == 204


class CountingPasswords(Passwords):
    """Counts what is hashed and checked."""

    def __init__(self) -> None:
        """Count from nothing."""
        super().__init__()
        self.worked = 0

    def hash_now(self, password: str) -> str:
        """Count a hash."""
        self.worked += 1
        return super().hash_now(password)


@pytest.fixture
def counted(open_site: Site) -> Iterator[tuple[Accounts, CountingPasswords]]:
    """Count what the accounts of a site hash."""
    passwords = CountingPasswords()
    yield Accounts(open_site.database, passwords, rules=open_site.write_side.accounts.context.rules), passwords
    passwords.close()


@pytest.mark.parametrize("way", ["reset", "sign up"])
def test_random_links_cost_no_password_hash_and_are_rate_limited(
    open_site: Site, counted: tuple[Accounts, CountingPasswords], way: str
) -> None:
    accounts, passwords = counted
    visit = ClientInfo("203.0.113.9")

    def work(number: int) -> Coroutine[Any, Any, object]:
        if way == "reset":
            return accounts.password_resets.set_password(f"made up {number}", PASSWORD, visit)
        return accounts.authentication.sign_up(
            NewAccount(f"robot{number}", PASSWORD, invitation=f"made up {number}"), visit
        )

    outcomes = []
    for number in range(20):
        try:
            open_site.run(work(number))
        except AbhidhanError as error:
            outcomes.append(type(error))

    assert passwords.worked == 0
    assert set(outcomes) == {InputError, TooManyRequestsError}
    assert outcomes[-1] is TooManyRequestsError


def test_one_valid_link_cannot_cause_unlimited_password_hashing(
    open_site: Site, counted: tuple[Accounts, CountingPasswords]
) -> None:
    accounts, passwords = counted
    open_site.add("anil", signed_in=False)
    token = open_site.run(_link(accounts)).partition("token=")[2]

    async def all_at_once() -> list[object]:
        tries = (
            accounts.password_resets.set_password(token, PASSWORD, ClientInfo(f"203.0.113.{each}"))
            for each in range(40)
        )
        return list(await asyncio.gather(*tries, return_exceptions=True))

    outcomes = open_site.run(all_at_once())

    assert outcomes.count(None) == 1
    assert passwords.worked <= RESET_BY_LINK.free_attempts


async def _link(accounts: Accounts) -> str:
    return await accounts.administration.create_reset_link(await accounts.administration.find_by_name("anil"))


def test_without_mail_a_reset_is_asked_of_an_administrator(site: Site) -> None:
    assert site.ask("POST", "/api/account/reset-request", json={"name": "anil"}).status == 403


def test_users_see_their_own_sessions_and_can_end_them(site: Site) -> None:
    site.add("anil", signed_in=False)
    site.sign_in("anil", headers={"User-Agent": "Old telephone"})
    site.cookies["telephone"] = site.cookies["anil"]
    site.sign_in("anil", headers={"User-Agent": "Desk"})
    listed = site.ask("GET", "/api/account/sessions", by="anil").json["data"]
    telephone = next(entry["id"] for entry in listed if entry["agent"] == "Old telephone")

    assert [entry["current"] for entry in listed if entry["agent"] == "Desk"] == [True]
    assert site.ask("DELETE", f"/api/account/sessions/{telephone}", by="anil").status == 204
    assert site.ask("GET", "/api/session", by="telephone").status == 401
    assert site.ask("DELETE", "/api/account/sessions", by="anil").status == 204
    assert site.ask("GET", "/api/session", by="anil").status == 401


def test_another_persons_session_cannot_be_ended(site: Site) -> None:
    site.add("anil")
    site.add("bina")
    own = site.ask("GET", "/api/account/sessions", by="anil").json["data"][0]["id"]

    assert site.ask("DELETE", f"/api/account/sessions/{own}", by="bina").status == 404
    assert site.ask("GET", "/api/session", by="anil").status == 200


def test_a_disabled_user_is_signed_out_immediately(site: Site) -> None:
    site.add("anil")
    accounts = site.write_side.accounts

    site.run(accounts.administration.disable(site.run(accounts.administration.find_by_name("anil"))))

    assert site.ask("GET", "/api/session", by="anil").status == 401
    assert site.sign_in("anil").status == 403


def test_over_https_the_cookie_is_for_this_host_alone(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    with (
        open_database(sqlite_databases, load_sample) as database,
        opened_site(database, tmp_path / "home", base_url="https://dictionary.example") as site,
    ):
        site.add("anil", signed_in=False)

        cookie = site.sign_in("anil").headers["set-cookie"]

    assert cookie.startswith("__Host-abhidhan=")
    assert "Secure" in cookie


# --- counting -----------------------------------------------------------------------------------------------------


def test_attempts_are_counted_by_how_they_ended(site: Site) -> None:
    site.add("anil", signed_in=False)
    with count_changes("sign_ins_total", "result") as counted:
        for password in (PASSWORD, "wrong", "wrong", PASSWORD):
            site.sign_in("anil", password)
        while site.sign_in("nobody", "wrong").status != 429:
            pass

    assert (counted["succeeded"], counted["slowed"]) == (2, 1)
    assert counted["failed"] >= 3


def test_a_sign_in_that_still_needs_a_code_does_not_count_as_failed() -> None:
    expected: dict[str, dict[str, float]] = {"": {}, "123456": {"failed": 1}}
    for code, counts in expected.items():
        with (
            count_changes("sign_ins_total", "result") as counted,
            pytest.raises(CodeRequiredError),
            count_sign_in(code),
        ):
            raise CodeRequiredError(sentence("A code is needed."), "a step")

        assert counted == counts, code
