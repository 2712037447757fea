"""The systemd unit has the protections that the server allows."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from abhidhan.app.server import SHUTDOWN_GRACE_SECONDS

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = DEPLOY / "abhidhan.service"

MOST_EXPOSURE = 2.0

NEEDED = {
    "User": "abhidhan",
    "Group": "abhidhan",
    "StateDirectory": "abhidhan",
    "StateDirectoryMode": "0700",
    "UMask": "0077",
    "KillMode": "mixed",
    "Restart": "always",
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "CapabilityBoundingSet": "",
    "RestrictNamespaces": "yes",
    "SystemCallArchitectures": "native",
    "RestrictAddressFamilies": "AF_UNIX AF_INET AF_INET6",
}


def settings() -> dict[str, str]:
    """Read the lines of the unit; of one that stands twice, the last."""
    lines = [line.partition("=") for line in UNIT.read_text().splitlines() if line and line[0] not in "#["]
    return {name: value for name, _, value in lines}


def test_the_unit_has_its_protections() -> None:
    lines = settings()

    assert {name: lines.get(name) for name in NEEDED} == NEEDED
    assert "SystemCallFilter=@system-service\n" in UNIT.read_text()


def test_the_socket_has_the_address_of_the_proxies() -> None:
    address = re.search(r"^ListenStream=(.+)$", (DEPLOY / "abhidhan.socket").read_text(), re.MULTILINE)

    assert address is not None
    assert "abhidhan.socket" in settings()["Wants"].split()
    for proxy in ("Caddyfile", "nginx.conf"):
        assert f" {address[1]}" in (DEPLOY / proxy).read_text()


def test_a_reload_needs_only_a_shell_and_a_stop_waits_for_requests() -> None:
    assert settings()["ExecReload"].startswith("/bin/sh -c ")
    assert int(settings()["TimeoutStopSec"]) > SHUTDOWN_GRACE_SECONDS


@pytest.mark.thorough
def test_systemd_rates_the_unit_as_little_exposed() -> None:
    systemd = shutil.which("systemd-analyze")
    if systemd is None:
        pytest.skip("systemd-analyze is not installed")
    done = subprocess.run(  # noqa: S603  # our own command
        [systemd, "security", "--offline=true", f"--threshold={int(MOST_EXPOSURE * 10)}", str(UNIT)],
        capture_output=True,
        text=True,
        check=False,
    )
    if "Overall exposure level" not in done.stdout:
        pytest.skip(f"this systemd-analyze cannot look at a unit that is not installed: {done.stderr.strip()}")

    assert done.returncode == 0, done.stdout
    assert float(done.stdout.rpartition("abhidhan.service: ")[2].split()[0]) <= MOST_EXPOSURE
