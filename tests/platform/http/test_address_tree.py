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


DIC_PARAMETERS = {
    "w": ParameterKind.TEXT,
    "pa": ParameterKind.LINES,
    "p": ParameterKind.NUMBER,
    "lim": ParameterKind.NUMBER,
}
PARAMETERS: tuple[tuple[str, dict[str, ParameterKind] | None], ...] = (
    ("/", {}),
    ("/api/dic.php", DIC_PARAMETERS),
    ("//api/dic.php/", DIC_PARAMETERS),
    ("/api/words/5", {"langs": ParameterKind.TEXT}),
    ("/api/words", {}),
    ("/api/words/5/6", {}),
    ("/dic/a/b/c", {"interface": ParameterKind.TEXT}),
    ("/nowhere", {}),
    ("/try", None),
)


def test_the_parameters_of_each_address_are_known(addresses: RouteTree) -> None:
    for path, kinds in PARAMETERS:
        assert addresses.describe_path(path).parameter_kinds == kinds, path


def test_addresses_that_differ_only_in_a_parameter_name_are_one_route(addresses: RouteTree) -> None:
    route = addresses.find("/api/words/5")

    assert route is not None
    assert route.methods == {"GET", "POST", "OPTIONS"}
    assert len(list(addresses)) == 5


def test_superfluous_slashes_are_removed() -> None:
    assert [normalize_path(path) for path in ("/", "//", "/a/b", "//a///b//")] == ["/", "/", "/a/b", "/a/b"]


def test_long_paths_are_not_kept_in_memory() -> None:
    tree = RouteTree(Litestar([first, read]).routes)
    tracemalloc.start()
    try:
        for number in range(100):
            assert tree.describe_path(f"/dic/{number}{'a' * 60_000}").accepts_slashes
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert taken < 1_000_000
