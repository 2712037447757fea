"""The image and the compose files: the steps of the image are run without a container, and its server as it would run.

No image can be pulled by every machine that runs these tests. So what `FROM` brings is this machine, seen from a
namespace of which nothing stays (`tests/support/machine`), and pip installs nothing: the packages of the tests are
there. Of the compose files only what they say is looked at.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Any, Final, NamedTuple

import pytest
import yaml  # type: ignore[import-untyped]  # it has no types

from abhidhan.records.settings import VALID_VARIABLES
from tests.support.machine import Machine, machine

ROOT: Final = Path(__file__).parents[2]
DEPLOY: Final = ROOT / "deploy"
COMPOSE: Final = ("compose.yaml", "compose.postgresql.yaml")

READ_ONLY: Final = """
mkdir -p /var/lib/abhidhan
mount --bind /var/lib/abhidhan /var/lib/abhidhan
mount -t tmpfs tmpfs /tmp
for folder in / /opt /etc /var /usr/local; do mount -o remount,bind,ro $folder; done
"""


OF_THE_TESTS: Final = """
[ ! -d src ] || cp -r src packages .venv/
cat >.venv/bin/abhidhan <<'END'
#!/bin/sh
export PYTHONPATH=/opt/abhidhan/.venv/src:/opt/abhidhan/.venv/packages/assamese/src
exec /opt/abhidhan/.venv/bin/python -m abhidhan "$@"
END
chmod +x .venv/bin/abhidhan
"""
"""What stands for installing packages: those of the tests are there, and the program as it is."""


class Step(NamedTuple):
    """An instruction of the Containerfile."""

    name: str
    rest: str


def steps() -> list[Step]:
    """Read the file."""
    text = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    return [Step(*line.split(maxsplit=1)) for line in text.splitlines() if line and line[0] != "#"]


def last(name: str) -> str:
    """Return what the last instruction of a kind says."""
    return [step.rest for step in steps() if step.name == name][-1]


def in_shell(step: Step) -> str:
    """Return what a step does, as a command of a shell at the root of the project's copy."""
    if step.name == "RUN":
        return OF_THE_TESTS if "pip " in step.rest else step.rest
    if step.name == "WORKDIR":
        return f"mkdir -p {step.rest} && cd {step.rest}"
    if step.name == "COPY" and not step.rest.startswith("--from"):
        *files, target = step.rest.split()
        copied = "".join(f"cp -r {quote(str(ROOT / file))} {target}\n" for file in files)
        return f"mkdir -p $(dirname {target}x)\n{copied}"
    return f"export {step.rest}" if step.name == "ENV" else ":"


def in_own_mounts(commands: str) -> str:
    """Return commands that see other file systems than those round them."""
    return f"unshare --mount bash -euo pipefail -c {quote(commands)}"


@pytest.fixture
def container(tmp_path: Path) -> Iterator[Machine]:
    """Use a machine in a namespace."""
    with machine(tmp_path) as container:
        yield container


@pytest.mark.thorough
def test_the_image_serves_and_writes_only_to_its_own_folder(container: Machine) -> None:
    container.run("\n".join(in_shell(step) for step in steps()))
    environment = "\n".join(in_shell(step) for step in steps() if step.name == "ENV")
    as_user = f"setpriv --reuid={last('USER')} --regid={last('USER')} --clear-groups --bounding-set=-all --no-new-privs"
    check = last("HEALTHCHECK").partition(" CMD ")[2]

    inside = f"""{READ_ONLY}
cd {last("WORKDIR")}
{as_user} abhidhan init --empty
{as_user} abhidhan serve &
until {check} 2>/tmp/why; do sleep 0.2; kill -0 $!; done
echo healthy
{as_user} touch /opt/abhidhan/trace 2>&1 || true
{as_user} abhidhan backup /var/lib/abhidhan/backups/now.tar.gz
kill $!
wait $!
{as_user} abhidhan restore /var/lib/abhidhan/backups/now.tar.gz --force
"""
    said = container.run(f"{environment}\nexport ABHIDHAN_DOWNLOADS_HOURS=0\n{in_own_mounts(inside)}")

    assert "healthy" in said
    assert "Read-only file system" in said
    assert "0 ideas" in said
    assert "estored" in said


def test_the_image_installs_packages_like_the_documents() -> None:
    """Those commands are run where `docs/installing.md` is followed."""
    documented = (ROOT / "docs/installing.md").read_text().splitlines()
    installing = [step.rest.replace(" --no-cache-dir", "") for step in steps() if "pip install" in step.rest]

    assert len(installing) == 2
    assert {f"sudo {each}" for each in installing} <= set(documented)


def test_the_image_runs_as_an_ordinary_user_and_checks_its_health() -> None:
    assert last("USER") == "abhidhan"
    assert "/health/live" in last("HEALTHCHECK")
    assert {step.rest.split()[0] for step in steps() if step.name == "FROM"} == {"docker.io/library/debian:trixie-slim"}


def test_the_labels_of_the_image_describe_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    labels = dict(re.findall(r'org\.opencontainers\.image\.(\w+)="([^"]*)"', last("LABEL")))

    assert labels["description"] == project["description"]
    assert labels["licenses"] == project["license"]
    assert labels["documentation"] == project["urls"]["Documentation"]
    assert (labels["version"], labels["revision"]) == ("${VERSION}", "${REVISION}")


def test_the_services_have_no_privileges_and_only_known_settings() -> None:
    for file in COMPOSE:
        for name, service in read_own_services(file).items():
            assert service["read_only"] is True, name
            assert service["cap_drop"] == ["ALL"]
            assert service["security_opt"] == ["no-new-privileges:true"]
            assert {each for each in service["environment"] if each.startswith("ABHIDHAN_")} <= VALID_VARIABLES
            assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))


def test_every_image_has_a_fixed_version() -> None:
    for file in COMPOSE:
        for service in read_services(file).values():
            assert re.fullmatch(r"localhost/abhidhan|docker\.io/\w+/\w+:v?\d[\d.]*", service["image"])


def test_nginx_in_a_container_uses_the_tested_configuration() -> None:
    """What the command replaces stands in `deploy/nginx.conf`."""
    command = read_services("compose.postgresql.yaml")["nginx"]["command"][-1]
    replaced = re.findall(r"s([/#])(.+?)\1(.+?)\1'", command)
    text = (DEPLOY / "nginx.conf").read_text()

    assert len(replaced) == 2
    for _, old, _ in replaced:
        assert old in text


def read_services(file: str) -> dict[str, Any]:
    """Read the services of a compose file."""
    services: dict[str, Any] = yaml.safe_load((DEPLOY / file).read_text())["services"]
    return services


def read_own_services(file: str) -> dict[str, Any]:
    """Read the services that serve the dictionary."""
    services = read_services(file)
    own = {name: each for name, each in services.items() if "ABHIDHAN_BASE_URL" in each.get("environment", {})}
    assert own
    return own
