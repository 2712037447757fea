import mmap
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from ipaddress import ip_network
from pathlib import Path
from shutil import copyfile

import pytest

from abhidhan.domain.figures import Figure
from abhidhan.web.edge.figures import MEANINGS
from abhidhan.web.edge.limits import TrustedProxies
from abhidhan.web.edge.metrics import Counters, ParentCounters, metrics_handler
from abhidhan.web.edge.processes import commit_of, memory_of
from abhidhan.web.edge.telemetry import Observer
from abhidhan.web.edge.worker_metrics import Tally, prepare_tallies
from tests.support.asgi import ask
from tests.support.edge import HERE, an_edge, hello, metrics_of

NOBODY = 2**22 + 1
"""A number that no process has: Linux gives none above 2**22."""

MAPPED = 64_000_000
"""Bytes of a file that is mapped: many more than tests leave behind meanwhile."""


def test_a_tally_is_read_by_others_while_it_is_written(tmp_path: Path) -> None:
    tally = Tally(tmp_path / "1.tally")
    tally.numbers[tally.place("requests", "/api/অসম", "200")] += 2.5

    assert Tally.read(tmp_path / "1.tally") == {("requests", "/api/অসম", "200"): 2.5}
    tally.close()


def test_a_full_tally_counts_on_and_breaks_nothing(tmp_path: Path) -> None:
    tally = Tally(tmp_path / "1.tally")
    places = {tally.place("name", str(number)) for number in range(Tally.NUMBERS + 10)}

    assert len(places) == Tally.NUMBERS
    assert len(Tally.read(tmp_path / "1.tally")) == Tally.NUMBERS - 1
    tally.close()


def test_metrics_add_up_over_workers_dead_and_alive(tmp_path: Path) -> None:
    counters = Counters(tmp_path)
    observer = Observer(counters=counters)
    edge = an_edge(hello(), observer=observer)
    for path in ("/api/hello", "/api/hello", "/api/no"):
        ask(edge, path)
    observer.settle()
    other = (
        "import sys; from pathlib import Path\n"
        "from abhidhan.web.edge.metrics import Counters; from abhidhan.web.edge.logs import Seen\n"
        "counters = Counters(Path(sys.argv[1]))\n"
        "counters.began(); counters.began(); counters.ended()\n"
        "counters.count([Seen('GET', '/api/hello', '/api/hello', 200, 0.3, 'a', 'b', kept=True)])\n"
        "counters.lagged(9.0)\n"
    )
    subprocess.run([sys.executable, "-c", other, str(tmp_path)], check=True)  # noqa: S603 (our own program)
    metrics = metrics_of(tmp_path)
    counters.close()

    assert metrics['abhidhan_requests_total{route="/api/hello",status="200"}'] == 3
    assert metrics['abhidhan_requests_total{route="unmatched",status="404"}'] == 1
    assert metrics['abhidhan_answer_cache_total{result="hit"}'] == 2
    assert metrics['abhidhan_answer_cache_total{result="miss"}'] == 2
    assert metrics['abhidhan_request_seconds_bucket{le="0.25",route="/api/hello"}'] == 2
    assert metrics['abhidhan_request_seconds_bucket{le="+Inf",route="/api/hello"}'] == 3
    assert metrics['abhidhan_request_seconds_count{route="/api/hello"}'] == 3
    assert metrics['abhidhan_request_seconds_sum{route="/api/hello"}'] > 0.3
    assert metrics["abhidhan_requests_in_flight"] == 0
    assert metrics["abhidhan_event_loop_lag_seconds"] == 0


FIGURES = [
    Figure("abhidhan_sign_ins", ("failed",), 3),
    Figure("abhidhan_database_jobs", ("reading", "waiting"), 2),
    Figure("abhidhan_wiki_requests", ("https://a.example", "found"), 1),
]


def test_figures_of_workers_add_up_and_the_state_of_a_worker_goes_with_it(tmp_path: Path) -> None:
    counters = Counters(tmp_path)
    counters.ready()
    counters.note(FIGURES)
    counters.note([Figure("abhidhan_sign_ins", ("failed",), 4)])
    (own,) = tmp_path.glob("*.tally")
    copyfile(own, tmp_path / f"{NOBODY}-1.tally")
    seen = metrics_of(tmp_path)

    assert seen['abhidhan_sign_ins_total{result="failed"}'] == 8
    assert seen['abhidhan_wiki_requests_total{outcome="found",wiki="https://a.example"}'] == 2
    assert seen['abhidhan_database_jobs{state="waiting",work="reading"}'] == 2
    assert seen["abhidhan_workers"] == 1
    assert ParentCounters(tmp_path).inherit(NOBODY)
    assert _without_memory(metrics_of(tmp_path)) == _without_memory(seen)
    counters.close()


def _without_memory(seen: dict[str, float]) -> dict[str, float]:
    return {name: number for name, number in seen.items() if "memory" not in name}


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only a system with /proc tells the memory")
def test_the_memory_of_each_worker_that_answers_is_told(tmp_path: Path) -> None:
    counters = Counters(tmp_path)
    assert not [name for name in metrics_of(tmp_path) if "memory" in name]
    counters.ready()
    told = metrics_of(tmp_path)[f'abhidhan_worker_memory_bytes{{process="{os.getpid()}"}}']
    counters.close()

    assert 10_000_000 < told < 100_000_000_000
    assert memory_of(NOBODY) is None


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only a system with /proc tells the memory")
def test_files_that_a_worker_has_mapped_are_not_its_memory(tmp_path: Path) -> None:
    file = tmp_path / "mapped"
    file.write_bytes(bytes(MAPPED))
    before = memory_of(os.getpid())
    assert before is not None
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert sum(mapped[place] for place in range(0, MAPPED, mmap.PAGESIZE)) == 0
        assert memory_of(os.getpid()) == pytest.approx(before, abs=MAPPED / 4)


def test_every_figure_is_named_at_the_metrics_even_if_there_is_none_now(tmp_path: Path) -> None:
    answer = ask(an_edge(metrics_handler(tmp_path)), "/metrics", client=HERE).body.decode()

    assert all(f"# HELP {name}" in answer for name in MEANINGS)


def test_the_program_that_runs_is_told(tmp_path: Path) -> None:
    (told,) = (name for name in metrics_of(tmp_path) if name.startswith("abhidhan_build_info"))

    assert f'version="{version("abhidhan")}"' in told
    assert f'python="{platform.python_version()}"' in told


@pytest.mark.parametrize(
    ("origin", "commit"),
    [
        ('{"url": "https://git.example/abhidhan", "vcs_info": {"vcs": "git", "commit_id": "0123abcd"}}', "0123abcd"),
        ('{"url": "file://HOME", "dir_info": {"editable": true}}', "4567ef"),
        ('{"url": "file://HOME", "dir_info": {}}', ""),
        ('{"url": "file:///nowhere", "dir_info": {"editable": true}}', ""),
        ("{}", ""),
        ("[]", ""),
        ("no JSON", ""),
    ],
)
def test_the_commit_is_told_where_pip_has_noted_where_the_program_is_from(
    tmp_path: Path, origin: str, commit: str
) -> None:
    (tmp_path / ".git" / "refs").mkdir(parents=True)
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/main\n")
    (tmp_path / ".git" / "refs" / "main").write_text("4567ef\n")

    assert commit_of(origin.replace("HOME", str(tmp_path))) == commit


def test_a_new_start_begins_with_empty_counters(tmp_path: Path) -> None:
    folder = tmp_path / "run" / "metrics"
    prepare_tallies(folder)
    Counters(folder).close()
    prepare_tallies(folder)

    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    ("client", "headers", "status"),
    [
        (("127.0.0.1", 1), {}, 200),
        (("::1", 1), {}, 200),
        (("", 0), {}, 200),
        (("10.1.2.3", 1), {}, 200),
        (("192.0.2.1", 1), {}, 403),
        (("127.0.0.1", 1), {"X-Forwarded-For": "127.0.0.1"}, 403),
        (("127.0.0.1", 1), {"Forwarded": "for=127.0.0.1"}, 403),
        (("172.16.0.1", 1), {"X-Forwarded-For": "192.0.2.1"}, 403),
        (("172.16.0.1", 1), {"X-Forwarded-For": "10.1.2.3"}, 200),
    ],
)
def test_metrics_answer_this_machine_and_named_networks_only(
    tmp_path: Path, client: tuple[str, int], headers: dict[str, str], status: int
) -> None:
    proxies = TrustedProxies((ip_network("172.16.0.0/12"),))
    edge = an_edge(metrics_handler(tmp_path, [ip_network("10.0.0.0/8")]), proxies=proxies)

    assert ask(edge, "/metrics", client=client, headers=headers).status == status


def test_a_parent_takes_over_what_its_workers_counted_and_removes_their_files(tmp_path: Path) -> None:
    counters = Counters(tmp_path)
    observer = Observer(counters=counters)
    ask(an_edge(hello(), observer=observer), "/api/hello")
    observer.settle()
    counters.began()
    counters.ready()
    (path,) = tmp_path.glob("*.tally")
    path.rename(tmp_path / "1-1.tally")
    parent = ParentCounters(tmp_path)

    assert parent.is_ready(1)
    assert parent.inherit(1)
    assert not parent.inherit(1)
    parent.replaced()
    metrics = metrics_of(tmp_path)
    counters.close()

    assert metrics['abhidhan_requests_total{route="/api/hello",status="200"}'] == 1
    assert metrics["abhidhan_requests_in_flight"] == 0
    assert metrics["abhidhan_worker_respawns_total"] == 1
    assert len(list(tmp_path.glob("*.tally"))) == 1
