"""`docs/installing.md` is followed to the letter, by root, from an empty machine to one from which all is removed.

What is not as on a real machine: no packages of Debian are installed and none of Python fetched (pip finds those of
the tests, and holds them to the versions of the lock file), systemd does not run (`tests/support/machine`), and Caddy,
which would ask for a certificate, does not either. The dictionary is an empty one, which takes less time to check.
"""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from shutil import copytree, ignore_patterns
from typing import Final

import pytest

from tests.support.machine import Machine, machine, read_code_blocks

ROOT: Final = Path(__file__).parents[2]
DOCUMENT: Final = ROOT / "docs/installing.md"
CHAPTERS: Final = read_code_blocks(DOCUMENT)
ADDRESS: Final = "https://github.com/abhidhan/abhidhan"
PASSWORD: Final = "a long password of Mina's"  # noqa: S105  # of this test alone
WORD: Final = "/api/dic.php?w=%E0%A6%AE%E0%A7%8B%E0%A6%B2%E0%A6%BE%E0%A6%A8"
WITHOUT_STARTER: Final = re.findall(
    r"`(sudo [^`]+)`", DOCUMENT.read_text(encoding="utf-8").partition("The service.")[2]
)[:2]

MAKE_LINK: Final = re.findall(r"`(sudo [^`]+)`", DOCUMENT.read_text(encoding="utf-8").partition("turn it into one")[2])[
    :2
]

NEW_STEP: Final = '''"""A step of the newer version."""
import sqlalchemy as sa
from alembic import op
from abhidhan.migrations import REVISIONS
revision = "9001"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]
def upgrade() -> None:
    op.create_table("novelty", sa.Column("id", sa.Integer, primary_key=True))
'''


def publish(there: Path) -> None:
    """Create a repository with this version, without a tag."""
    for name in ("src", "packages", "deploy", "requirements"):
        copytree(ROOT / name, there / name, ignore=ignore_patterns("__pycache__", "ideas_*.jsonl"))
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "NOTICE"):
        (there / name).write_bytes((ROOT / name).read_bytes())
    in_git(there, "init", "--quiet")
    commit(there, "1.0.0")


def publish_newer(there: Path) -> None:
    """Commit a newer version, which changes the structure of the database."""
    project, steps = there / "pyproject.toml", there / "src/abhidhan/migrations"
    project.write_text(project.read_text().replace('\nversion = "1.0.0"', '\nversion = "1.1.0"'))
    numbers = there / "src/abhidhan/schema/schema_revisions.py"
    numbers.write_text(numbers.read_text().replace('",\n)', '",\n    "9001",\n)', 1))
    (steps / "versions/r9001_novelty.py").write_text(NEW_STEP)
    commit(there, "1.1.0")


def commit(there: Path, version: str) -> None:
    in_git(there, "add", "--all", "--force")
    in_git(there, "-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "--quiet", "--message", version)


def in_git(there: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(there), *words], check=True, capture_output=True)  # noqa: S603, S607


class Reader:
    """Who follows the document: what earlier commands have set holds for later ones."""

    def __init__(self, there: Machine, folder: Path) -> None:
        """Publish this version in a folder of the machine."""
        self.there = there
        self.published = folder / "published"
        publish(self.published)
        self._state = folder / "state"
        self._before = ""
        self._git = {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"url.file://{self.published}.insteadOf",
            "GIT_CONFIG_VALUE_0": ADDRESS,
        }

    def follow(self, block: str) -> str:
        """Type a block, and return what is said."""
        after = f"{{ declare -p DOMAIN SOURCE VERSION 2>/dev/null || true; echo cd $PWD; }} >{self._state}"
        said = self.there.run(f"{self._before}\n{block}\n{after}", **self._git)
        self._before = self._state.read_text()
        return said

    def leave(self) -> None:
        """Forget the folder and the variables of the session."""
        self._before = ""

    def follow_all(self, chapter: str) -> str:
        """Type the blocks of a chapter, in a new session."""
        self.leave()
        return "".join(self.follow(block) for block in CHAPTERS[chapter])


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    """Let somebody sit down at a machine."""
    with machine(tmp_path) as there:
        yield Reader(there, tmp_path)


def test_every_block_of_commands_is_in_a_tested_chapter() -> None:
    assert list(CHAPTERS) == ["Installing", "Commands", "Optional packages", "Upgrading", "Downgrading", "Removing"]
    assert sum(map(len, CHAPTERS.values())) == DOCUMENT.read_text(encoding="utf-8").count("```") // 2


@pytest.mark.thorough
def test_the_documented_commands_install_upgrade_downgrade_and_remove(reader: Reader, tmp_path: Path) -> None:
    install(reader)
    assert signs_in(reader)

    reader.follow_all("Commands")
    assert "মোলান" in (tmp_path / "all.jsonl").read_text()
    assert finds_the_word(reader)

    reader.follow_all("Optional packages")
    assert finds_the_word(reader)

    publish_newer(reader.published)
    make_old_layout(reader)
    reader.follow_all("Upgrading")
    assert "1.1.0" in reader.there.run("abhidhan --version")
    assert signs_in(reader)
    assert finds_the_word(reader)

    go_back(reader)
    assert "1.0.0" in reader.there.run("abhidhan --version")
    assert signs_in(reader)
    assert finds_the_word(reader)
    assert foreign_files(reader) == ""

    reader.follow_all("Removing")
    assert reader.there.run("ls -d /opt/abhidhan* /etc/abhidhan* /var/lib/abhidhan* 2>/dev/null || true") == ""


def install(reader: Reader) -> None:
    """Follow the first chapter, without the starter dictionary, and answer the questions."""
    for block in CHAPTERS["Installing"]:
        if "systemctl enable" in block:
            for command in WITHOUT_STARTER:
                reader.there.run(command)
            reader.there.run("echo ABHIDHAN_DOWNLOADS_HOURS=0 >>/etc/abhidhan.env")
        if "people add" in block:
            assert "mina can now sign in" in reader.there.run_interactively(block, PASSWORD, PASSWORD)
        else:
            reader.follow(block)


def make_old_layout(reader: Reader) -> None:
    """Install the program in a folder without a version, whose upgrade is refused, and turn the folder into a link."""
    reader.leave()
    reader.there.run("old=$(readlink -f /opt/abhidhan); rm /opt/abhidhan; cp -a $old /opt/abhidhan")
    with pytest.raises(AssertionError, match="a folder, not a link to the running version"):
        reader.follow(CHAPTERS["Upgrading"][0])
    for command in MAKE_LINK:
        reader.there.run(command)


def go_back(reader: Reader) -> None:
    """Follow the chapter, and both ways that it has for the database."""
    with_the_backup, start, with_the_copy = CHAPTERS["Downgrading"][1:]
    reader.leave()
    reader.follow(CHAPTERS["Downgrading"][0])
    assert "newer version" in reader.there.run("abhidhan stats 2>&1 || true")
    reader.there.run("cp -a /var/lib/abhidhan /var/lib/upgraded")
    reader.follow(with_the_backup)
    assert "example" in reader.there.run("abhidhan look মোলান")
    reader.there.run("rm -r /var/lib/abhidhan && mv /var/lib/upgraded /var/lib/abhidhan")
    reader.follow(with_the_copy)
    reader.follow(start)


def signs_in(reader: Reader) -> bool:
    """Say whether the first administrator can sign in."""
    body = json.dumps({"username": "mina", "password": PASSWORD})
    sent = f"-X POST -H 'Content-Type: application/json' --data-binary {quote(body)} -w '%{{http_code}}'"
    return ask(reader, "/api/session", sent) == "204"


def finds_the_word(reader: Reader) -> bool:
    """Say whether the imported word is in the dictionary."""
    return '"match":"exact"' in ask(reader, WORD)


def ask(reader: Reader, path: str, more: str = "") -> str:
    """Ask the server, once it is there, and return the answer."""
    return reader.there.run(
        f"curl -s --retry 60 --retry-delay 1 --retry-connrefused {more} 'http://127.0.0.1:8080{path}'"
    )


def foreign_files(reader: Reader) -> str:
    """List what in the data folder belongs to others, or can be read by others."""
    return reader.there.run("find /var/lib/abhidhan ! -user abhidhan -o ! -type l -perm /077")
