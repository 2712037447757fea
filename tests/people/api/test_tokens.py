"""Personal tokens: made by people, used by programs, and never worth more than their owners."""

import asyncio
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
import pytest
from sqlalchemy import func, select

from abhidhan.app.asgi import create_application
from abhidhan.app.wiring import build_write_services
from abhidhan.people.model.two_factor import TwoFactorRule
from abhidhan.people.store import sessions as stored_tokens
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.api_tokens import MAX_TOKENS, ApiToken, start_of_day
from abhidhan.records.people import Person, Role
from abhidhan.records.settings import Settings
from abhidhan.schema import history, personal_token
from tests.app.documentation.test_documentation import the_whole_schema
from tests.support.asgi import AsgiResponse
from tests.support.contributions import PASSWORD, Site, encode_form, opened_site, photo_bytes, read_session_token
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.lifespan import run_lifespan
from tests.support.plans import find_scanned_tables

WORD: Final = {"kind": "word", "data": {"language": "as", "word": "নীৰ", "idea_id": 1}}
PROVERB: Final = {"kind": "proverb", "data": {"text": "নতুন ফকৰা এটা", "category": "Other", "meaning": "new"}}
ELSEWHERE: Final = {"Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"}
ALL: Final = ("contribute", "review", "edit")


def token_of(site: Site, by: str, *scopes: str, **more: int) -> str:
    return site.make_token(by, *scopes, **more).text


def person_of(site: Site, name: str) -> Person:
    return site.run(site.write_side.accounts.administration.find_by_name(name))


def tokens_of(site: Site, name: str) -> list[ApiToken]:
    return site.run(site.write_side.tokens.list_tokens(person_of(site, name).id))


def ask(site: Site, token: str, method: str, path: str, **rest: Any) -> AsgiResponse:  # noqa: ANN401 (passed on)
    headers = {"Authorization": f"Bearer {token}"} | rest.pop("headers", {})
    return site.ask(method, path, headers=headers, **rest)


@dataclass
class Clock:
    """The time, which a test moves on."""

    now: float

    def __call__(self) -> float:
        """Return it."""
        return self.now


@pytest.fixture
def clock(open_site: Site, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Let tokens go by a clock of the test."""
    clock = Clock(time.time())
    monkeypatch.setattr(open_site.write_side.tokens, "_clock", clock)
    return clock


# --- stored tokens ------------------------------------------------------------------------------------------------


def test_a_token_is_valid_until_it_is_revoked(site: Site) -> None:
    site.add("anil", Role.CONTRIBUTOR)
    made = site.make_token("anil", "contribute", days=7)

    used = ask(site, made.text, "POST", "/api/submissions", json=PROVERB)
    (listed,) = tokens_of(site, "anil")
    site.run(site.write_side.tokens.revoke(person_of(site, "anil").id, made.token.id))

    assert re.fullmatch(r"abhidhan_[A-Za-z0-9_-]{43}", made.text)
    assert used.status == 201
    assert (listed.name, listed.used) == ("my app", start_of_day(int(time.time())))
    assert tokens_of(site, "anil") == []
    assert ask(site, made.text, "POST", "/api/submissions", json=WORD).status == 401


def test_the_database_holds_only_a_hash(open_site: Site) -> None:
    open_site.add("anil")

    token = token_of(open_site, "anil")

    with open_site.database.engine.begin() as connection:
        rows = connection.execute(select(personal_token)).all()
    assert len(rows) == 1
    assert token not in str(rows)
    assert token.removeprefix("abhidhan_") not in str(rows)


def test_the_number_of_tokens_per_user_is_limited_even_for_concurrent_requests(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_tokens, "MAX_TOKENS", 3)
    site.add("anil")
    body = urlencode({"name": "my app", "contribute": "yes", "days": "30", "password": PASSWORD}).encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}

    async def make_one() -> int:
        return (await site.ask_async("POST", "/account/tokens", by="anil", body=body, headers=headers)).status

    async def make_five() -> list[int]:
        return [*await asyncio.gather(*(make_one() for _ in range(5)))]

    made = site.run(make_five()).count(200)

    assert len(tokens_of(site, "anil")) == made <= 3
    for _ in range(made, 3):
        site.make_token("anil")
    assert site.run(make_one()) == 409
    assert MAX_TOKENS == 50


# --- what a token may ---------------------------------------------------------------------------------------------


def test_each_scope_opens_what_it_names_and_nothing_else(open_site: Site) -> None:
    open_site.add("root", Role.ADMINISTRATOR)
    open_site.add("anil", Role.CONTRIBUTOR)
    waiting = open_site.ask("POST", "/api/submissions", by="anil", json=WORD).json["submission_id"]
    asked = {
        "contribute": ("POST", "/api/submissions", PROVERB),
        "review": ("POST", f"/api/submissions/{waiting}/reject", {"reason": "twice"}),
        "edit": ("POST", "/api/editing/words", {"language": "as", "word": "নীৰ", "idea_id": 1}),
    }
    assert asked.keys() == set(ALL)
    tokens = {scope: token_of(open_site, "root", scope) for scope in ALL}

    for scope, token in tokens.items():
        for wanted, (method, path, body) in asked.items():
            if wanted != scope:
                refused = ask(open_site, token, method, path, json=body)
                assert refused.status == 403
                assert wanted in refused.json["detail"]
                challenge = f'Bearer error="insufficient_scope", scope="{wanted}"'
                assert refused.headers["www-authenticate"] == challenge
    for wanted, (method, path, body) in asked.items():
        assert ask(open_site, tokens[wanted], method, path, json=body).status in {200, 201}


def test_with_a_token_to_contribute_an_editor_sees_only_what_is_their_own(open_site: Site) -> None:
    open_site.add("editor", Role.EDITOR)
    open_site.add("anil", Role.CONTRIBUTOR)
    others = open_site.ask("POST", "/api/submissions", by="anil", json=WORD).json["submission_id"]
    contributing, reviewing = (token_of(open_site, "editor", scope) for scope in ("contribute", "review"))
    editing = token_of(open_site, "editor", "edit")

    assert ask(open_site, contributing, "GET", "/api/submissions").json["total"] == 0
    assert ask(open_site, contributing, "GET", f"/api/submissions/{others}").status == 403
    assert ask(open_site, reviewing, "GET", "/api/submissions").json["total"] == 1
    assert ask(open_site, editing, "GET", "/api/submissions").status == 403


def test_a_token_allows_what_the_current_role_of_its_owner_allows(site: Site) -> None:
    site.add("root", Role.ADMINISTRATOR)
    site.add("editor", Role.EDITOR)
    token = token_of(site, "editor", *ALL)
    person = person_of(site, "editor")
    new = {"language": "as", "word": "নীৰ", "idea_id": 1}

    site.run(site.write_side.accounts.administration.set_role(person, Role.CONTRIBUTOR))
    as_contributor = ask(site, token, "POST", "/api/editing/words", json=new)
    site.run(site.write_side.accounts.administration.set_role(person, Role.EDITOR))

    assert as_contributor.status == 403
    assert "contributor" in as_contributor.json["detail"]
    assert ask(site, token, "POST", "/api/editing/words", json=new).status == 201


FOR_PEOPLE_THEMSELVES: Final = [
    ("POST", "/api/session", {"username": "root", "password": PASSWORD}),
    ("DELETE", "/api/session", None),
    ("POST", "/api/account", {"username": "new", "password": "another long password"}),
    ("POST", "/api/account/password", {"password": PASSWORD, "new_password": "another long password"}),
    ("POST", "/api/account/reset-request", {"name": "root"}),
    ("POST", "/api/account/reset", {"token": "x", "password": "another long password"}),
    ("GET", "/api/account/sessions", None),
    ("DELETE", "/api/account/sessions", None),
    ("DELETE", "/api/account/sessions/1", None),
]


def test_tokens_give_no_access_to_accounts_sessions_users_and_tokens(
    administrators: tuple[Site, str], subtests: pytest.Subtests
) -> None:
    site, token = administrators
    for method, path, body in FOR_PEOPLE_THEMSELVES:
        with subtests.test(f"{method} {path}"):
            refused = ask(site, token, method, path, json=body)
            unknown = ask(site, token[:-1] + "_", method, path, json=body)
            beside_a_cookie = ask(site, token, method, path, json=body, by="root")

            assert (refused.status, refused.json["title"]) == (403, "This is not allowed")
            assert "yourself" in refused.json["detail"]
            assert "set-cookie" not in refused.headers
            assert unknown.status == 401
            assert beside_a_cookie.status == 403


@pytest.fixture(scope="module")
def administrators(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Any:  # noqa: ANN401 (a generator of a pair)
    """Open a site with an administrator who has a token for everything."""
    home = tmp_path_factory.mktemp("site")
    with open_database(sqlite_databases, load_sample) as database, opened_site(database, home, sign_up="open") as site:
        site.add("root", Role.ADMINISTRATOR)
        yield site, token_of(site, "root", *ALL)


def test_the_list_of_addresses_without_token_access_is_complete() -> None:
    described = {
        (method.upper(), re.sub(r"\{\w+\}", "1", path))
        for path, item in the_whole_schema()["paths"].items()
        for method in item
        if re.match("/api/(account|people|session)", path)
    }
    also_by_token = {("GET", "/api/session"), *((method, "/api/account/lists") for method in ("GET", "PUT", "DELETE"))}
    assert described - {(method, path) for method, path, _ in FOR_PEOPLE_THEMSELVES} == also_by_token


def test_tokens_of_users_who_must_set_up_codes_first_are_refused(open_site: Site) -> None:
    open_site.add("editor", Role.EDITOR)
    token = token_of(open_site, "editor", "edit")
    accounts = open_site.write_side.accounts
    accounts.context.rules = msgspec.structs.replace(accounts.context.rules, two_factor=TwoFactorRule.REQUIRED)

    answer = ask(open_site, token, "GET", "/api/editing/words/1")

    assert answer.status == 403
    assert "two-factor sign-in" in answer.json["detail"]


def test_changes_by_a_program_are_in_the_history_of_its_owner(open_site: Site) -> None:
    open_site.add("editor", Role.EDITOR)
    word = {"language": "as", "word": "নীৰ", "idea_id": 1}

    made = ask(open_site, token_of(open_site, "editor", "edit"), "POST", "/api/editing/words", json=word)
    record = made.json["record"].partition(":")[2]

    by_token = open_site.ask("GET", f"/api/words/{record}/history").json["data"][0]
    assert by_token["person"] == "editor"
    with open_site.database.engine.begin() as connection:
        people = connection.execute(select(history.c.person_id).order_by(history.c.id.desc()).limit(1)).scalar_one()
    assert people == person_of(open_site, "editor").id


def test_photos_are_sent_seen_and_withdrawn_by_a_token(open_site: Site) -> None:
    open_site.add("anil")
    token = token_of(open_site, "anil")
    body, kind = encode_form({"ideaID": "1", "photoCredit": "A. Photographer"}, photo_bytes())

    sent = ask(open_site, token, "POST", "/api/submit-foto.php", body=body, headers={"Content-Type": kind} | ELSEWHERE)
    number = sent.json["submission_id"]
    seen = ask(open_site, token, "GET", f"/photos/{number}.jpg")
    withdrawn = ask(open_site, token, "POST", f"/api/photos/{number}/withdraw")

    assert (sent.status, seen.status, withdrawn.status) == (201, 200, 200)
    assert open_site.ask("GET", f"/photos/{number}.jpg").status == 404
    assert seen.headers["cache-control"] == "no-store"


def test_a_report_sent_with_a_token_belongs_to_its_owner(open_site: Site) -> None:
    open_site.add("anil")
    report = {"word_id": 1, "text": "there is a mistake"}

    by_token = ask(open_site, token_of(open_site, "anil"), "POST", "/api/reports", json=report, headers=ELSEWHERE)
    by_a_bad_one = ask(open_site, "abhidhan_x", "POST", "/api/reports", json=report)

    assert (by_token.status, by_a_bad_one.status) == (201, 401)
    assert open_site.ask("GET", "/api/submissions", by="anil").json["data"][0]["submitter"] == "anil"


# --- tokens that do not count -------------------------------------------------------------------------------------


def check_refused(answer: AsgiResponse) -> None:
    assert answer.status == 401
    assert answer.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"


def test_all_invalid_tokens_get_the_same_answer(open_site: Site, clock: Clock) -> None:
    open_site.add("anil", Role.CONTRIBUTOR)
    open_site.add("bina", Role.CONTRIBUTOR)
    revoked = open_site.make_token("anil")
    expired, disabled = token_of(open_site, "anil", days=1), token_of(open_site, "bina", days=366)
    never = "abhidhan_" + "A" * 43
    open_site.run(open_site.write_side.tokens.revoke(person_of(open_site, "anil").id, revoked.token.id))
    open_site.run(open_site.write_side.accounts.administration.disable(person_of(open_site, "bina")))
    clock.now += 86_400

    answers = [
        ask(open_site, token, "POST", "/api/submissions", json=WORD)
        for token in (
            never,
            revoked.text,
            expired,
            disabled,
            "",
            "x",
            "eyJhbGciOiJub25lIn0.e30.",
            "অ".encode().decode("latin-1"),
        )
    ]

    for answer in answers:
        check_refused(answer)
        assert answer.body == answers[0].body
    assert "expired" in answers[0].json["detail"]


def test_a_token_is_valid_again_when_its_owner_may_sign_in_again(open_site: Site) -> None:
    open_site.add("anil", Role.CONTRIBUTOR)
    token, accounts = token_of(open_site, "anil"), open_site.write_side.accounts
    person = open_site.run(accounts.administration.disable(person_of(open_site, "anil")))

    check_refused(ask(open_site, token, "GET", "/api/session"))
    open_site.run(accounts.administration.enable(person))

    assert ask(open_site, token, "GET", "/api/session").status == 200


def test_a_new_password_ends_every_token(site: Site) -> None:
    site.add("anil", Role.CONTRIBUTOR)
    site.add("bina", Role.CONTRIBUTOR)
    token, others = token_of(site, "anil"), token_of(site, "bina")

    body = {"password": PASSWORD, "new_password": "quite another password"}
    changed = site.ask("POST", "/api/account/password", by="anil", json=body)

    assert changed.status == 204
    site.cookies["anil"] = read_session_token(changed)
    check_refused(ask(site, token, "GET", "/api/session"))
    assert tokens_of(site, "anil") == []
    assert ask(site, others, "GET", "/api/session").json["username"] == "bina"


def test_tokens_are_deleted_with_the_account(site: Site) -> None:
    site.add("anil", Role.CONTRIBUTOR)
    token = token_of(site, "anil")

    site.delete_account("anil")

    check_refused(ask(site, token, "GET", "/api/session"))


def test_expired_tokens_are_not_listed_and_are_deleted(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(time.time())
    monkeypatch.setattr(site.write_side.tokens, "_clock", clock)
    monkeypatch.setattr(site.write_side.retention, "_clock", clock)
    site.add("anil")
    token_of(site, "anil", days=1)
    token_of(site, "anil", days=2)
    clock.now += 86_400

    assert len(tokens_of(site, "anil")) == 1
    assert site.run(site.write_side.retention.delete_expired_tokens()) == 1

    with site.database.engine.begin() as connection:
        assert connection.execute(select(func.count()).select_from(personal_token)).scalar_one() == 1


def test_the_last_day_of_use_is_written_once_a_day(
    open_site: Site, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    note = stored_tokens.update_last_use

    def noting(*arguments: Any, **named: Any) -> None:  # noqa: ANN401 (passed on)
        written.append(named["day"])
        note(*arguments, **named)

    monkeypatch.setattr(stored_tokens, "update_last_use", noting)
    open_site.add("anil")
    token = token_of(open_site, "anil", days=30)
    clock.now -= clock.now % 86_400
    for _ in range(3):
        for _ in range(4):
            assert ask(open_site, token, "GET", "/api/session").status == 200
            clock.now += 3600
        clock.now += 86_400

    first = int(clock.now // 86_400 - 3) * 86_400
    assert written == [first, first + 86_400, first + 2 * 86_400]


# --- other sites, caching, limits ---------------------------------------------------------------------------------


def test_another_site_may_write_by_a_token_and_never_by_a_cookie(open_site: Site) -> None:
    open_site.add("anil", Role.CONTRIBUTOR)
    token = token_of(open_site, "anil")

    by_token = ask(open_site, token, "POST", "/api/submissions", json=PROVERB, headers=ELSEWHERE)
    by_cookie = open_site.ask("POST", "/api/submissions", by="anil", json=WORD, headers=ELSEWHERE)
    by_both = ask(open_site, "abhidhan_x", "POST", "/api/submissions", by="anil", json=WORD, headers=ELSEWHERE)

    assert (by_token.status, by_cookie.status, by_both.status) == (201, 403, 401)
    for answer in (by_token, by_both):
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in answer.headers
    assert "access-control-allow-origin" not in by_cookie.headers


def test_a_token_takes_precedence_over_a_cookie(open_site: Site) -> None:
    open_site.add("anil")
    open_site.add("editor", Role.EDITOR)

    answer = ask(open_site, token_of(open_site, "anil"), "GET", "/api/session", by="editor")

    assert answer.json == {"username": "anil", "role": "reader"}


def test_the_scheme_may_be_written_in_any_letter_case_and_other_schemes_are_ignored(open_site: Site) -> None:
    open_site.add("anil")
    token = token_of(open_site, "anil")

    for scheme in ("Bearer", "bearer", "BEARER"):
        header = {"Authorization": f"{scheme}  {token} "}
        assert open_site.ask("GET", "/api/session", headers=header).status == 200, scheme
    basic = {"Authorization": "Basic YW5pbDp4"}
    assert open_site.ask("GET", "/api/session", by="anil", headers=basic).status == 200


PREFLIGHTS: Final[tuple[tuple[str, str], ...]] = (
    ("/api/submissions", "GET, HEAD, OPTIONS, POST"),
    ("/api/submit-foto.php", "OPTIONS, POST"),
    ("/api/editing/words/1", "DELETE, GET, HEAD, OPTIONS, PATCH"),
    ("/api/dic.php", "GET, HEAD, OPTIONS"),
)


def test_preflight_answers_allow_tokens_and_the_right_methods(tokens_at: Site, subtests: pytest.Subtests) -> None:
    for path, methods in PREFLIGHTS:
        with subtests.test(path):
            asked = {
                "Origin": "https://app.example",
                "Access-Control-Request-Method": methods.rsplit(", ", maxsplit=1)[-1],
                "Access-Control-Request-Headers": "authorization,content-type",
            }
            answer = tokens_at.ask("OPTIONS", path, headers=asked)

            assert answer.status == 204
            assert answer.headers["access-control-allow-origin"] == "*"
            assert answer.headers["access-control-allow-headers"] == "*, Authorization"
            assert answer.headers["access-control-allow-methods"] == methods
            assert "access-control-allow-credentials" not in answer.headers


def test_without_a_token_other_sites_cannot_read_private_answers(tokens_at: Site) -> None:
    asked = {"Origin": "https://app.example", "Access-Control-Request-Headers": "content-type"}

    answer = tokens_at.ask("OPTIONS", "/api/submissions", headers=asked)

    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("token", ["abhidhan_" + "A" * 43, "nonsense"])
def test_public_answers_do_not_change_with_an_invalid_token(tokens_at: Site, token: str) -> None:
    for path in ("/api/dic.php?w=water", "/api/words/1", "/api/search?q=water", "/api/openapi.json"):
        plain = tokens_at.ask("GET", path)
        by_token = ask(tokens_at, token, "GET", path)

        assert by_token.body == plain.body
        own = {"x-request-id": "", "ratelimit": ""}
        assert by_token.headers | own == plain.headers | own
    looked_up = ask(tokens_at, token, "POST", "/api/lookup", json={"words": ["water"]}, headers=ELSEWHERE)
    assert (looked_up.status, looked_up.headers["access-control-allow-origin"]) == (200, "*")


@pytest.fixture(scope="module")
def tokens_at(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Any:  # noqa: ANN401
    """Open the whole application, where everybody may ask a hundred times a day."""
    settings = Settings(home=tmp_path_factory.mktemp("home"), rate_limit="100/day", sign_up="open")
    settings.run_folder.mkdir()
    with open_database(sqlite_databases, load_sample) as database, asyncio.Runner() as runner:
        application = create_application(settings, database)
        site = Site(application, database, build_write_services(settings, database), runner, Path())
        with run_lifespan(application, runner):
            yield site
        runner.run(site.write_side.close())


def test_requests_count_for_the_person_whichever_token_and_address_they_come_by(tokens_at: Site) -> None:
    tokens_at.add("anil")
    tokens = [token_of(tokens_at, "anil") for _ in range(2)]
    read = [
        ask(tokens_at, token, "GET", "/api/session", address=f"198.51.100.{number}").headers["ratelimit"]
        for number, token in enumerate(tokens * 2)
    ]
    by_bad_ones = [
        ask(tokens_at, f"abhidhan_{number}", "GET", "/api/session", address="198.51.100.9").headers["ratelimit"]
        for number in range(3)
    ]

    left = [int(re.search(r"r=(\d+)", each)[1]) for each in (*read, *by_bad_ones)]  # type: ignore[index]  # it is there
    assert left == [99, 98, 97, 96, 99, 98, 97]


def test_tokens_are_found_by_indexes(open_site: Site) -> None:
    def read(connection: ReadConnection) -> None:
        stored_tokens.find_token_user(connection, "x", 1)
        stored_tokens.list_tokens(connection, 1, 1)

    assert find_scanned_tables(open_site.database, read) == []
