import tracemalloc
from pathlib import Path
from typing import Annotated

import pytest
from litestar import Litestar, get, post
from litestar.params import FromPath, FromQuery, QueryParameter

from abhidhan.platform.http.address_tree import ACCEPTS_ALL_PARAMETERS, RouteTree, normalize_path
from abhidhan.platform.http.query import ParameterKind


@get("/")
async def first() -> None: ...


@get("/api/dic.php")
async def look_up(
    w: FromQuery[str],
    text: Annotated[str, QueryParameter(name="pa")],
    p: FromQuery[int | None] = None,
    lim: FromQuery[int] = 50,
) -> None: ...


@get("/api/words/{word_id:int}")
async def show(word_id: FromPath[int], langs: FromQuery[str] = "") -> None: ...


@post("/api/words/{record_id:int}")
async def change(record_id: FromPath[int], sure: FromQuery[int] = 0) -> None: ...


@get("/dic/{word:path}", include_in_schema=False)
async def read(word: FromPath[Path]) -> None: ...


@get("/try", opt={ACCEPTS_ALL_PARAMETERS: True})
async def try_out() -> None: ...


@pytest.fixture(scope="module")
def addresses() -> RouteTree:
    return RouteTree(Litestar([first, look_up, show, change, read, try_out], openapi_config=None).routes)


@pytest.mark.parametrize(
    ("path", "kinds"),
    [
        ("/", {}),
        (
            "/api/dic.php",
            {
                "w": ParameterKind.TEXT,
                "pa": ParameterKind.LINES,
                "p": ParameterKind.NUMBER,
                "lim": ParameterKind.NUMBER,
            },
        ),
        (
            "//api/dic.php/",
            {
                "w": ParameterKind.TEXT,
                "pa": ParameterKind.LINES,
                "p": ParameterKind.NUMBER,
                "lim": ParameterKind.NUMBER,
            },
        ),
        ("/api/words/5", {"langs": ParameterKind.TEXT}),
        ("/api/words", {}),
        ("/api/words/5/6", {}),
        ("/dic/a/b/c", {"interface": ParameterKind.TEXT}),
        ("/nowhere", {}),
        ("/try", None),
    ],
)
def test_the_parameters_of_an_address_are_known_also_where_it_has_a_name_in_it(
    addresses: RouteTree, path: str, kinds: dict[str, ParameterKind] | None
) -> None:
    assert addresses.describe_path(path).parameter_kinds == kinds


def test_addresses_that_differ_in_the_name_of_a_place_are_one(addresses: RouteTree) -> None:
    found = addresses.find("/api/words/5")

    assert found is not None
    assert found.methods == {"GET", "POST", "OPTIONS"}
    assert len(list(addresses)) == 5


@pytest.mark.parametrize(("path", "plain"), [("/", "/"), ("//", "/"), ("/a/b", "/a/b"), ("//a///b//", "/a/b")])
def test_slashes_too_many_mean_nothing(path: str, plain: str) -> None:
    assert normalize_path(path) == plain


def test_long_paths_take_no_memory() -> None:
    tree = RouteTree(Litestar([first, read]).routes)
    tracemalloc.start()
    try:
        for number in range(100):
            assert tree.describe_path(f"/dic/{number}{'a' * 60_000}").accepts_slashes
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert taken < 1_000_000
