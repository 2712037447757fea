import asyncio
import gzip
import socket
import threading
import time
from typing import Any, Final

import msgspec
import pytest

from abhidhan.encyclopedia.service.mediawiki import MediaWiki, build_user_agent
from abhidhan.encyclopedia.service.mediawiki_responses import parse_retry_after
from abhidhan.records.encyclopedia_articles import ArticleOutcome, ArticleReply
from tests.support.encyclopedia import (
    GZIP_BOMB,
    Behaviour,
    Connection,
    drop_connection,
    encode_http_response,
    make_api_response,
    never_reply,
    reply_with,
    running_wiki,
    send_flood,
    send_slowly,
    stop_halfway,
)

A_REDIRECT = {"Location": "http://localhost:9/api.php"}


def find(address: str, *titles: str, contact: str = "", seconds: float = 60, connecting: float = 60) -> ArticleReply:
    """Ask a wiki once."""

    async def ask() -> ArticleReply:
        wiki = MediaWiki(address, contact=contact, connect_seconds=connecting, total_seconds=seconds)
        try:
            return await wiki.find(titles or ("Assam",))
        finally:
            await wiki.close()

    return asyncio.run(ask())


def answer_to(answer: dict[str, Any] | bytes, *titles: str) -> ArticleReply:
    """Ask a wiki that answers just so."""
    with running_wiki(reply_with(encode_http_response(answer))) as wiki:
        return find(wiki.address, *titles)


def test_an_article_is_found() -> None:
    reply = answer_to(make_api_response(extract="Assam is a state.\n\nIt is in India."))

    assert reply == ArticleReply(
        outcome=ArticleOutcome.FOUND,
        source="Wiki at 127.0.0.1",
        title="Assam",
        extract="Assam is a state.\nIt is in India.",
        url="http://127.0.0.1/Assam",
    )


PAGES_WITHOUT_TEXT: Final[tuple[tuple[dict[str, Any], ArticleOutcome], ...]] = (
    ({"missing": True}, ArticleOutcome.NO_ARTICLE),
    ({"missing": ""}, ArticleOutcome.NO_ARTICLE),
    ({"invalid": True}, ArticleOutcome.NO_ARTICLE),
    ({"ns": 2}, ArticleOutcome.NO_ARTICLE),
    ({"ns": -1, "special": True}, ArticleOutcome.NO_ARTICLE),
    ({"extract": ""}, ArticleOutcome.NO_EXTRACT),
    ({"extract": None}, ArticleOutcome.NO_EXTRACT),
    ({"extract": " \n ( ) "}, ArticleOutcome.NO_EXTRACT),
)


def test_a_missing_article_differs_from_an_empty_one() -> None:
    for page, outcome in PAGES_WITHOUT_TEXT:
        assert answer_to(make_api_response(**page)).outcome == outcome, page


def test_redirects_and_changed_titles_are_followed() -> None:
    answer = make_api_response("অসম", "অসম এখন ৰাজ্য।")
    answer["query"] |= {  # type: ignore[operator]
        "normalized": [{"from": "assam", "to": "Assam"}],
        "redirects": [{"from": "Assam", "to": "অসম"}],
    }

    reply = answer_to(answer, "assam")

    assert (reply.outcome, reply.title) == (ArticleOutcome.FOUND, "অসম")


def test_redirects_in_a_ring_end() -> None:
    answer = make_api_response("C", missing=True)
    answer["query"] |= {"redirects": [{"from": "A", "to": "B"}, {"from": "B", "to": "A"}]}  # type: ignore[operator]

    assert answer_to(answer, "A", "B").outcome == ArticleOutcome.NO_ARTICLE


def test_the_first_title_with_an_article_is_used() -> None:
    pages = [{"title": "B", "extract": "b"}, {"title": "A", "missing": True}, {"title": "C", "extract": "c"}]

    assert answer_to({"query": {"pages": pages}}, "A", "C", "B").title == "C"


def test_the_answer_format_of_old_versions_is_accepted() -> None:
    pages = {"7": {"title": "Assam", "extract": "A state."}}

    assert answer_to({"query": {"pages": pages}}).extract == "A state."


DISAMBIGUATION_PAGES: Final[tuple[dict[str, Any], ...]] = (
    {"pageprops": {"disambiguation": ""}},
    {"templates": [{"ns": 10, "title": "Template:Disambiguation"}]},
    {"extract": "Assam may refer to:\n\nAssam, a state\nAssam tea"},
)


def test_disambiguation_pages_are_recognized() -> None:
    for page in DISAMBIGUATION_PAGES:
        assert answer_to(make_api_response(**page)).disambiguation, page
    assert not answer_to(make_api_response()).disambiguation


def test_the_name_and_licence_of_a_wiki_are_known() -> None:
    answer = make_api_response()
    answer["query"] |= {  # type: ignore[operator]
        "general": {"sitename": "Xahitya"},
        "rightsinfo": {"text": "CC BY 4.0"},
    }
    reply = answer_to(answer)
    wikipedia = MediaWiki("https://as.wikipedia.org/w/api.php", contact="")

    assert (reply.source, reply.licence) == ("Xahitya", "CC BY 4.0")
    assert (wikipedia.name, wikipedia.licence) == ("Assamese Wikipedia", "CC BY-SA 4.0")


FOREIGN_ADDRESSES: Final[tuple[str | None, ...]] = (
    None,
    "javascript:alert(1)",
    "//127.0.0.1/x",
    "https://elsewhere.example/wiki/X",
    "https://127.0.0.1@elsewhere.example/x",
    "https://somebody:password@127.0.0.1/x",
    "https://127.0.0.1.elsewhere.example/x",
    "https://elsewhere.example\\@127.0.0.1/x",
    "https://[127.0.0.1/x",
    'https://127.0.0.1/"><script>',
    "https://127.0.0.1/a\nb",
    "https://127.0.0.1/" + "x" * 5_000,
    "ftp://127.0.0.1/x",
    "data:text/html,x",
)


def test_an_address_outside_the_wiki_is_replaced(subtests: pytest.Subtests) -> None:
    for url in FOREIGN_ADDRESSES:
        with subtests.test(str(url)[:80]):
            reply = answer_to(make_api_response("ল’ৰা", fullurl=url))

            assert reply.url is not None
            assert reply.url.startswith("http://127.0.0.1:")
            assert reply.url.endswith("/index.php?title=%E0%A6%B2%E2%80%99%E0%A7%B0%E0%A6%BE")


def test_names_from_a_wiki_are_limited_in_length() -> None:
    query: Any = make_api_response("x" * 100_000)["query"]
    said = {"query": query | {"general": {"sitename": "n" * 9_999}, "rightsinfo": {"text": "l" * 9_999}}}

    reply = answer_to(said, "x" * 200)

    assert (len(reply.title), len(reply.source), len(reply.licence or "")) == (200, 200, 200)
    assert len(reply.url or "") < 4_000


def test_html_becomes_plain_text() -> None:
    assert answer_to(
        make_api_response(extract="<p><b>Assam</b> is a state.<sup class='reference'>[1]</sup></p>")
    ).extract == ("Assam is a state.")


MISBEHAVIOURS: Final[tuple[tuple[Behaviour, str], ...]] = (
    (
        reply_with(
            encode_http_response(b"<html>Sign in to this network</html>", headers={"Content-Type": "text/html"})
        ),
        "api.php",
    ),
    (reply_with(encode_http_response(msgspec.json.encode(make_api_response())[:60])), "api.php"),
    (reply_with(encode_http_response(b"")), "api.php"),
    (reply_with(encode_http_response(b"[]")), "api.php"),
    (reply_with(encode_http_response(b"{}")), "api.php"),
    (reply_with(encode_http_response(b'{"query": {"pages": 5}}')), "api.php"),
    (reply_with(encode_http_response(b"[" * 100_000)), "api.php"),
    (reply_with(encode_http_response(b'{"query": {"pages": [{"title": "\xff"}]}}')), "api.php"),
    (
        reply_with(encode_http_response({"error": {"code": "internal_api_error_DBQueryError"}})),
        "internal_api_error",
    ),
    (reply_with(encode_http_response(b"", "500 Internal Server Error")), "500"),
    (reply_with(encode_http_response(b"", "404 Not Found")), "404"),
    (reply_with(encode_http_response(b"", "204 No Content")), "204"),
    (reply_with(encode_http_response(b"", "302 Found", A_REDIRECT)), "another host (localhost)"),
    (reply_with(encode_http_response(b"", "302 Found", {"Location": "http://[::1"})), ""),
    (reply_with(encode_http_response(b"", "302 Found", {"Location": "/api.php"})), "loop"),
    (reply_with(encode_http_response(b"x" * 99, headers={"Content-Encoding": "gzip"})), "decompressed"),
    (reply_with(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), "RemoteProtocolError"),
    (drop_connection, "RemoteProtocolError"),
    (send_flood, "too long"),
    (reply_with(GZIP_BOMB), "too long"),
)


def test_a_misbehaving_wiki_is_unreachable_with_a_reason(subtests: pytest.Subtests) -> None:
    for number, (behaviour, reason) in enumerate(MISBEHAVIOURS):
        with subtests.test(reason, number=number):
            with running_wiki(behaviour) as wiki:
                reply = find(wiki.address)

            assert (reply.outcome, reason in reply.reason) == (ArticleOutcome.UNREACHABLE, True), reply


BROKEN_OFF = reply_with(encode_http_response(b"{", headers={"Content-Length": "50"})[:-1])
HANGING: Final[tuple[Behaviour, ...]] = (never_reply, stop_halfway, send_slowly, BROKEN_OFF)


def test_a_wiki_that_hangs_is_given_up(subtests: pytest.Subtests) -> None:
    for number, behaviour in enumerate(HANGING):
        with subtests.test(number=number), running_wiki(behaviour) as wiki:
            began = time.monotonic()
            reply = find(wiki.address, seconds=0.3)

            assert (reply.outcome, reply.reason) == (ArticleOutcome.UNREACHABLE, "it does not respond in time")
            assert time.monotonic() - began < 60


def test_a_wiki_whose_name_is_not_found_in_time_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: ended.wait())
    began = time.monotonic()

    reply = find("http://wiki.example/api.php", connecting=0.3)
    ended.set()

    assert (reply.outcome, reply.reason) == (ArticleOutcome.UNREACHABLE, "it does not respond in time")
    assert time.monotonic() - began < 60


def test_a_flood_is_cut_off() -> None:
    with running_wiki(send_flood) as wiki:
        find(wiki.address)

        assert wiki.megabytes < 20


def test_a_host_that_does_not_exist_or_listen_is_unreachable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        reply = find(f"http://127.0.0.1:{taken.getsockname()[1]}/api.php")

    assert (reply.outcome, "ConnectError" in reply.reason) == (ArticleOutcome.UNREACHABLE, True)
    assert find("http://no-such-host.invalid/api.php").outcome == ArticleOutcome.UNREACHABLE


PAUSES: Final[tuple[tuple[bytes, int], ...]] = (
    (encode_http_response(b"", "429 Too Many Requests", {"Retry-After": "17"}), 17),
    (encode_http_response(b"", "429 Too Many Requests"), 60),
    (encode_http_response(b"", "503 Service Unavailable", {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}), 30),
    (encode_http_response(b"", "403 Forbidden"), 600),
    (encode_http_response({"error": {"code": "maxlag"}}, headers={"Retry-After": "7"}), 7),
    (encode_http_response({"error": {"code": "maxlag"}}), 5),
    (encode_http_response({"error": {"code": "ratelimited"}}), 60),
    (encode_http_response(b"", "500 Internal Server Error"), 0),
)


def test_a_wiki_can_ask_for_a_pause() -> None:
    for answer, rest in PAUSES:
        with running_wiki(reply_with(answer)) as wiki:
            assert find(wiki.address).retry_after == rest, answer


RETRY_AFTER: Final[tuple[tuple[str, int], ...]] = (
    ("120", 120),
    (" 3 ", 3),
    ("99999999999999", 86_400),
    ("Thu, 01 Jan 1970 00:01:40 GMT", 100),
    ("Wed, 31 Dec 1969 23:59:59 GMT", 0),
    ("-5", 0),
    ("soon", 0),
    ("৫", 0),
    ("", 0),
)


def test_retry_after_is_a_number_or_a_date() -> None:
    for header, seconds in RETRY_AFTER:
        assert parse_retry_after(header, 0) == seconds, header


def test_a_redirect_within_the_host_is_followed() -> None:
    async def moved(_: object, line: str, asker: Connection) -> None:
        location = {"Location": "/w/" + line.split()[1].lstrip("/")}
        asker.writer.write(
            encode_http_response(make_api_response())
            if "/w/" in line
            else encode_http_response(b"", "301 Moved", location)
        )

    with running_wiki(moved) as wiki:
        assert find(wiki.address).title == "Assam"
        assert len(wiki.request_lines) == 2


def test_no_redirect_leads_away_from_the_wiki_or_to_a_private_address() -> None:
    targets = (
        "http://10.0.0.1/api.php",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/api.php",
        "http://127.0.0.1:9/api.php",
        "//192.168.0.1/api.php",
        "http://127.0.0.1@10.0.0.1/api.php",
        "https://en.wikipedia.org/w/api.php",
        "file:///etc/passwd",
    )
    with running_wiki(never_reply) as wiki:
        for target in targets:
            wiki.behaviour = reply_with(encode_http_response(b"", "302 Found", {"Location": target}))
            assert "another host" in find(wiki.address).reason, target

        assert len(wiki.request_lines) == len(targets)


HOSTILE_TITLES: Final[tuple[str, ...]] = (
    "ল’ৰা",
    "A&action=delete#x",
    "A B+C%20",
    "http://example.org/",
    "a/../../x?y=1",
    "é",
)


def test_a_title_cannot_change_the_request(subtests: pytest.Subtests) -> None:
    for title in HOSTILE_TITLES:
        with subtests.test(title), running_wiki(reply_with(encode_http_response(make_api_response()))) as wiki:
            find(wiki.address, title)

            assert wiki.request_parameters()["titles"] == title
            assert wiki.request_parameters()["action"] == "query"
            assert wiki.request_lines[0].startswith("GET /api.php?")
            assert wiki.request_lines[0].isascii()


def test_requests_name_the_contact_address() -> None:
    with running_wiki(reply_with(encode_http_response(make_api_response()))) as wiki:
        find(wiki.address, contact="words@example.org")
        find(wiki.address)

        assert "(words@example.org)" in wiki.request_heads[0]
        assert "no contact" in wiki.request_heads[1]
        assert wiki.request_parameters()["maxlag"] == "5"
    assert build_user_agent("x").isascii()


def test_compressed_answers_are_decompressed() -> None:
    packed = gzip.compress(msgspec.json.encode(make_api_response(extract="অ" * 100_000)))
    with running_wiki(reply_with(encode_http_response(packed, headers={"Content-Encoding": "gzip"}))) as wiki:
        assert len(find(wiki.address).extract) == 100_000


def test_a_proxy_of_the_environment_is_not_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")

    assert answer_to(make_api_response()).outcome == ArticleOutcome.FOUND
