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


def an_app() -> Edge:
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


def details(answer: AsgiResponse) -> dict[str, str]:
    assert answer.status == 400, answer
    return {each["parameter"]: each["detail"] for each in answer.json["errors"]}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("start=a&lim=x", {"lim": "`lim` must be a whole number of at least 1."}),
        ("start=a&lim=0", {"lim": "`lim` must be a whole number of at least 1."}),
        ("start=a&lim=-1", {"lim": "`lim` must be a whole number of at least 1."}),
        ("start=a&lim=5.0", {"lim": "`lim` must be a whole number of at least 1."}),
        ("start=a&lim=1e3", {"lim": "`lim` must be a whole number of at least 1."}),
        ("start=a&lim=%D9%A5", {"lim": "`lim` must be a whole number of at least 1."}),
        ("start=a&lim=-" + "9" * 5000, {"lim": "`lim` must be a whole number of at least 1."}),
        ("start=a&p=noun", {"p": "`p` must be a whole number of at least 1."}),
        ("start=a&offset=100001", {"offset": "`offset` must be a whole number from 0 to 100,000."}),
        ("start=a&fuzzy=maybe", {"fuzzy": "`fuzzy` must be true, 1, false or 0."}),
        ("start=" + "a" * 201, {"start": "`start` must have from 1 to 200 characters."}),
        ("start=a&end=" + "a" * 201, {"end": "`end` must have at most 200 characters."}),
        ("", {"start": "`start` is missing. `start` must have from 1 to 200 characters."}),
        ("start=%20", {"start": "`start` is missing. `start` must have from 1 to 200 characters."}),
    ],
)
def test_a_wrong_parameter_is_told_with_what_would_be_right(query: str, expected: dict[str, str]) -> None:
    assert details(ask(an_app(), "/api/wordsalpha.php", query)) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("lim=x&p=0&fuzzy=2&start=" + "a" * 300, {"start", "lim", "p", "fuzzy"}),
        ("lim=x&p=0&fuzzy=2", {"start", "lim", "p", "fuzzy"}),
    ],
)
def test_everything_wrong_is_told_at_once(query: str, expected: set[str]) -> None:
    assert set(details(ask(an_app(), "/api/wordsalpha.php", query))) == expected


def test_what_stands_in_the_path_is_not_missing() -> None:
    assert details(ask(an_app(), "/api/packs/as-en/changes")) == {
        "since": "`since` is missing. `since` must have at most 200 characters."
    }


@pytest.mark.parametrize(("lim", "expected"), [("%2B5", 5), ("+5+", 5), ("007", 7), ("9" * 400, 10**18 - 1)])
def test_whole_numbers_are_read_as_people_write_them(lim: str, expected: int) -> None:
    assert ask(an_app(), "/api/wordsalpha.php", f"start=a&lim={lim}").json["lim"] == expected


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("/api/session", b"{}", {"username": "`username` is missing."}),
        ("/api/session", b'{"username": 1, "password": ""}', {"username": "`username` must be text."}),
        ("/api/submissions", b'{"kind": "other"}', {"kind": "`kind` is not one of the known values."}),
        (
            "/api/submissions",
            b'{"kind": "word", "count": 0}',
            {"count": "`count` must be a whole number of at least 1."},
        ),
    ],
)
def test_what_is_wrong_with_a_body_is_told(path: str, body: bytes, expected: dict[str, str]) -> None:
    answer = ask(an_app(), path, method="POST", body=body, headers={"Content-Type": "application/json"})

    assert expected.items() <= details(answer).items()


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000])
def test_a_body_that_is_no_json_is_a_400(body: bytes) -> None:
    answer = ask(an_app(), "/api/session", method="POST", body=body, headers={"Content-Type": "application/json"})

    assert answer.status == 400
    assert answer.json["success"] is False
