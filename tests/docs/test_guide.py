"""The guide for those who build apps: its page is that of docs/, and its Python is run as it stands."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx2
import pytest

from abhidhan.app.documentation.page import EXAMPLE_BASE_URL, find_code_blocks, render_guide
from tests.support.page import Page
from tests.support.server import RunningServer, copy_starter, run_command, running_server, starter_server

ROOT: Final = Path(__file__).parents[2]
GUIDE: Final = (ROOT / "docs/build-an-app.md").read_text(encoding="utf-8")
BLOCKS: Final = find_code_blocks(GUIDE)
PYTHON: Final = [code for language, code in BLOCKS if language == "python"]
PASSWORD: Final = "a long enough password"  # noqa: S105  # of somebody who exists in tests only


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Serve the starter dictionary to an administrator, too."""
    home = tmp_path_factory.mktemp("guide") / "home"
    copy_starter(home)
    added = run_command(
        home, "people", "add", "head", "--role", "administrator", "--password-stdin", input_text=PASSWORD
    )
    assert added.returncode == 0, added.stderr
    with running_server(home) as server:
        yield server


def run(folder: Path, code: str, address: str) -> str:
    """Run code of the guide in a process and a folder of its own; what it prints."""
    program = folder / "dictionary.py"
    program.write_text(code.replace(EXAMPLE_BASE_URL, address), encoding="utf-8")
    environment = {"PYTHONUTF8": "1", "PATH": ""}
    ended = subprocess.run(  # noqa: S603  # the guide's own code
        [sys.executable, "-I", "-X", "utf8", program.name],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def address_of(server: RunningServer) -> str:
    return f"http://127.0.0.1:{server.port}"


def only_the_last_part() -> str:
    """Return the last part of the program, with what it needs of the parts before it."""
    needed = (ast.Import, ast.ImportFrom, ast.FunctionDef)
    before = [
        node
        for code in PYTHON[:-1]
        for node in ast.parse(code).body
        if isinstance(node, needed)
        or (isinstance(node, ast.Assign) and not isinstance(node.value, ast.Call | ast.List))
    ]
    kept_file = 'KEPT = Path("kept.json")'
    return "\n".join([*map(ast.unparse, before), kept_file, PYTHON[-1]])


def test_the_page_of_the_site_is_the_document() -> None:
    assert (ROOT / "src/abhidhan/app/documentation/build-an-app.md").read_text(encoding="utf-8") == GUIDE


@pytest.mark.thorough
def test_the_program_prints_what_the_guide_shows(server: RunningServer, tmp_path: Path) -> None:
    printed = run(tmp_path, "\n".join(PYTHON), address_of(server))

    for shown in (code for language, code in BLOCKS if language == "text"):
        assert shown in printed
    assert printed.count("suggested: ") == 3
    assert "today: " in printed
    assert "proverb: " in printed
    assert (tmp_path / "kept.json").exists()


@pytest.mark.thorough
def test_without_a_network_the_program_answers_from_its_file(tmp_path: Path) -> None:
    with starter_server(tmp_path / "home") as server:
        address = address_of(server)
        online = run(tmp_path, "\n".join(PYTHON), address)
    offline = run(tmp_path, only_the_last_part(), address)

    assert "offline" in offline
    assert offline.splitlines()[-1] == online.splitlines()[-1]
    assert "0 entries" not in offline


@pytest.mark.thorough
def test_the_program_asks_again_for_words_that_have_changed(server: RunningServer, tmp_path: Path) -> None:
    run(tmp_path, only_the_last_part(), address_of(server))
    with httpx2.Client(base_url=address_of(server), timeout=180) as client:
        client.post("/api/session", json={"username": "head", "password": PASSWORD}).raise_for_status()
        word = client.get("/api/dic.php", params={"w": "pani"}).json()["querywords"][0]["entries"][0]["id"]
        version = client.get(f"/api/editing/words/{word}").json()["version"]
        change = {"version": version, "changes": {"origin": "of the test"}}
        client.patch(f"/api/editing/words/{word}", json=change).raise_for_status()

    before = (tmp_path / "kept.json").read_text(encoding="utf-8")
    run(tmp_path, only_the_last_part(), address_of(server))
    after = (tmp_path / "kept.json").read_text(encoding="utf-8")
    forgetting = only_the_last_part().partition('print("found:"')[0] + '\nprint("kept:", list(kept["words"]))'
    (tmp_path / "kept.json").write_text(before, encoding="utf-8")

    assert "of the test" not in before
    assert "of the test" in after
    assert run(tmp_path, forgetting, address_of(server)) == "kept: []\n"


def test_html_in_the_guide_is_shown_as_text() -> None:
    code = "```html\n</pre><script>y</script>\n```\n"
    hostile = "# A <b>title</b>\n\nText <script>x</script> with `<i>` and **<u>**.\n\n" + code

    guide = render_guide(hostile)

    page = Page(guide.body)
    assert guide.title == "A <b>title</b>"
    assert not page.all("b") + page.all("i") + page.all("u") + page.all("script")
    assert "</pre><script>y</script>" in page.one("pre").text


def test_examples_use_the_address_of_the_settings() -> None:
    body = render_guide(GUIDE, "https://dictionary.example").body

    assert EXAMPLE_BASE_URL not in body
    assert "https://dictionary.example" in body
