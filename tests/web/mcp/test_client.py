"""A real server, asked by the official client of the protocol, of its newest version and of those before."""

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.packages import needed
from tests.support.server import RunningServer, starter_server

Client = needed("mcp.client.client", where="it comes with the extra `mcp`").Client

MODES = ("auto", "legacy")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server of two workers: a client meets either."""
    with starter_server(tmp_path_factory.mktemp("mcp") / "home", ABHIDHAN_WORKERS="2") as server:
        yield server


async def called(server: RunningServer, mode: str, *calls: tuple[str, dict[str, object]]) -> list[Any]:
    async with Client(f"http://127.0.0.1:{server.port}/mcp", mode=mode) as client:
        return [await client.call_tool(name, arguments) for name, arguments in calls]


def run(work: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401 (what the work returns)
    return asyncio.run(work)


@pytest.mark.parametrize("mode", MODES)
def test_a_client_finds_the_tools_and_that_they_only_read(server: RunningServer, mode: str) -> None:
    async def tools() -> Any:  # noqa: ANN401 (the client's own)
        async with Client(f"http://127.0.0.1:{server.port}/mcp", mode=mode) as client:
            return client.server_info, (await client.list_tools()).tools

    info, found = run(tools())

    assert info.name == "abhidhan"
    assert [tool.name for tool in found] == ["look_up", "search", "transliterate", "proverb", "today"]
    assert all(tool.annotations.read_only_hint and tool.input_schema["type"] == "object" for tool in found)


@pytest.mark.parametrize("mode", MODES)
def test_every_tool_answers(server: RunningServer, mode: str) -> None:
    looked_up, searched, written, proverbs, today = run(
        called(
            server,
            mode,
            ("look_up", {"text": "xobdo"}),
            ("search", {"text": "water", "limit": 3}),
            ("transliterate", {"text": "xobdo"}),
            ("proverb", {"text": "hati"}),
            ("today", {}),
        )
    )

    assert looked_up.structured_content["found"][0]["entries"][0]["word"] == "শব্দ"
    assert "শব্দ" in looked_up.content[0].text
    assert searched.structured_content["words"][0]["word"] == "water"
    assert written.structured_content["output"] == "শব্দ"
    assert proverbs.structured_content["with_these_words"]
    assert today.structured_content["word"] == run(called(server, mode, ("today", {})))[0].structured_content["word"]


@pytest.mark.parametrize("mode", MODES)
def test_an_assistant_is_told_what_is_wrong(server: RunningServer, mode: str) -> None:
    [refused] = run(called(server, mode, ("look_up", {"text": "water", "language": "klingon"})))

    assert refused.is_error
    assert "/api/languages" in refused.content[0].text


def test_many_clients_are_answered_at_once(server: RunningServer) -> None:
    def ask(number: int) -> str:
        [found] = run(called(server, MODES[number % 2], ("look_up", {"text": "পানী"})))
        word: str = found.structured_content["found"][0]["entries"][0]["word"]
        return word

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(ask, range(12))) == {"পানী"}
