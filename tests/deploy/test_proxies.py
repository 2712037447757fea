"""The examples for nginx and Caddy, by requests: what is kept, for whom, and what the server learns of clients."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx2
import pytest

from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.downloads import generate_downloads
from tests.support.proxies import run_caddy, run_nginx
from tests.support.server import DICTIONARY_FILE, START_TIMEOUT_SECONDS, RunningServer, copy_starter, running_server

pytestmark = pytest.mark.thorough
"""Servers and proxies are started."""

WORD = "/api/dic.php?w=%E0%A6%AA%E0%A6%BE%E0%A6%A8%E0%A7%80"
FILE = "/downloads/abhidhan.csv"
OF_ONE_CLIENT = ("ratelimit", "ratelimit-policy")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server that believes the proxy on this machine, and counts requests."""
    home = tmp_path_factory.mktemp("behind")
    copy_starter(home)
    with Database(f"sqlite:///{home}/{DICTIONARY_FILE}") as database:
        generate_downloads(database, ArtifactStore(home / "downloads"), now=1_790_000_000, formats=("csv",))
    with running_server(home, ABHIDHAN_TRUSTED_PROXIES="127.0.0.1", ABHIDHAN_RATE_LIMIT="100/hour") as server:
        yield server


@pytest.fixture
def through_nginx(server: RunningServer, tmp_path: Path) -> Iterator[str]:
    """Run nginx before it, with an empty cache."""
    with run_nginx(tmp_path, server.port) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def through_caddy(server: RunningServer, tmp_path: Path) -> Iterator[str]:
    """Run Caddy before it."""
    with run_caddy(tmp_path, server.port) as port:
        yield f"http://127.0.0.1:{port}"


def get(address: str, path: str, client: str = "127.0.0.2", **headers: str) -> httpx2.Response:
    """Ask as a client at an address of its own."""
    with httpx2.Client(transport=httpx2.HTTPTransport(local_address=client), timeout=START_TIMEOUT_SECONDS) as session:
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        return session.get(address + path, headers={"accept-encoding": "identity", **names})


def cache_status(answer: httpx2.Response) -> str:
    """Return what nginx says of its cache."""
    return answer.headers["x-cache-status"]


def test_nginx_answers_the_second_client_from_its_cache(through_nginx: str) -> None:
    first, second = get(through_nginx, WORD), get(through_nginx, WORD, "127.0.0.3")

    assert (cache_status(first), cache_status(second)) == ("MISS", "HIT")
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.content == second.content
    assert first.headers["etag"] == second.headers["etag"]


def test_a_cached_answer_has_no_headers_of_another_client(through_nginx: str) -> None:
    first, second = get(through_nginx, WORD), get(through_nginx, WORD, "127.0.0.3")

    assert [name in first.headers for name in OF_ONE_CLIENT] == [True, True]
    assert [name in second.headers for name in OF_ONE_CLIENT] == [False, False]
    assert first.headers["x-request-id"] != second.headers["x-request-id"]
    assert len(second.headers.get_list("x-request-id")) == 1


def test_nginx_answers_304_for_the_tag_of_a_cached_answer(through_nginx: str) -> None:
    tag = get(through_nginx, WORD).headers["etag"]

    again = get(through_nginx, WORD, if_none_match=tag)

    assert (again.status_code, cache_status(again), again.content) == (304, "HIT", b"")
    assert get(through_nginx, WORD, if_none_match='"another"').status_code == 200


def test_nginx_caches_the_compressed_and_the_plain_answer(through_nginx: str) -> None:
    plain, small = get(through_nginx, WORD), get(through_nginx, WORD, accept_encoding="gzip")
    again = get(through_nginx, WORD), get(through_nginx, WORD, accept_encoding="gzip")

    assert [each.headers.get("content-encoding") for each in (plain, small, *again)] == [None, "gzip", None, "gzip"]
    assert [cache_status(each) for each in again] == ["HIT", "HIT"]
    assert len(gzip.compress(plain.content)) < len(plain.content)
    assert {each.content for each in (plain, small, *again)} == {plain.content}


def test_a_part_of_a_file_comes_through_nginx(through_nginx: str) -> None:
    whole = get(through_nginx, FILE)

    part = get(through_nginx, FILE, range="bytes=10-19")

    assert whole.status_code == 200
    assert (part.status_code, part.content) == (206, whole.content[10:20])


def test_private_answers_are_not_cached(through_nginx: str) -> None:
    pages = [get(through_nginx, "/") for _ in range(2)]
    signed_in = [get(through_nginx, WORD, cookie="abhidhan=a-session") for _ in range(2)]

    assert [cache_status(each) for each in pages] == ["MISS", "MISS"]
    assert [cache_status(each) for each in signed_in] == ["BYPASS", "BYPASS"]


def test_a_proxy_that_ignores_private_still_gives_each_reader_the_right_page(
    server: RunningServer, tmp_path: Path
) -> None:
    own = "proxy_no_cache $http_authorization $abhidhan_signed_in;"
    forced = "proxy_ignore_headers Cache-Control; proxy_cache_valid 200 404 10m;"
    bypass = "proxy_cache_bypass $http_authorization $abhidhan_signed_in;"
    readers = (
        {"accept_language": "en"},
        {"accept_language": "as"},
        {"accept_language": "en", "cookie": "interface=as; theme=dark"},
        {"accept_language": "en", "cookie": "languages=hi.as"},
        {"accept_language": "en", "cookie": "abhidhan=a-session"},
    )
    with run_nginx(tmp_path, server.port, changes={own: forced, bypass: ""}) as port:
        for path in ("/dic/water", "/nothing"):
            direct, first, again = (
                [get(f"http://127.0.0.1:{each}", path, **headers) for headers in readers]
                for each in (server.port, port, port)
            )

            assert [cache_status(each) for each in first] == ["MISS"] * len(readers)
            assert [cache_status(each) for each in again] == ["HIT"] * len(readers)
            pages = [each.content.replace(b":%d" % server.port, b"") for each in direct]
            assert [each.content for each in first] == [each.content for each in again] == pages


@pytest.mark.parametrize("proxy", ["through_nginx", "through_caddy"])
def test_the_rate_limit_counts_the_real_address_of_each_client(proxy: str, request: pytest.FixtureRequest) -> None:
    address = request.getfixturevalue(proxy)

    def left(client: str, **headers: str) -> int:
        answer = get(address, "/api/random", client, **headers)
        return int(answer.headers["ratelimit"].partition("r=")[2].partition(";")[0])

    one, other = (f"127.0.{number}.{'5' if proxy == 'through_nginx' else '6'}" for number in (1, 2))
    before = left(one)

    assert left(one, x_forwarded_for="203.0.113.7") == before - 1
    assert left(other) == before


def test_caddy_passes_answers_on_unchanged(through_caddy: str, server: RunningServer) -> None:
    direct, passed = get(f"http://127.0.0.1:{server.port}", WORD), get(through_caddy, WORD, accept_encoding="gzip")

    assert passed.headers["content-encoding"] == "gzip"
    assert passed.content == direct.content
    assert get(through_caddy, WORD, if_none_match=direct.headers["etag"]).status_code == 304


class OnePort(BaseHTTPRequestHandler):
    """Answers with the port that was asked."""

    def answer(self) -> None:
        """Answer any method."""
        body = str(self.connection.getsockname()[1]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer  # noqa: N815  # http.server finds methods by these names


@contextmanager
def answering() -> Iterator[int]:
    """Run a server that answers with its port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), OnePort) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_nginx_sends_only_public_requests_to_read_only_nodes(tmp_path: Path) -> None:
    with answering() as writer, answering() as reader, run_nginx(tmp_path, writer, readers=[reader]) as port:
        address = f"http://127.0.0.1:{port}"
        answers = {
            "public": get(address, WORD),
            "with another cookie": get(address, FILE, cookie="theme=dark; interface=as"),
            "signed in": get(address, WORD, cookie="theme=dark; abhidhan=a-session"),
            "by a token": get(address, FILE, authorization="Bearer token"),
            "writing": httpx2.post(f"{address}/api/session", content=b""),
        }

    assert {who for who, answer in answers.items() if answer.text == str(reader)} == {"public", "with another cookie"}
    assert {answer.text for answer in answers.values()} == {str(reader), str(writer)}
