"""The command takes the settings of the service as systemd reads them, and runs no code in them."""

import json
import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(__file__).parents[2] / "deploy" / "abhidhan"

SETTINGS = """\
# a comment
; another
ABHIDHAN_BASE_URL=https://dictionary.example.org
ABHIDHAN_MAIL_FROM=Abhidhan <abhidhan@example.org>
ABHIDHAN_CONTACT="in double quotes"
ABHIDHAN_WIKI_CONTACT='in single ones'
ABHIDHAN_SMTP=smtps://user:pa$(touch here)ss`touch here`=@example.org
  ABHIDHAN_PORT=9000

not a setting
AWS_REGION=last-line-without-an-end"""


@pytest.fixture
def command(tmp_path: Path) -> Path:
    """Let the command read settings of the test's, run a program that tells its environment, and be run by anybody."""
    (tmp_path / "settings").write_text(SETTINGS)
    program = tmp_path / "program"
    program.write_text(
        f"#!{sys.executable}\nimport json, os, sys\nprint(json.dumps([sys.argv[1:], dict(os.environ)]))\n"
    )
    program.chmod(0o755)
    text = COMMAND.read_text()
    for name, ours in (
        ("program=/opt/abhidhan/.venv/bin/abhidhan", f"program={program}"),
        ("settings=/etc/abhidhan.env", f"settings={tmp_path}/settings"),
        ("user=abhidhan", f"user={pwd.getpwuid(os.geteuid()).pw_name}"),
    ):
        assert name in text
        text = text.replace(name, ours)
    command = tmp_path / "abhidhan"
    command.write_text(text)
    command.chmod(0o755)
    return command


@pytest.mark.thorough
def test_settings_and_arguments_reach_the_program_unchanged(command: Path, tmp_path: Path) -> None:
    ended = subprocess.run(  # noqa: S603  # the command above
        [command, "people", "add", "two words"],
        env={"PATH": os.environ["PATH"]},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    arguments, environment = json.loads(ended.stdout)

    assert arguments == ["people", "add", "two words"]
    assert {name: value for name, value in environment.items() if name.startswith(("ABHIDHAN", "AWS"))} == {
        "ABHIDHAN_HOME": "/var/lib/abhidhan",
        "ABHIDHAN_BASE_URL": "https://dictionary.example.org",
        "ABHIDHAN_MAIL_FROM": "Abhidhan <abhidhan@example.org>",
        "ABHIDHAN_CONTACT": "in double quotes",
        "ABHIDHAN_WIKI_CONTACT": "in single ones",
        "ABHIDHAN_SMTP": "smtps://user:pa$(touch here)ss`touch here`=@example.org",
        "ABHIDHAN_PORT": "9000",
        "AWS_REGION": "last-line-without-an-end",
    }
    assert not (tmp_path / "here").exists()
