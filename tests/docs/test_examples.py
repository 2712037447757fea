"""The commands that the documents tell people to type work."""

import re
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

from tests.support.page import Page
from tests.support.server import run_command, starter_server

API = Path(__file__).parents[2] / "docs/api.md"
PASSWORD = "a long enough password"  # noqa: S105 (of somebody who exists here only)


@pytest.mark.thorough
@pytest.mark.no_cover
@pytest.mark.skipif(not shutil.which("curl"), reason="needs curl")
def test_the_example_of_tokens_submits_a_proverb(tmp_path: Path) -> None:
    found = re.search(r"^curl -H 'Authorization: .*?[^\\]\n", API.read_text(), re.MULTILINE | re.DOTALL)
    assert found
    with starter_server(tmp_path / "home") as server:
        added = run_command(
            server.home,
            "people",
            "add",
            "anil",
            "--role",
            "contributor",
            "--password-stdin",
            input_text=f"{PASSWORD}\n",
        )
        assert added.returncode == 0, added.stderr
        server.client.post("/api/session", json={"username": "anil", "password": PASSWORD}).raise_for_status()
        wanted = {"name": "curl", "contribute": "yes", "days": "1", "password": PASSWORD}
        made = server.client.post("/account/tokens", data=wanted).raise_for_status()
        token = Page(made.text).one("input", id="token").attributes["value"]
        command = found[0].replace("abhidhan_...", token).replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")

        done = subprocess.run(["bash", "-c", command], capture_output=True, check=True, timeout=180)  # noqa: S603, S607  # our own document

    answer = msgspec.json.decode(done.stdout)
    assert answer["success"], answer
    assert answer["status"] == "pending_review"
