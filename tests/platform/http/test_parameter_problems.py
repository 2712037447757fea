from typing import Annotated, Any, Literal

import msgspec
import pytest
from litestar import Litestar, get, post
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter

from abhidhan.platform.http.errors import build_exception_handlers
from abhidhan.platform.http.middleware import Edge
from tests.support.asgi import AsgiResponse, ask


class SignIn(msgspec.Struct):
    """A body with two texts."""

    username: str
    password: str


class Chosen(msgspec.Struct):
    """A body with a choice and a number."""

    kind: Literal["word", "card"]
    count: Annotated[int, msgspec.Meta(ge=1)] = 1


def make_app() -> Edge:
    @get("/api/wordsalpha.php")
    async def words(  # noqa: PLR0913 (one parameter of each kind)
        start: Annotated[str, QueryParameter(min_length=1, max_length=200)],
        end: Annotated[str | None, QueryParameter(max_length=200)] = None,
        lim: Annotated[int, QueryParameter(ge=1)] = 50,
        pos: Annotated[int | None, QueryParameter(name="p", ge=1)] = None,
        offset: Annotated[int, QueryParameter(ge=0, le=100_000)] = 0,
        *,
        fuzzy: FromQuery[bool] = True,
    ) -> dict[str, Any]:
        return {"start": start, "end": end, "lim": lim, "p": pos, "offset": offset, "fuzzy": fuzzy}

    @post("/api/session")
    async def session(data: JSONBody[SignIn]) -> None: ...

    @post("/api/submissions")
    async def submit(data: JSONBody[Chosen]) -> None: ...

    @get("/api/packs/{pair:str}/changes")
    async def changes(
        pair: Annotated[str, PathParameter(max_length=200)], since: Annotated[str, QueryParameter(max_length=200)]
    ) -> dict[str, Any]:
        return {"pair": pair, "since": since}

    handlers = [words, session, submit, changes]
    app = Litestar(handlers, openapi_config=None, logging_config=None, exception_handlers=build_exception_handlers())

    async def version() -> int:
        return 1

    return Edge(app, get_version=version)


def read_details(answer: AsgiResponse) -> dict[str, str]:
    assert answer.status == 400, answer
    return {each["parameter"]: each["detail"] for each in answer.json["errors"]}


LIMIT = {"lim": "`lim` must be a whole number of at least 1."}
START = {"start": "`start` is missing. `start` must have from 1 to 200 characters."}
WRONG_QUERIES: tuple[tuple[str, dict[str, str]], ...] = (
    *((f"start=a&lim={text}", LIMIT) for text in ("x", "0", "-1", "5.0", "1e3", "%D9%A5", "-" + "9" * 5000)),
    ("start=a&p=noun", {"p": "`p` must be a whole number of at least 1."}),
    ("start=a&offset=100001", {"offset": "`offset` must be a whole number from 0 to 100,000."}),
    ("start=a&fuzzy=maybe", {"fuzzy": "`fuzzy` must be true, 1, false or 0."}),
    ("start=" + "a" * 201, {"start": "`start` must have from 1 to 200 characters."}),
    ("start=a&end=" + "a" * 201, {"end": "`end` must have at most 200 characters."}),
    ("", START),
    ("start=%20", START),
)


def test_a_wrong_parameter_is_rejected_with_an_explanation_of_what_is_allowed(subtests: pytest.Subtests) -> None:
    for query, expected in WRONG_QUERIES:
        with subtests.test(query[:30]):
            assert read_details(ask(make_app(), "/api/wordsalpha.php", query)) == expected


def test_all_wrong_parameters_are_reported_together() -> None:
    for query in ("lim=x&p=0&fuzzy=2&start=" + "a" * 300, "lim=x&p=0&fuzzy=2"):
        assert set(read_details(ask(make_app(), "/api/wordsalpha.php", query))) == {"start", "lim", "p", "fuzzy"}


def test_a_parameter_in_the_path_is_not_reported_as_missing() -> None:
    assert read_details(ask(make_app(), "/api/packs/as-en/changes")) == {
        "since": "`since` is missing. `since` must have at most 200 characters."
    }


def test_whole_numbers_are_read_in_the_spellings_that_people_use() -> None:
    for text, expected in (("%2B5", 5), ("+5+", 5), ("007", 7), ("9" * 400, 10**18 - 1)):
        assert ask(make_app(), "/api/wordsalpha.php", f"start=a&lim={text}").json["lim"] == expected, text


WRONG_BODIES = (
    ("/api/session", b"{}", {"username": "`username` is missing."}),
    ("/api/session", b'{"username": 1, "password": ""}', {"username": "`username` must be text."}),
    ("/api/submissions", b'{"kind": "other"}', {"kind": "`kind` is not one of the known values."}),
    ("/api/submissions", b'{"kind": "word", "count": 0}', {"count": "`count` must be a whole number of at least 1."}),
)


def test_a_wrong_field_of_a_body_is_rejected_with_an_explanation(subtests: pytest.Subtests) -> None:
    for path, body, expected in WRONG_BODIES:
        with subtests.test(body.decode()):
            assert expected.items() <= read_details(post_json(path, body)).items()


def post_json(path: str, body: bytes) -> AsgiResponse:
    return ask(make_app(), path, method="POST", body=body, headers={"Content-Type": "application/json"})
