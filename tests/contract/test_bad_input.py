"""Bad input on every parameter of every address: always a clear problem document or a correct answer, never a 500."""

from itertools import product
from typing import Final

import pytest

from tests.contract.test_rules import EXPOSED, PUBLIC_FOR_A_WHILE
from tests.support.application import Ask
from tests.support.asgi import AsgiResponse

PARAMETERS: Final = {
    "/api/dic.php": ("w", "l", "fields", "langs"),
    "/api/wordsalpha.php": ("start", "end", "l", "p", "lim", "fields", "langs"),
    "/api/words_recent.php": ("limit", "l"),
    "/api/check-fj.php": ("fj", "language", "limit"),
    "/api/tlipi.php": ("pa", "to", "scheme"),
    "/api/wordgames_cards.php": ("set",),
    "/api/get-list.php": ("type",),
    "/api/words": ("limit", "offset", "language", "search", "ids", "fields", "langs"),
    "/api/words/1": ("fields", "langs"),
    "/api/ideas": ("context", "pos", "language", "limit", "offset", "fields", "langs"),
    "/api/ideas/1": ("fields", "langs"),
    "/api/phrases": ("q", "language", "category", "limit", "offset"),
    "/api/search": ("q", "lang", "fuzzy", "wildcards", "limit", "fields", "langs"),
    "/api/suggest": ("q", "lang", "limit", "details", "langs", "phrases"),
    "/api/docs/try": ("address",),
}
"""Every query parameter there is."""

REQUIRED: Final = {"w": "water", "start": "a", "fj": "hati", "pa": "xobdo", "type": "POS", "q": "water"}

BAD: Final = {
    "blank": b"",
    "white space": b"%20%09+%C2%A0",
    "a letter": b"x",
    "negative": b"-1",
    "zero": b"0",
    "a fraction": b"1.5",
    "32 bits": b"2147483648",
    "64 bits": b"9223372036854775808",
    "128 bits": b"340282366920938463463374607431768211456",
    "5,000 digits": b"9" * 5000,
    "invalid UTF-8": b"%ff%fe",
    "raw bytes": b"\xff\xfe",
    "raw UTF-8": "পানী".encode(),
    "a cut letter": b"%E0%A6",
    "NUL": b"a%00b",
    "an escape": b"%1b%5b2J",
    "a C1 control": b"%C2%9b",
    "a lone surrogate": b"%ED%A0%80",
    "surrogates": b"%ED%A0%BD%ED%B8%80",
    "overlong": b"%C0%AF",
    "beyond Unicode": b"%F4%90%80%80",
    "a noncharacter": b"%EF%BF%BF%F4%8F%BF%BF",
    "byte order marks": b"%EF%BB%BF%EF%BB%BF",
    "a broken escape": b"100%",
    "half an escape": b"%E0%A6%4",
    "10,000 marks": b"a" + b"%CC%81" * 10_000,
    "199 marks": b"a" + b"%CC%81" * 199,
    "199 viramas": b"%E0%A6%95" + b"%E0%A7%8D" * 199,
    "200 nuktas": b"%E0%A6%BC" * 200,
    "200 conjuncts": b"%E0%A6%95%E0%A7%8D" * 100,
    "200 letters h": b"h" * 200,
    "200 joiners": b"%E2%80%8D" * 200,
    "right to left": b"%E2%80%AE%D7%90",
    "emoji": b"%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7",
    "SQL": b"'%3B+DROP+TABLE+word%3B--",
    "more SQL": b"1+OR+1%3D1+UNION+SELECT+*+FROM+person",
    "wildcards": b"%25_*%3F",
    "a hostile pattern": b"*a" * 100,
    "fields": b"pos:noun+lang:%22as+has:" + b"context:" * 20,
    "HTML": b"%3Cscript%3Ealert(1)%3C/script%3E",
    "a template": b"%7B%7B7*7%7D%7D%24%7Bx%7D",
    "a format": b"%25s%25n%7B0%7D",
    "a path": b"../../../../etc/passwd",
    "an address": b"https%3A//example.org/",
    "a line end": b"a%0D%0ASet-Cookie%3A+x%3D1",
    "JSON": b"%7B%22%24gt%22%3A%22%22%7D",
    "null": b"null",
    "true": b"true",
    "nan": b"NaN",
    "far too long": b"a" * 60_000,
    "many words": b"+".join([b"a"] * 100),
    "punctuation": b"%21%3F%2E%E0%A5%A4",
}

CASES: Final = [(path, name) for path, names in PARAMETERS.items() for name in names]


def check_answer(answer: AsgiResponse) -> None:
    """See that an answer is right in itself: a good one with its headers, or a problem document with its own."""
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-expose-headers"] == EXPOSED
    assert "set-cookie" not in answer.headers
    if answer.status == 200:
        assert answer.headers["cache-control"] == PUBLIC_FOR_A_WHILE
        assert "Accept-Encoding" in answer.headers["vary"].split(", ")
        assert answer.headers["etag"]
        assert answer.json is not None
    else:
        assert answer.status in {400, 404}, answer
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["cache-control"] == "no-store"
        document = answer.json
        assert (document["status"], document["success"]) == (answer.status, False)
        assert len(answer.body) < 2000
        for leak in ("Traceback", "SELECT ", "sqlite", "msgspec", "litestar", ".py"):
            assert leak not in document["detail"].replace("/api/", "")


def test_every_bad_value_gets_an_answer_or_a_problem_document(api: Ask, subtests: pytest.Subtests) -> None:
    for path, name in CASES:
        others = "&".join(f"{each}={REQUIRED[each]}" for each in PARAMETERS[path] if each in REQUIRED and each != name)
        with subtests.test(path, name=name):
            for value in BAD.values():
                query = b"&".join(filter(None, (others.encode(), name.encode() + b"=" + value)))
                answer = api(path, query)

                check_answer(answer)
                errors = answer.json.get("errors", []) if answer.status == 400 else []
                assert {each["parameter"] for each in errors} <= {name}


def test_unknown_parameters_change_no_answer(api: Ask, subtests: pytest.Subtests) -> None:
    values = (b"", b"%ff", b"\xff", b"%00", b"1", b"a" * 6000)
    names = (b"unknown", b"%ff", b"", b"\xe0\xa6", b"__proto__", b"%00", b"w%00")
    for path in sorted(PARAMETERS.keys() - {"/api/docs/try"}):
        query = "&".join(f"{name}={REQUIRED[name]}" for name in PARAMETERS[path] if name in REQUIRED).encode()
        plain = api(path, query)
        for name, value in product(names, values):
            with subtests.test(path, name=name, value=value[:10]):
                strange = api(path, query + b"&" + name + b"=" + value + b"&&=&")

                assert (strange.status, strange.headers.get("etag")) == (plain.status, plain.headers.get("etag"))


def test_the_last_of_repeated_parameters_counts(api: Ask, subtests: pytest.Subtests) -> None:
    for path, name in CASES:
        if name in REQUIRED:
            with subtests.test(path, name=name):
                good = f"{name}={REQUIRED[name]}"

                assert api(path, f"{name}=%ff&{name}=&{good}").body == api(path, good).body
                assert api(path, f"{good}&{name}=%ff").status == 400


def test_a_number_above_that_of_any_record_is_answered_as_documented(api: Ask, subtests: pytest.Subtests) -> None:
    for address, status in (
        ("/api/words/2147483648", 404),
        ("/api/ideas/2147483648", 404),
        ("/api/phrases/2147483648", 404),
        ("/api/words?ids=2147483648", 200),
        ("/api/wordgames_cards.php?set=2147483648", 404),
        ("/api/words?language=2147483648", 400),
        ("/api/ideas?context=2147483648", 400),
        ("/api/phrases?category=2147483648", 400),
    ):
        with subtests.test(address):
            path, _, query = address.partition("?")
            answer = api(path, query.encode())
            assert answer.status == status
            assert status != 200 or answer.json["data"] == []


def test_thousands_of_parameters_are_rejected_with_400(api: Ask) -> None:
    answer = api("/api/dic.php", "w=water&" + "&".join(f"x{number}=1" for number in range(5000)))

    assert answer.status == 400
    check_answer(answer)


PATHS: Final = [
    "/api/words/\x00",
    "/api/words/1\n2",
    "/api/words/১",
    "/api/words/../words/1",
    "/api/words/;",
    "/api/words/'--",
    "/api/ideas/<b>",
    "/api/" + "a" * 20_000,
    "/api/" + "/" * 500,
    "/api/dic.php\x00",
    "/api/dic.php;w=water",
    "/api/%2e%2e/x",
    "/API/DIC.PHP",
]


def test_strange_paths_are_answered_with_404(api: Ask, subtests: pytest.Subtests) -> None:
    for path in PATHS:
        with subtests.test(path[:40]):
            answer = api(path)

            assert (answer.status, b"<b>" in answer.body) == (404, False)


def test_strange_headers_change_no_answer(api: Ask) -> None:
    plain = api("/api/languages")
    for name, value in (
        ("Accept-Encoding", ";;q=,gzip;q=x,,"),
        ("If-None-Match", '"'),
        ("If-None-Match", "W/"),
        ("Accept", "text/nothing"),
        ("Content-Type", "application/json"),
        ("Cookie", "=;;; x"),
        ("X-Forwarded-For", "not an address"),
        ("X-Request-Id", "a b"),
        ("Range", "bytes=0-1"),
        ("Origin", "null"),
        ("Host", "evil.example"),
    ):
        answer = api("/api/languages", headers={name: value})

        assert (answer.status, answer.body) == (200, plain.body), name


def test_the_body_of_a_get_is_not_read(api: Ask) -> None:
    assert api("/api/languages", body=b"\xff" * 1000).status == 200


HOSTILE_PATTERNS: Final = (
    b"*a" * 100,
    b"*%3F" * 66,
    b"%3F" * 200,
    b"%3F*" * 100,
    b"*" * 200,
    b"*%E0%A7%8D*" * 18,
    b"*%CC%81" * 100,
    b"%3F%E0%A6%BE" * 100,
    b"*a*+pos:1+lang:1+has:photo",
    b"**+pos:%22",
    b'*"*pos:',
    b"%EE%80%80*%F4%8F%BF%BF*",
    b"%25_*%5B!-%5D*%5C*",
)


def test_hostile_patterns_get_an_answer_or_a_problem_document(api: Ask, subtests: pytest.Subtests) -> None:
    for pattern in HOSTILE_PATTERNS:
        with subtests.test(pattern[:40].decode()):
            check_answer(api("/api/search", b"wildcards=1&limit=1000&q=" + pattern))
