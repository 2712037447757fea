"""Fuzzing: requests generated from the OpenAPI document, from all kinds of users; responses that violate the document.

`make fuzz` runs it for minutes (`tools/fuzz.py`), a test for some examples. The same seed generates the same requests.
"""

import asyncio
import itertools
import random
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx2
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, CheckContext, GenerationMode, Response
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from abhidhan.app.wiring import build_write_services
from abhidhan.people.service.administration import NewAccount
from abhidhan.platform.database.database import Database
from abhidhan.records.api_tokens import NewToken, Scope
from abhidhan.records.people import Role
from abhidhan.records.settings import Settings
from abhidhan.records.throttling import ClientInfo
from tests.support.contributions import PASSWORD, photo_bytes
from tests.support.server import DICTIONARY_FILE, RunningServer

Operation = APIOperation[Any, Any, Any, Any]

SERVER_SETTINGS: Final = {"ABHIDHAN_TRUSTED_PROXIES": "127.0.0.1", "ABHIDHAN_SIGN_UP": "open"}
"""Settings of a fuzzed server: each request has another client address, so that none is throttled."""

KNOWN_USERNAME: Final = "known"
"""Name of the user for requests to sign in; the user sends no other requests."""

MAX_NEAR_ID: Final = 40
"""Maximum ID in most requests; most records with lower IDs exist."""

EXAMPLES_PER_ROUND: Final = 4


@dataclass(frozen=True, slots=True)
class Visitor:
    """A kind of client: a role or an anonymous user, with a cookie or a token."""

    role: Role | None
    uses_token: bool = False

    def __str__(self) -> str:
        """Return the role and the kind of credentials, for messages."""
        return "nobody" if self.role is None else self.role + (" by a token" if self.uses_token else "")


ANONYMOUS: Final = Visitor(None)
VISITORS: Final = (
    ANONYMOUS,
    Visitor(Role.READER),
    Visitor(Role.EDITOR),
    Visitor(Role.EDITOR, uses_token=True),
    Visitor(Role.ADMINISTRATOR),
)


class VisitorAccounts:
    """The accounts of the visitors. An account that is signed out, changed or deleted is replaced by a new one.

    Therefore every operation can be fuzzed, even the deletion of the account itself.
    """

    def __init__(self, server: RunningServer) -> None:
        """Create the accounts in the dictionary of a server, without its API."""
        self._server = server
        self._database = Database(f"sqlite:///{server.home / DICTIONARY_FILE}")
        self._write_side = build_write_services(Settings(home=server.home), self._database)
        self._runner = asyncio.Runner()
        self._numbers = itertools.count(1)
        self._headers: dict[Visitor, dict[str, str]] = {}
        self._runner.run(
            self._write_side.accounts.administration.create_account(NewAccount(KNOWN_USERNAME, PASSWORD), Role.READER)
        )

    def close(self) -> None:
        """Close the dictionary."""
        self._runner.run(self._write_side.close())
        self._runner.close()
        self._database.close()

    def headers(self, visitor: Visitor) -> dict[str, str]:
        """Return the headers of a visitor's requests."""
        if visitor.role is None:
            return {}
        if visitor not in self._headers:
            self._headers[visitor] = self._runner.run(self._create_account(visitor.role, by_token=visitor.uses_token))
        return self._headers[visitor]

    def is_valid(self, visitor: Visitor) -> bool:
        """Return whether a visitor's account is signed in and has the visitor's role; if not, discard the account."""
        if visitor.role is None:
            return True
        answer = self._server.client.get("/api/session", headers=self.headers(visitor))
        is_still = answer.status_code == httpx2.codes.OK and answer.json()["role"] == visitor.role
        if not is_still:
            del self._headers[visitor]
        return is_still

    async def _create_account(self, role: Role, *, by_token: bool) -> dict[str, str]:
        name, accounts = f"fuzz{next(self._numbers)}", self._write_side.accounts
        visit = ClientInfo(f"10.0.0.{next(self._numbers) % 250}")
        await accounts.administration.create_account(NewAccount(name, PASSWORD), role)
        session = await accounts.authentication.sign_in(name, PASSWORD, visit)
        if not by_token:
            return {"Cookie": f"abhidhan={session}"}
        signed_in = await accounts.sessions.authenticate(session)
        assert signed_in is not None
        wanted = NewToken("fuzz", frozenset(Scope))
        made = await self._write_side.tokens.create(signed_in, wanted, PASSWORD, visit)
        return {"Authorization": f"Bearer {made.text}"}


# --- checks -------------------------------------------------------------------------------------------------------

DECIDED_BY_DATA: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("l", "lang", "langs", "language", "definitions", "examples", "meanings"), "which languages there are"
    ),
    **dict.fromkeys(
        ("p", "pos", "gender", "context", "contexts", "category", "variant", "type_id", "name"),
        "which values a list has",
    ),
    "end": "what is before what in the alphabet",
    "since": "which token was given",
    "date": "which day it is",
    **dict.fromkeys(("w", "words", "q"), "how many words a text has, by the rules of Unicode"),
    "pa": "in which script a text is, and so how long it may be",
    "kind": "of which kind the submission is that waits",
    "photo": "what a picture is",
    "recording": "what a sound is, and which examples there are",
    "lists": "how many words all lists have together",
    "photoCredit": "which characters can be seen",
    **dict.fromkeys(("username", "name"), "which letters are of one script"),
    **dict.fromkeys(("password", "new_password"), "how easy to guess a password is"),
    "email": "what an address is",
    "code": "what an app shows just then",
    **dict.fromkeys(("token", "invitation"), "which links have been made"),
    **dict.fromkeys(
        ("idea_id", "word_id", "phrase_id", "set_id", "ideaID", "wordID", "phraseID", "other_id", "into", "version"),
        "which records there are",
    ),
    "submissionID": "which words wait",
    "licence": "under which licence contributions are given",
}
"""Parameters whose validity depends on the data, with reasons."""

LENIENT_OPERATIONS: Final[Mapping[str, str]] = {
    "POST /api/submissions/similar": "texts are only compared and nothing is kept, so a submission may be unfinished",
}
"""Operations that accept more than the document describes, with reasons."""

REJECTION_STATUSES: Final = (400, 401, 403, 404, 405, 409, 415, 429)
"""Allowed statuses for invalid requests; missing permissions are reported first."""


def check_valid_accepted(_: CheckContext, response: Response, case: Case[Any]) -> None:
    """Fail if a valid request is rejected for another reason than the data."""
    if response.status_code == httpx2.codes.BAD_REQUEST and case.meta and case.meta.generation.mode.is_positive:
        problem = response.json()
        named = {each["parameter"] for each in problem.get("errors", [{"parameter": ""}])}
        wrong = sorted(each for each in named if each not in DECIDED_BY_DATA)
        assert not wrong, f"a request that is as described is refused for {', '.join(wrong)}: {problem['detail']}"


def check_invalid_rejected(context: CheckContext, response: Response, case: Case[Any]) -> bool | None:
    """Fail if an invalid request is accepted; blank values count as missing, and texts are trimmed."""
    if case.operation.label in LENIENT_OPERATIONS:
        return None
    asked = parse_qs(urlsplit(str(response.request.url)).query, keep_blank_values=True)
    texts = [*itertools.chain(*asked.values()), *iter_texts(case.body)]
    if (
        any(text != " ".join(text.split()) for text in texts)
        or "" in texts
        or response.status_code in REJECTION_STATUSES
    ):
        return None
    return negative_data_rejection(context, response, case)


def iter_texts(value: object) -> Iterator[str]:
    """Yield the texts in a body."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from iter_texts(each)


def check_permissions(_: CheckContext, response: Response, case: Case[Any]) -> None:
    """Fail if a request succeeds without the permissions that the document requires."""
    security = case.operation.definition.raw.get("security")
    visitor = VISITOR_BY_CASE.get(id(case), ANONYMOUS)
    if not security or {} in security or not response.status_code < 400:
        return
    roles = [role for scheme in security for role in scheme.get("session", ())]
    assert visitor.role in roles, f"somebody who may not is answered: {visitor}"
    assert not visitor.uses_token or any("token" in scheme for scheme in security), "a token is taken where none is"


VISITOR_BY_CASE: Final[dict[int, Visitor]] = {}
"""The visitor of each running case, by the case's ID."""


def check_server_errors(context: CheckContext, response: Response, case: Case[Any]) -> bool | None:
    """Fail on server errors, except for articles: a fuzzed server sends no requests to wikis."""
    if case.operation.path == "/api/dic-wiki.php" and response.status_code == httpx2.codes.SERVICE_UNAVAILABLE:
        return None
    return not_a_server_error(context, response, case)


CHECKS: Final[list[Callable[..., bool | None]]] = [
    check_server_errors,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    check_invalid_rejected,
    check_valid_accepted,
    check_permissions,
]


# --- requests -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finding:
    """A response that violates the document: the operation, the visitor, the problem, and a command that repeats it."""

    operation: str
    visitor: Visitor
    message: str
    command: str

    def __str__(self) -> str:
        """Format the finding for developers."""
        return f"{self.operation}, asked by {self.visitor}\n    {self.message}\n    {self.command}"


@dataclass
class Fuzzing:
    """The requests to a server, and the findings; `succeeded` has the operations with at least one success."""

    server: RunningServer
    seed: int
    people: VisitorAccounts
    operations: list[Operation]
    findings: dict[tuple[str, str], Finding] = field(default_factory=dict)
    statuses: Counter[int] = field(default_factory=Counter)
    succeeded: set[str] = field(default_factory=set)
    _strategies: dict[tuple[str, GenerationMode], st.SearchStrategy[Any]] = field(default_factory=dict)
    _addresses: Iterator[int] = field(default_factory=itertools.count)

    def run_round(self, number: int, examples: int, *, until: float) -> None:
        """Test every operation with every visitor and mode in random order, as round `number`, until a time."""
        ways = list(itertools.product(self.operations, VISITORS, GenerationMode))
        random.Random(f"{self.seed} {number}").shuffle(ways)  # noqa: S311 (of no secrets)
        for operation, visitor, mode in ways:
            if time.monotonic() > until:
                return
            self.run_operation(operation, visitor, mode, number, examples)

    def run_operation(
        self,
        operation: Operation,
        visitor: Visitor,
        mode: GenerationMode,
        number: int,
        examples: int,
    ) -> None:
        """Test an operation with some examples, as one visitor."""
        if mode is GenerationMode.NEGATIVE and not (operation.query or operation.path_parameters or operation.body):
            return
        of_this = f"{self.seed} {number} {operation.label} {visitor} {mode}"

        @seed(zlib.crc32(of_this.encode()))
        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=self._strategy(operation, mode), near=st.integers(0, MAX_NEAR_ID))
        def ask_one(case: Case[Any], near: int) -> None:
            if mode is GenerationMode.POSITIVE and near:
                use_existing_records(case, near)
            self._send_case(case, visitor)

        ask_one()

    def _strategy(self, operation: Operation, mode: GenerationMode) -> st.SearchStrategy[Any]:
        """Return the strategy for the requests of an operation; creating one is much slower than a request."""
        key = (operation.label, mode)
        if key not in self._strategies:
            self._strategies[key] = operation.as_strategy(generation_mode=mode)
        return self._strategies[key]

    def _send_case(self, case: Case[Any], visitor: Visitor) -> None:
        response = self._call(case, visitor)
        if response.status_code in {401, 403} and not self.people.is_valid(visitor):
            response = self._call(case, visitor)
        self.statuses[response.status_code] += 1
        if response.status_code < httpx2.codes.BAD_REQUEST:
            self.succeeded.add(case.operation.label)
        VISITOR_BY_CASE[id(case)] = visitor
        try:
            case.validate_response(response, checks=CHECKS)
        except (Failure, FailureGroup, AssertionError) as error:
            self._record_finding(case, visitor, error)
        finally:
            del VISITOR_BY_CASE[id(case)]

    def _call(self, case: Case[Any], visitor: Visitor) -> Response:
        number = next(self._addresses)
        address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        return case.call(headers={"X-Forwarded-For": address, **self.people.headers(visitor)})

    def _record_finding(self, case: Case[Any], visitor: Visitor, error: BaseException) -> None:
        for each in error.exceptions if isinstance(error, FailureGroup) else [error]:
            title = getattr(each, "title", type(each).__name__)
            message = " ".join(f"{title}: {getattr(each, 'message', each)}".split())[:600]
            found = Finding(case.operation.label, visitor, message, case.as_curl_command()[:600])
            self.findings.setdefault((found.operation, message[:60]), found)


def use_existing_records(case: Case[Any], near: int) -> None:
    """Make a request refer to existing records and use the right password, like most requests of real programs."""
    for name, value in (case.path_parameters or {}).items():
        if isinstance(value, int):
            case.path_parameters[name] = near
    if near % 4:
        somebody_new = f"new{zlib.crc32(repr(case.body).encode())}"
        _use_existing_in_body(
            case.body, near, KNOWN_USERNAME if case.operation.label == "POST /api/session" else somebody_new
        )


def _use_existing_in_body(body: object, near: int, username: str) -> None:
    there: Mapping[str, object] = {
        "password": PASSWORD,
        "new_password": f"another {PASSWORD}",
        "username": username,
        "email": None,
        "invitation": None,
        "photo": photo_bytes(seed=near),
        "language": "as",
        "version": 0,
        "contexts": [],
        **dict.fromkeys(("pos", "gender", "variant", "category", "type_id"), near % 5 + 1),
        **dict.fromkeys(("idea_id", "word_id", "phrase_id", "ideaID", "set_id", "into", "other_id"), near % 7 + 1),
    }
    if isinstance(body, list):
        for each in body:
            _use_existing_in_body(each, near, username)
    elif isinstance(body, dict):
        for name, value in body.items():
            if name in there and value is not None:
                body[name] = there[name]
            else:
                _use_existing_in_body(value, near, username)


@contextmanager
def fuzzing(server: RunningServer, chosen_seed: int) -> Iterator[Fuzzing]:
    """Read the OpenAPI document of a server, and prepare the fuzzing."""
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{server.port}/api/openapi.json")
    # Visitors are chosen here, not by the document. No text with U+0000 is accepted (tests/contract/test_bad_input.py).
    schema.config.generation.update(with_security_parameters=False, allow_x00=False)
    operations = [each.ok() for each in schema.get_all_operations() if isinstance(each, Ok)]
    people = VisitorAccounts(server)
    try:
        yield Fuzzing(server, chosen_seed, people, operations)
    finally:
        people.close()
