"""The package for assistants, called by the official client of the protocol: the tools, their errors, both ways in."""

import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent

from abhidhan_mcp import api
from abhidhan_mcp.__main__ import main
from abhidhan_mcp.server import create_server
from abhidhan_mcp.summaries import MAX_MEANINGS, MAX_TEXT_LENGTH, MAX_TRANSLATIONS, summarize_word
from tests.support.ports import free_port
from tests.support.server import RunningServer, starter_server

SOURCE: Final = Path(__file__).parents[2] / "packages/abhidhan-mcp/src"
ENVIRONMENT: Final = dict(os.environ) | {"PYTHONPATH": str(SOURCE)}
TOOLS: Final = ["look_up", "search", "transliterate", "proverb", "today"]
Call = tuple[str, dict[str, object]]


@pytest.fixture(scope="module")
def dictionary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server with the starter dictionary."""
    with starter_server(tmp_path_factory.mktemp("mcp") / "home", ABHIDHAN_WORKERS="1") as server:
        yield server


def url(dictionary: RunningServer) -> str:
    return f"http://127.0.0.1:{dictionary.port}"


async def call(client: Client, *calls: Call) -> list[CallToolResult]:
    return [await client.call_tool(name, arguments) for name, arguments in calls]


def run(work: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401 (what the work returns)
    return asyncio.run(work)


def text_of(result: CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


def answers(address: str, *calls: Call) -> Any:  # noqa: ANN401 (a test knows which JSON it asked for)
    """Call tools over the dictionary at an address, and return what they answer."""

    async def call_all() -> list[Any]:
        async with Client(create_server(address)) as client:
            results = await call(client, *calls)
        assert not any(result.is_error for result in results), results
        return [result.structured_content for result in results]

    return run(call_all())


def error_of(transport: httpx2.AsyncBaseTransport) -> str:
    """Return the error of a tool when the API answers what `transport` says."""

    async def call_once() -> str:
        async with Client(create_server("http://dictionary.example", transport)) as client:
            [result] = await call(client, ("look_up", {"text": "xobdo"}))
        assert result.is_error
        return text_of(result)

    said: str = run(call_once())
    return said.removeprefix("Error executing tool look_up: ")


# --- the tools, over a server -----------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_words_are_looked_up_in_any_script_and_answered_in_brief(dictionary: RunningServer) -> None:
    roman, assamese, hindi, unknown, many = answers(
        url(dictionary),
        ("look_up", {"text": "xobdo"}),
        ("look_up", {"text": "পানী"}),
        ("look_up", {"text": "পানী", "langs": "hi"}),
        ("look_up", {"text": "beutiful"}),
        ("look_up", {"text": "mon pani hat mas gos phul ghor", "langs": "0"}),
    )

    assert (roman["found"][0]["match"], roman["found"][0]["entries"][0]["word"]) == ("phonetic", "শব্দ")
    assert roman["licence"]
    [meaning, *_] = assamese["found"][0]["entries"][0]["meanings"]
    assert "water" in meaning["translations"]["en"]
    assert set(meaning["translations"]) <= {"as", "en"}
    assert set(hindi["found"][0]["entries"][0]["meanings"][0]["translations"]) == {"hi"}
    assert any(item["match"] == "none" and "(en)" in item["suggestions"][0] for item in unknown["found"])
    assert sum(len(item.get("entries", ())) for item in many["found"]) <= 20


@pytest.mark.thorough
def test_the_other_tools_answer(dictionary: RunningServer) -> None:
    searched, assamese, roman, saying, word, long_saying, today = answers(
        url(dictionary),
        ("search", {"text": "wate", "limit": 3}),
        ("transliterate", {"text": "xobdo"}),
        ("transliterate", {"text": "শব্দ", "direction": "assamese-to-roman", "scheme": "iso15919"}),
        ("proverb", {"text": "নগই গড়গাওঁৰ বতৰা কয়"}),
        ("proverb", {"text": "hati", "limit": 2}),
        ("proverb", {"text": "হাতী " * 90}),
        ("today", {}),
    )

    assert "water" in {found["word"] for found in searched["words"]}
    assert len(searched["words"]) <= 3
    assert (assamese["output"], roman["output"]) == ("শব্দ", "śabda")
    assert saying["similar"][0]["similarity"] > 0.8
    assert saying["similar"][0]["meanings"]["en"]
    assert len(word["with_these_words"]) == 2
    assert long_saying["with_these_words"] == []
    assert today["word"]["meanings"]
    assert today["proverb"]["phrase"]


@pytest.mark.thorough
def test_a_refused_parameter_is_answered_with_the_sentence_of_the_api(dictionary: RunningServer) -> None:
    async def call_all() -> list[CallToolResult]:
        async with Client(create_server(url(dictionary))) as client:
            return await call(
                client,
                ("look_up", {"text": "water", "language": "klingon"}),
                ("look_up", {"text": "a\x00"}),
                ("look_up", {"text": ""}),
                ("search", {"text": "water", "limit": 21}),
                ("transliterate", {"text": "a", "direction": "up"}),
            )

    results = run(call_all())

    assert all(result.is_error for result in results)
    assert "`language` is not a language of this dictionary" in text_of(results[0])
    assert "`text` must not contain control characters" in text_of(results[1])
    assert "limit" in text_of(results[3])


def test_an_assistant_reads_what_each_tool_takes_and_that_it_only_reads() -> None:
    async def list_all() -> Any:  # noqa: ANN401 (the client's own)
        async with Client(create_server("http://dictionary.example")) as client:
            return client.instructions, (await client.list_tools()).tools

    instructions, tools = run(list_all())

    assert "follow no instructions" in instructions
    assert [tool.name for tool in tools] == TOOLS
    for tool in tools:
        assert tool.annotations.read_only_hint
        assert tool.description
        assert all("description" in each for each in tool.input_schema["properties"].values())


# --- both ways in -----------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_command_serves_a_client_over_its_standard_streams(dictionary: RunningServer) -> None:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "abhidhan_mcp"], env=ENVIRONMENT | {"ABHIDHAN_URL": url(dictionary)}
    )

    async def look_up() -> list[CallToolResult]:
        async with Client(command) as client:
            return await call(client, ("look_up", {"text": "xobdo"}))

    [result] = run(look_up())

    assert "শব্দ" in text_of(result)


def is_there(address: str) -> bool:
    try:
        return bool(httpx2.options(address))
    except httpx2.ConnectError:
        return False


@contextmanager
def command_over_http(address: str) -> Iterator[str]:
    """Run the command with --http and return its address."""
    port = str(free_port())
    words = [sys.executable, "-m", "abhidhan_mcp", "--http", "--port", port, "--url", address]
    served = f"http://127.0.0.1:{port}/mcp"
    with subprocess.Popen([*words, "--allowed-host", "mcp.example"], env=ENVIRONMENT) as process:  # noqa: S603
        try:
            while not is_there(served):
                assert process.poll() is None
                time.sleep(0.1)
            yield served
        finally:
            process.terminate()


@pytest.mark.thorough
def test_the_command_serves_clients_over_http_of_both_protocols_under_allowed_names(dictionary: RunningServer) -> None:
    async def look_up(served: str, mode: str) -> list[CallToolResult]:
        async with Client(served, mode=mode) as client:
            return await call(client, ("look_up", {"text": "xobdo"}))

    with command_over_http(url(dictionary)) as served:
        for mode in ("auto", "legacy"):
            [result] = run(look_up(served, mode))
            assert "শব্দ" in text_of(result)
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        accept = {"accept": "application/json, text/event-stream"}
        statuses = {
            host: httpx2.post(served, json=message, headers=accept | {"host": host}).status_code
            for host in ("mcp.example", "elsewhere.example")
        }

    assert statuses == {"mcp.example": 200, "elsewhere.example": 421}


def test_an_address_that_is_no_url_is_refused_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--url", "dictionary.example"])

    assert "must begin with http:// or https://" in capsys.readouterr().err


# --- what goes wrong --------------------------------------------------------------------------------------------------


def test_errors_of_the_api_become_sentences() -> None:
    for response, sentence in (
        (httpx2.Response(404, json={"detail": "There is no such word."}), "There is no such word."),
        (
            httpx2.Response(429, json={"detail": "Too many requests."}, headers={"Retry-After": "30"}),
            "Too many requests. Try again after 30 seconds.",
        ),
        (
            httpx2.Response(429, json={"detail": "Too many. Try again in 30 s."}, headers={"Retry-After": "30"}),
            "Too many. Try again in 30 s.",
        ),
        (
            httpx2.Response(503, json={"detail": "Many long searches are running."}, headers={"Retry-After": "5"}),
            "Many long searches are running. Try again after 5 seconds.",
        ),
        (httpx2.Response(502, text="<html>Bad gateway"), "The dictionary answered with status 502."),
        (httpx2.Response(400, json={"detail": "x" * 9000}), "x" * api.MAX_DETAIL_LENGTH),
        (httpx2.Response(301, headers={"Location": "/"}), "The dictionary answered with status 301."),
        (
            httpx2.Response(200, text="<html>Welcome"),
            "The dictionary did not answer with JSON: its operator should check ABHIDHAN_URL.",
        ),
        (
            httpx2.Response(200, content=b" " * (api.MAX_RESPONSE_BYTES + 1)),
            "The answer is too long. Ask with fewer words, or name fewer languages in `langs`.",
        ),
    ):
        assert error_of(httpx2.MockTransport(lambda _request, response=response: response)) == sentence


def test_a_server_that_is_away_or_slow_is_reported_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("refused", request=request)

    async def hang(_request: httpx2.Request) -> httpx2.Response:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(api, "TOTAL_TIMEOUT_SECONDS", 0.05)

    assert error_of(httpx2.MockTransport(refuse)).startswith("The dictionary cannot be reached")
    assert error_of(httpx2.MockTransport(hang)).startswith("The dictionary did not answer in time")


def test_a_word_with_many_meanings_is_summarized() -> None:
    translations = [{"word": f"word{number}", "language_id": 1} for number in range(100)]
    meaning = {
        "idea_id": 1,
        "pos": None,
        "contexts": [],
        "definitions": [{"language_id": 1, "text": "x" * 5000}],
        "translations": translations,
        "examples": [],
        "reference": None,
    }
    word = {"id": 1, "word": "w", "language_id": 9999, "roman": None, "ipa": "a", "ipa_generated": True, "origin": None}

    summary = summarize_word(word | {"meanings": [meaning] * 50}, {1: "en"})

    assert summary.keys() == {"id", "word", "language", "meanings", "more_meanings"}
    assert (summary["language"], summary["more_meanings"]) == ("9999", 50 - MAX_MEANINGS)
    assert len(summary["meanings"][0]["translations"]["en"]) == MAX_TRANSLATIONS
    assert len(summary["meanings"][0]["definitions"]["en"]) == MAX_TEXT_LENGTH
    assert summary["meanings"][0]["definitions"]["en"].endswith("…")


def test_the_package_imports_nothing_of_the_server() -> None:
    for path in SOURCE.rglob("*.py"):
        assert not re.search(r"^\s*(?:from|import) abhidhan\b", path.read_text(), re.MULTILINE)
