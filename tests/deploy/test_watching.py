"""The alerts and the board: every metric in them exists, every expression is valid, and alerts fire when they should.

Without promtool (Debian: prometheus) its part is left out, and one line says so; where ABHIDHAN_CI is set, that is a
failure.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from abhidhan.platform.http.telemetry import build_metrics_handler
from tests.support.asgi import ask
from tests.support.edge import LOCAL_CLIENT, make_edge

ROOT = Path(__file__).parents[2]
RULES = ROOT / "deploy" / "prometheus" / "abhidhan.rules.yml"
BOARD = ROOT / "deploy" / "grafana" / "abhidhan.json"
RINGING = Path(__file__).with_name("alerts_test.yml")

NAME = re.compile(r"\babhidhan_[a-z_]+")
GRAFANAS = {"$__rate_interval": "5m", "$job": ".*", "$instance": ".*"}
"""What Grafana puts into an expression before Prometheus reads it."""


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """List the names under which Prometheus keeps what `/metrics` tells."""
    answer = ask(make_edge(build_metrics_handler(tmp_path_factory.mktemp("run"))), "/metrics", client=LOCAL_CLIENT)
    kinds = re.findall(r"^# TYPE (\w+) (\w+)$", answer.body.decode(), re.MULTILINE)
    histograms = {f"{name}_{end}" for name, kind in kinds if kind == "histogram" for end in ("bucket", "sum", "count")}
    return {name for name, _ in kinds} | histograms


@cache
def board() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(BOARD.read_text(encoding="utf-8"))
    return read


def expressions() -> Iterator[str]:
    """Go through the expressions of the board, as Prometheus gets them."""
    for panel in board()["panels"]:
        for target in panel.get("targets", ()):
            written = target["expr"]
            for placeholder, value in GRAFANAS.items():
                written = written.replace(placeholder, value)
            yield written


def used_in_board() -> set[str]:
    variables = " ".join(str(each["query"]) for each in board()["templating"]["list"])
    return set(NAME.findall(" ".join(expressions()) + variables))


def used_in_rules() -> set[str]:
    return set(NAME.findall(RULES.read_text(encoding="utf-8")))


def promtool(*arguments: str) -> str:
    """Run promtool, and return what it says; it has to find nothing wrong."""
    program = shutil.which("promtool")
    if program is None:
        left_out = "left out: promtool is not there (apt-get install --no-install-recommends prometheus)"
        if os.environ.get("ABHIDHAN_CI"):
            pytest.fail(left_out)
        pytest.skip(left_out)
    ended = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)  # noqa: S603
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_every_metric_of_the_rules_and_the_board_exists(names: set[str]) -> None:
    for used in (used_in_rules(), used_in_board()):
        assert used
        assert used <= names


def test_every_metric_is_documented_and_on_the_board(names: set[str]) -> None:
    families = {re.sub("_(bucket|sum|count)$", "", name) for name in names}
    documented = set(re.findall(r"`([a-z_]+)`", (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")))
    shown = {re.sub("_(bucket|sum|count)$", "", name) for name in used_in_board()}

    assert {name.removeprefix("abhidhan_") for name in families} <= documented
    assert families == shown


def test_panels_have_their_own_numbers_and_places() -> None:
    panels = board()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    places = [panel["gridPos"] for panel in panels]
    squares = [
        (place["x"] + x, place["y"] + y) for place in places for x in range(place["w"]) for y in range(place["h"])
    ]
    assert len(set(squares)) == len(squares)
    assert max(x for x, _ in squares) < 24


@pytest.mark.thorough
def test_promtool_accepts_the_rules() -> None:
    assert "16 rules found" in promtool("check", "rules", "--lint=all", "--lint-fatal", str(RULES))


@pytest.mark.thorough
def test_promtool_accepts_the_expressions_of_the_board(tmp_path: Path) -> None:
    rules = [{"record": f"panel:{number}", "expr": each} for number, each in enumerate(expressions())]
    # JSON is YAML.
    (tmp_path / "rules.yml").write_text(json.dumps({"groups": [{"name": "board", "rules": rules}]}))

    assert f"{len(rules)} rules found" in promtool("check", "rules", str(tmp_path / "rules.yml"))


@pytest.mark.thorough
def test_alerts_fire_when_they_should_and_not_before(tmp_path: Path) -> None:
    shutil.copy(RULES, tmp_path)
    shutil.copy(RINGING, tmp_path)

    assert "SUCCESS" in promtool("test", "rules", str(tmp_path / RINGING.name))
