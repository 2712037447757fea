"""The rules that hold for every address: encoding, parameters, methods, errors, CORS, caching, compression."""

import gzip
from itertools import product
from pathlib import Path
from typing import Final
from urllib.parse import quote

import msgspec
import pytest

from tests.support.application import Ask, open_application
from tests.support.asgi import AsgiResponse
from tests.support.databases import SqliteDatabases, load_sample, open_database

READ: Final = {
    "/api/dic.php": "w=water",
    "/api/wordsalpha.php": "start=a",
    "/api/words_recent.php": "",
    "/api/check-fj.php": "fj=hati",
    "/api/tlipi.php": "pa=xobdo",
    "/api/wordgames.php": "",
    "/api/wordgames_cards.php": "",
    "/api/get-list.php": "type=POS",
    "/api/words": "",
    "/api/words/1": "",
    "/api/ideas": "",
    "/api/ideas/1": "",
    "/api/phrases": "",
    "/api/phrases/1": "",
    "/api/languages": "",
    "/api/search": "q=water",
    "/api/suggest": "q=wat",
    "/api/openapi.json": "",
}
"""Every public address that reads, with a query that it answers."""

PUBLIC_FOR_A_WHILE: Final = "public, max-age=300, stale-while-revalidate=86400, stale-if-error=86400"
EXPOSED: Final = "ETag, Link, Retry-After, RateLimit, RateLimit-Policy"
PROBLEM_KEYS: Final = ["type", "title", "status", "detail", "instance", "success"]
GZIP: Final = {"Accept-Encoding": "gzip"}


def check_open_to_every_site(answer: AsgiResponse) -> None:
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-expose-headers"] == EXPOSED


def check_problem(answer: AsgiResponse, status: int, *parameters: str) -> None:
    """See that an answer is a problem document about these parameters."""
    assert answer.status == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    assert "etag" not in answer.headers
    document = answer.json
    assert list(document)[:6] == PROBLEM_KEYS
    assert (document["status"], document["success"]) == (status, False)
    assert [each["parameter"] for each in document.get("errors", ())] == list(parameters)
    assert document["detail"].endswith((".", "!"))


# --- encoding and parameters --------------------------------------------------------------------------------------


def test_json_is_written_in_utf_8_without_escapes(api: Ask, subtests: pytest.Subtests) -> None:
    for path, query in READ.items():
        with subtests.test(path):
            answer = api(path, query)

            assert answer.status == 200
            assert answer.headers["content-type"] == "application/json"
            assert msgspec.json.encode(answer.json) == answer.body


def test_query_values_are_decoded_and_their_white_space_is_collapsed(api: Ask) -> None:
    for query, text in (
        ("w=%E0%A6%AA%E0%A6%BE%E0%A6%A8%E0%A7%80", "পানী"),
        ("w=hot+water", "hot water"),
        ("w=hot%2Bwater", "hot+water"),
        ("w=%20%09hot%0D%0A%C2%A0%E3%80%80water%20", "hot water"),
        ("w=first&w=last", "last"),
        ("x=1&w=water&y=%ff", "water"),
        ("%77=water", "water"),
        ("w=a%E2%80%8Db%E2%80%8Cc", "a\u200db\u200cc"),
        ("w=Water", "Water"),
        ("w=water&l=", "water"),
        ("w=water&l=%20", "water"),
        ("w=1%3D2", "1=2"),
        ("w=1=2", "1=2"),
    ):
        assert api("/api/dic.php", query).json["dictapi"]["query"] == text, query


def test_a_missing_blank_or_undecodable_word_is_rejected_with_400(api: Ask, subtests: pytest.Subtests) -> None:
    for query in (
        *("", "w=", "w=%20%0A", "w=water&w=", "W=water"),
        *("w=%ff", "w=%00", "w=%7f", "w=%C2%85", "w=%1", "w=%"),
    ):
        with subtests.test(query):
            check_problem(api("/api/dic.php", query), 400, "w")


def test_transliterated_text_keeps_its_line_ends(api: Ask) -> None:
    assert api("/api/tlipi.php", {"pa": " ক \n\n খ\t\tগ\r\n"}).json["input"] == "ক\n\nখ গ"


LENGTHS: Final[list[tuple[str, str, int, dict[str, object]]]] = [
    ("/api/dic.php", "w", 200, {}),
    ("/api/wordsalpha.php", "start", 200, {}),
    ("/api/wordsalpha.php", "end", 200, {"start": "a"}),
    ("/api/search", "q", 200, {}),
    ("/api/suggest", "q", 200, {}),
    ("/api/words", "search", 200, {}),
    ("/api/phrases", "q", 200, {}),
    ("/api/check-fj.php", "fj", 500, {}),
    ("/api/tlipi.php", "pa", 5000, {"to": "roman"}),
    ("/api/tlipi.php", "pa", 500, {"to": "assamese"}),
]
"""Each parameter with the greatest number of letters, and other parameters."""


def test_text_may_have_the_greatest_length_and_no_letter_more(api: Ask, subtests: pytest.Subtests) -> None:
    # Letters of one, two and three bytes.
    for (path, name, greatest, rest), letter in product(LENGTHS, "zôপ"):
        with subtests.test(path, name=name, letter=letter):
            text = letter * greatest

            assert api(path, {**rest, name: f"  {text} \t"}).status == 200
            check_problem(api(path, {**rest, name: text + letter}), 400, name)


LIMITS: Final = [
    ("/api/wordsalpha.php", "start=a&l=en", "lim", 1000),
    ("/api/words_recent.php", "", "limit", 1000),
    ("/api/words", "", "limit", 1000),
    ("/api/ideas", "", "limit", 1000),
    ("/api/phrases", "", "limit", 1000),
    ("/api/search", "q=a", "limit", 1000),
    ("/api/check-fj.php", "fj=hati", "limit", 100),
    ("/api/suggest", "q=a", "limit", 100),
]


def test_a_limit_above_the_greatest_counts_as_the_greatest(api: Ask, subtests: pytest.Subtests) -> None:
    for path, query, name, most in LIMITS:
        with subtests.test(path):
            greatest = api(path, f"{query}&{name}={most}").body
            for above in (most + 1, 2**63, "9" * 4_000):
                assert api(path, f"{query}&{name}={above}").body == greatest


def test_a_limit_that_is_not_a_positive_whole_number_is_rejected_with_400(api: Ask, subtests: pytest.Subtests) -> None:
    values = ("0", "-1", "1.0", "1e1", "x", "১", "0x1", "1_0", "%2B", "1%201", "NaN", "true")
    for value, (path, query, name, _) in product(values, LIMITS):
        with subtests.test(path, value=value):
            check_problem(api(path, f"{query}&{name}={value}"), 400, name)


LANGUAGES: Final = [
    ("/api/dic.php", "w=water", "l"),
    ("/api/wordsalpha.php", "start=a", "l"),
    ("/api/words_recent.php", "", "l"),
    ("/api/check-fj.php", "fj=hati", "language"),
    ("/api/words", "", "language"),
    ("/api/ideas", "", "language"),
    ("/api/phrases", "", "language"),
    ("/api/search", "q=water", "lang"),
    ("/api/suggest", "q=water", "lang"),
]


def test_a_language_is_named_by_id_or_code_and_0_means_every_language(api: Ask, subtests: pytest.Subtests) -> None:
    for path, query, name in LANGUAGES:
        with subtests.test(path):
            by_id, by_code, other, zero = (api(path, f"{query}&{name}={value}") for value in ("1", "en", "22", "0"))

            if path in {"/api/words", "/api/ideas", "/api/phrases"}:
                assert by_id.json["data"] == by_code.json["data"]
            else:
                assert by_id.body == by_code.body
            assert by_id.status == other.status == zero.status == 200
            assert zero.body == api(path, query).body


def test_an_unknown_language_is_rejected_with_400(api: Ask, subtests: pytest.Subtests) -> None:
    values = ("999", "-1", "klingon", "%E0%A6%85", "1.0", "9" * 5000, "2%3B--", "null")
    for (path, query, name), value in product(LANGUAGES, values):
        with subtests.test(path, value=value[:20]):
            check_problem(api(path, f"{query}&{name}={value}"), 400, name)


# --- methods ------------------------------------------------------------------------------------------------------


def test_head_answers_like_get_without_a_body(api: Ask, subtests: pytest.Subtests) -> None:
    for path, query in READ.items():
        for headers in ({}, GZIP):
            with subtests.test(path, headers=headers):
                get = api(path, query, headers=headers)
                head = api(path, query, headers=headers, method="HEAD")
                get.headers.pop("x-request-id")
                head.headers.pop("x-request-id")

                assert (head.status, head.headers, head.body) == (get.status, get.headers, b"")
                assert int(head.headers["content-length"]) == len(get.body)


def test_head_of_an_error_has_its_headers_and_no_body(api: Ask) -> None:
    for path, status in (("/api/dic.php", 400), ("/api/no", 404), ("/api/words/0", 404)):
        head = api(path, method="HEAD")

        assert (head.status, head.body) == (status, b"")
        assert int(head.headers["content-length"]) == len(api(path).body)


def test_a_preflight_request_is_allowed(api: Ask, subtests: pytest.Subtests) -> None:
    headers = {"Origin": "https://example.org", "Access-Control-Request-Method": "GET"}
    for path, query in READ.items():
        with subtests.test(path):
            answer = api(path, query, method="OPTIONS", headers=headers)

            assert (answer.status, answer.body) == (204, b"")
            check_open_to_every_site(answer)
            assert answer.headers["access-control-allow-methods"] == answer.headers["allow"] == "GET, HEAD, OPTIONS"
            assert answer.headers["access-control-allow-headers"] == "*"


def test_another_method_is_answered_with_405_and_the_allowed_methods(api: Ask, subtests: pytest.Subtests) -> None:
    methods = ("POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW")
    for (path, query), method in product(READ.items(), methods):
        with subtests.test(path, method=method):
            answer = api(path, query, method=method)

            check_problem(answer, 405)
            check_open_to_every_site(answer)
            assert answer.headers["allow"] == "GET, HEAD, OPTIONS"
            assert method in answer.json["detail"]


# --- errors -------------------------------------------------------------------------------------------------------

NO_ADDRESSES: Final = (
    *("/api", "/api/", "/api/no", "/api/dic.php/x"),
    *("/photos/no", "/health", "/health/no", "/api/words/0"),
)


def test_an_unknown_address_is_answered_with_a_404_problem_document(api: Ask, subtests: pytest.Subtests) -> None:
    for path in NO_ADDRESSES:
        with subtests.test(path):
            answer = api(path)

            check_problem(answer, 404)
            assert answer.json["instance"] == path
            assert answer.json["type"].startswith("/api/docs#problem-")


def test_an_unknown_page_is_answered_with_html(api: Ask) -> None:
    answer = api("/no/<script>")

    assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert answer.headers["cache-control"] == "no-store"
    assert b"/<script" not in answer.body
    assert "access-control-allow-origin" not in answer.headers


def test_only_the_plain_number_of_a_record_is_its_address(api: Ask, subtests: pytest.Subtests) -> None:
    numbers = ("0", "-1", "x", "1.0", "1_0", "+1", " 1", "01", "১", "１", "9" * 30, "9" * 5000)
    for kind, number in product(("words", "ideas", "phrases"), numbers):
        with subtests.test(kind, number=number[:40]):
            check_problem(api(f"/api/{kind}/{number}"), 404)


def test_one_answer_names_every_invalid_parameter(api: Ask) -> None:
    check_problem(api("/api/wordsalpha.php", "start=&lim=0"), 400, "start", "lim")
    check_problem(api("/api/check-fj.php", "limit=x"), 400, "fj", "limit")
    check_problem(api("/api/search", "q=%ff&lang=%00"), 400, "lang", "q")


def test_the_type_of_a_problem_links_to_its_explanation(api: Ask) -> None:
    page = api("/api/docs").body.decode()
    for answer in (api("/api/dic.php"), api("/api/no"), api("/api/dic.php", method="POST")):
        address, _, anchor = answer.json["type"].partition("#")

        assert address == "/api/docs"
        assert f'id="{anchor}"' in page


def test_errors_are_readable_from_every_site(api: Ask) -> None:
    for path, query in (
        ("/api/dic.php", ""),
        ("/api/no", ""),
        ("/api/words/0", ""),
        ("/api/dic-wiki.php", ""),
        ("/api/dic.php", "w=%ff"),
    ):
        check_open_to_every_site(api(path, query))


def vary_of(path: str) -> str:
    """Return what the answers of an address vary by: words can be asked for as linked data."""
    return "Accept, Accept-Encoding" if path.startswith("/api/words/") else "Accept-Encoding"


# --- CORS, caching, compression -----------------------------------------------------------------------------------


def test_a_public_answer_has_headers_for_other_sites_and_caches(api: Ask, subtests: pytest.Subtests) -> None:
    for path, query in READ.items():
        with subtests.test(path):
            answer = api(path, query)

            check_open_to_every_site(answer)
            assert answer.headers["cache-control"] == PUBLIC_FOR_A_WHILE
            assert answer.headers["vary"] == vary_of(path)
            assert answer.headers["etag"].startswith('"')
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "set-cookie" not in answer.headers


def test_a_client_that_names_the_tag_of_the_answer_gets_an_empty_304(api: Ask, subtests: pytest.Subtests) -> None:
    for path, query in READ.items():
        for coding in ({}, GZIP):
            full = api(path, query, headers=coding)
            tag = full.headers["etag"]
            for names, method in product((tag, f"W/{tag}", f'"other", {tag}', "*"), ("GET", "HEAD")):
                with subtests.test(path, coding=coding, names=names, method=method):
                    again = api(path, query, method=method, headers=coding | {"If-None-Match": names})

                    assert (again.status, again.body) == (304, b"")
                    check_open_to_every_site(again)
                    for name in ("etag", "cache-control", "vary"):
                        assert again.headers[name] == full.headers[name]
                    assert not {"content-length", "content-type", "content-encoding"} & set(again.headers)
            with subtests.test(path, coding=coding, names="other"):
                assert api(path, query, headers=coding | {"If-None-Match": '"other"'}).status == 200


def test_a_compressed_answer_has_the_same_content_and_its_own_tag(api: Ask, subtests: pytest.Subtests) -> None:
    for path, query in READ.items():
        with subtests.test(path):
            plain = api(path, query)
            zipped = api(path, query, headers=GZIP)

            assert zipped.headers["vary"] == plain.headers["vary"] == vary_of(path)
            if len(plain.body) > 1024:
                assert zipped.headers["content-encoding"] == "gzip"
                assert gzip.decompress(zipped.body) == plain.body
                assert zipped.headers["etag"] != plain.headers["etag"]
                assert int(zipped.headers["content-length"]) == len(zipped.body)
            else:
                assert "content-encoding" not in zipped.headers
                assert zipped.headers["etag"] == plain.headers["etag"]


def test_an_answer_is_compressed_where_the_client_accepts_gzip(api: Ask) -> None:
    for accepted, zipped in (
        ("gzip", True),
        ("br, gzip;q=0.1", True),
        ("*", True),
        ("GZIP", True),
        ("x-gzip", True),
        ("gzip;q=0", False),
        ("gzip;q=0.000", False),
        ("*;q=0", False),
        ("*, gzip;q=0", False),
        ("br", False),
        ("identity", False),
        ("", False),
        ("identity;q=1, gzip;q=0.5", False),
    ):
        answer = api("/api/languages", headers={"Accept-Encoding": accepted})

        assert (answer.headers.get("content-encoding") == "gzip") is zipped, accepted


def test_a_large_error_is_compressed_too(api: Ask) -> None:
    answer = api("/api/words/" + "9" * 2000, headers=GZIP)

    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "Accept-Encoding"
    check_problem(answer, 404)


def test_addresses_of_users_are_closed_to_other_sites_and_caches(api: Ask) -> None:
    for method in ("POST", "OPTIONS"):
        answer = api("/api/submit-foto.php", method=method, headers={"Origin": "https://example.org"})

        assert answer.headers["cache-control"] == "no-store"
        assert not [name for name in answer.headers if name.startswith("access-control")]


# --- rate limits --------------------------------------------------------------------------------------------------


def test_without_a_setting_requests_are_not_limited(api: Ask) -> None:
    assert not [name for name in api("/api/languages").headers if name.startswith("ratelimit")]


def test_the_rate_limit_is_announced_and_enforced(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    with (
        open_database(sqlite_databases, load_sample) as database,
        open_application(database, tmp_path, rate_limit="2/hour") as ask,
    ):
        answers = [ask("/api/languages") for _ in range(3)]
        other = ask("/api/languages", client=("198.51.100.7", 1))
        forwarded = ask("/api/languages", headers={"X-Forwarded-For": "198.51.100.9"})
        health = ask("/health/live")

    assert [answer.status for answer in answers] == [200, 200, 429]
    assert [answer.headers["ratelimit"].partition(";t")[0] for answer in answers] == [
        '"default";r=1',
        '"default";r=0',
        '"default";r=0',
    ]
    assert {answer.headers["ratelimit-policy"] for answer in answers} == {'"default";q=2;w=3600'}
    check_problem(answers[2], 429)
    check_open_to_every_site(answers[2])
    assert 0 < int(answers[2].headers["retry-after"]) <= 1800
    assert (other.status, forwarded.status, health.status) == (200, 429, 200)


def test_only_a_trusted_proxy_may_name_the_client(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    with (
        open_database(sqlite_databases, load_sample) as database,
        open_application(database, tmp_path, rate_limit="1/hour", trusted_proxies="192.0.2.0/24") as ask,
    ):
        first, second, again = (
            ask("/api/languages", headers={"X-Forwarded-For": f"{spoofed}, {client}"}).status
            for spoofed, client in (("1.1.1.1", "203.0.113.1"), ("2.2.2.2", "203.0.113.2"), ("3.3.3.3", "203.0.113.1"))
        )

    assert (first, second, again) == (200, 200, 429)


def test_equivalent_addresses_get_the_same_answer(api: Ask) -> None:
    plain = api("/api/dic.php", {"w": "পানী"})

    assert api("/api/dic.php", f"l=0&w={quote('পানী').lower()}").body == plain.body
    assert api("/api/dic.php/", {"w": "পানী"}).body == plain.body
