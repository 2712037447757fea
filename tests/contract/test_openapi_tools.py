"""Other programs use our OpenAPI document: they generate a client and types, and check it by rules.

`make .venv-openapi/installed` installs them into the folder that OPENAPI_TOOLS names; elsewhere these tests are left
out, and where ABHIDHAN_CI is set they fail.
"""

import json
import os
from pathlib import Path

import pytest

from tests.support.programs import run, skip_or_fail
from tests.support.server import RunningServer

pytestmark = [pytest.mark.thorough, pytest.mark.no_cover]
"""A server and programs of others are started."""

ASK = """
import sys
from client.api.contributing import api_reports_report_error as report_error
from client.api.look_up import api_dic_php_look_up as look_up, api_lookup_look_up_each as look_up_each
from client.client import Client
from client.models import LookupRequest, ReportData

client = Client(base_url=sys.argv[1])
found = look_up.sync(client=client, w="পানী")
each = look_up_each.sync(client=client, body=LookupRequest(words=["পানী", "water"]))
entry = found.querywords[0].entries[0]
reported = report_error.sync_detailed(client=client, body=ReportData(word_id=entry.id, text="x"))
print(entry.word, each.count, reported.status_code.value)
"""
"""Asks a server by the client that was made of its document."""


@pytest.fixture
def tools() -> Path:
    """Return the folder of the programs."""
    folder = os.environ.get("OPENAPI_TOOLS")
    return Path(folder) if folder else skip_or_fail("OPENAPI_TOOLS names no folder of programs")


@pytest.fixture
def document(server: RunningServer, tmp_path: Path) -> Path:
    """Write the document of a server into a file."""
    path = tmp_path / "openapi.json"
    path.write_bytes(server.client.get("/api/openapi.json").content)
    return path


def test_openapi_python_client_generates_a_working_client(tools: Path, document: Path, server: RunningServer) -> None:
    config = document.with_name("config.json")
    config.write_text(json.dumps({"post_hooks": []}), encoding="utf-8")
    made = document.with_name("client")
    generate = ("generate", "--path", str(document), "--config", str(config), "--output-path", str(made))
    said = run(str(tools / "bin" / "openapi-python-client"), *generate, "--meta", "none")
    script = document.with_name("ask.py")
    script.write_text(ASK, encoding="utf-8")

    assert "Unable to" not in said
    assert "will not be generated" not in said
    asked = run(str(tools / "bin" / "python"), str(script), f"http://127.0.0.1:{server.port}")
    assert asked.split() == ["পানী", "2", "201"]


def test_openapi_typescript_generates_types_that_compile_and_redocly_agrees(tools: Path, document: Path) -> None:
    types = document.with_suffix(".ts")
    programs = tools / "node_modules" / ".bin"

    assert run("node", str(tools / "lint.js"), str(document)) == ""
    run(str(programs / "openapi-typescript"), str(document), "--output", str(types))
    run(str(programs / "tsc"), "--noEmit", "--strict", str(types))
