"""Invalid requests, as sent by mistaken clients and attackers: unexpected values, bodies and headers."""

import json
import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode

from tests.support.contributions import encode_form

IDS: Final = (
    *("0", "-1", "-0", "1.0", "1e400", "NaN", "+1", "01", "1_0", "১", "²", "null", "as", "%", "'--", "<b>"),
    *("2147483647", "2147483648", "4294967297", "9223372036854775807", "9223372036854775808", "1" + "0" * 30),
    *("9" * 5000, "a" * 3000, "..", ".", " ", "\n", "\x00", "1\x00", "\x1b", "\ufffd", "\U0001f600", "1/", "1/2"),
    *("POS-2147483648", "POS-0", "word:1", "1-2-3", "2147483648.jpg", "3-thumb.webp", "2147483648.apkg", "POS", "role"),
)
"""Values for IDs and names."""

TEXTS: Final = (
    *IDS,
    *("true", "x" * 300, "x" * 6000, "ক্" * 100, "\u202e", "a&b", "[]", "{}", "{{7*7}}", "%s%n", "yes", "1,2,3"),
    *("pending_review", "assamese", "roman", "definition.0", "-9223372036854775809", "Infinity", "\ud7ff", "a\r\nb: c"),
)

NUMBERS: Final = (0, -1, 1.0, 1.5, -0.0, 1e308, 2**31 - 1, 2**31, 2**53, 2**63 - 1, 2**63, 2**64, 10**30, -(2**63) - 1)

JSON_VALUES: Final[tuple[Any, ...]] = (
    *NUMBERS,
    *(None, True, False, [], {}, [1], [[]], ["\x00"], {"a": 1}, "", "  ", "\x00", "a\x00b", "\x1b", "\u202e", "a\nb"),
    *("1", "2147483648", "1" * 5000, "x" * 50_000, "x" * 300, "পানী", "as", "²", "১", "Noun", "\U0001f600"),
)

BODIES: Final = (
    *(b"", b"null", b"[]", b'"x"', b"1", b"-0", b"{", b"NaN", b"\xff\xfe", b"\xef\xbb\xbf{}", b"a=%ff", b"a=%00&%00=1"),
    *(b"[" * 60_000, b'{"data":' * 7_000, b'{"into":1e400}', b'{"into":1' + b"0" * 5_000 + b"}", b'{"a":1,"a":2}'),
    *(b'{"reason":"\\ud800"}', b'{"reason":"\\u0000"}', b'{"username":"\\u0000","password":"x"}', b'{"\\u0000":1}'),
    *(b"&" * 500, b"=" * 70_000, b'{"version":' + b"[" * 900 + b"]" * 900 + b"}"),
)

HEADERS: Final[tuple[Mapping[str, str], ...]] = (
    *({"Range": f"bytes={given}"} for given in ("9" * 30 + "-", "-" + "9" * 5000, "5-1", "१-", "0-0,2-3", "")),
    *({"If-None-Match": given} for given in ('"a",' * 15_000, "W/", '"', "*")),
    *(
        {"If-Modified-Since": given}
        for given in ("Thu, 99 Foo 99999999 00:00:00 GMT", "Mon, 01 Jan 99999 00:00:00 GMT")
    ),
    {"If-Range": "Mon, 01 Jan 0000 00:00:00 +9999", "Range": "bytes=0-1"},
    *({"Accept-Language": given} for given in ("x;q=9" * 3000, "as;q=1.9999, en;q=NaN", "as;q=0.5;q=1", "\xff")),
    *({"Accept-Encoding": given} for given in ("gzip;q=1e5", "gzip;q=-1, *;q=१", "gzip;q=", ";;,,")),
    *(
        {"Content-Type": given}
        for given in ("application/json; charset=utf-99", ";;;", "text/plain", "application/x-msgpack")
    ),
    *({"Content-Type": f"multipart/form-data{given}"} for given in ("", '; boundary=""', "; boundary=" + "x" * 300)),
    *({"Sec-Fetch-Site": given} for given in ("", "same-origin, cross-site", "\xff")),
    *({"Origin": given} for given in ("http://[::1", "http://x:99999", "http://x:१", "null")),
    *({"Cookie": given} for given in ("=;;; x", 'abhidhan="', "abhidhan=" + "x" * 60_000, "interface=zz; theme=\x01")),
    *({"Host": given} for given in ("", "a:99999", "x:y:z", "[::1", "a b", "a, b", "\xff")),
    *({"Content-Length": given} for given in ("x", "-1", "9" * 30)),
    *({"Idempotency-Key": given} for given in ("x" * 101, "k")),
    {"X-Forwarded-For": "::::", "X-Forwarded-Proto": "x y", "X-Request-Id": "a b"},
    {"User-Agent": "\xff" * 2000, "Accept": "*/*;q=x", "Referer": "http://[::1"},
)

PACKAGE: Final = Path(__file__).parents[2] / "src" / "abhidhan"
_FIELD: Final = re.compile(r'name="([A-Za-z_]+)"|(?:form\.value|number_in)\((?:form, )?"([A-Za-z_]+)"')
_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")


def find_form_fields() -> list[str]:
    """Return the names of the fields of all forms on the pages."""
    sources = [*PACKAGE.rglob("*.html"), *PACKAGE.glob("*/pages/*.py")]
    found = {name for file in sources for pair in _FIELD.findall(file.read_text("utf-8")) for name in pair if name}
    return sorted(found | {"definition_0_as", "definition_new_en", "example_new_as", "definition_x"})


class InvalidRequest(NamedTuple):
    """An invalid request."""

    method: str
    path: str
    query: bytes
    headers: dict[str, str]
    body: bytes


class InvalidRequestGenerator:
    """Generates invalid requests; the same seed generates the same ones."""

    def __init__(self, seed: int, document: Mapping[str, Any]) -> None:
        """Set the OpenAPI document, so that most parts of a body are valid and the invalid one is reached."""
        self._random = random.Random(seed)  # noqa: S311 (for tests)
        self._document = document
        self._fields = find_form_fields()
        operations = [each for item in document["paths"].values() for each in item.values() if isinstance(each, dict)]
        names = {each["name"] for one in operations for each in one.get("parameters", ()) if each["in"] == "query"}
        self._names = sorted(
            names | {"page", "part", "from", "idea", "word", "next", "token", "of", "done", "interface"}
        )

    def make(self, method: str, template: str, name: str | None = None) -> InvalidRequest:
        """Generate a request for a path template; `name` replaces the IDs and names in it."""
        chance = self._random
        path = _PLACEHOLDER.sub(
            lambda _: chance.choice(IDS) if name is None and chance.random() < 0.5 else name or "1", template
        )
        headers, body = self._make_body(method, template)
        return InvalidRequest(
            method, path, self._query(), headers | dict(chance.choice(({}, {}, chance.choice(HEADERS)))), body
        )

    def _query(self) -> bytes:
        chance = self._random
        pairs = {chance.choice(self._names): chance.choice(TEXTS) for _ in range(chance.choice((0, 1, 2, 4)))}
        strange = chance.choice((b"", b"", b"", b"&x=%ff", b"&w=%00", b"&%ff=1&&=", b"%"))
        return urlencode(pairs, quote_via=quote, errors="replace").encode() + strange

    def _make_body(self, method: str, template: str) -> tuple[dict[str, str], bytes]:
        """Generate a body, mostly of the type that the operation accepts."""
        chance = self._random
        if method in {"GET", "HEAD", "OPTIONS"}:
            return {}, b""
        if template.endswith(("submit-foto.php", "/submit/photo")):
            fields = {
                name: chance.choice(TEXTS).encode() for name in ("ideaID", "photoCredit") if chance.random() < 0.9
            }
            body, kind = encode_form(fields, b"not a photo")
            return {"Content-Type": kind}, body
        if not template.startswith("/api/"):
            sent = {
                name: chance.choice(TEXTS if chance.random() < 0.3 else ("1", "2", "yes", "as", ""))
                for name in self._fields
            }
            body = chance.choice(BODIES) if chance.random() < 0.1 else urlencode(sent, errors="replace").encode()
            return {"Content-Type": "application/x-www-form-urlencoded"}, body
        schema = self._schema(method, template)
        if schema is None or chance.random() < 0.2:
            return {"Content-Type": "application/json"}, chance.choice(BODIES)
        return {"Content-Type": "application/json"}, json.dumps(self._make_value(schema)).encode()

    def _schema(self, method: str, template: str) -> Mapping[str, Any] | None:
        operation = self._document["paths"].get(template, {}).get(method.lower(), {})
        content = operation.get("requestBody", {}).get("content", {})
        return next((media["schema"] for media in content.values()), None)

    def _make_value(self, schema: Mapping[str, Any]) -> Any:  # noqa: ANN401, PLR0911 (JSON, by its types)
        """Generate a value for a schema, with a few mistakes."""
        chance = self._random
        if "$ref" in schema:
            return self._make_value(self._document["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
        if chance.random() < 0.12:
            return chance.choice(JSON_VALUES)
        if choices := schema.get("oneOf") or schema.get("anyOf"):
            return self._make_value(chance.choice(choices))
        if "const" in schema or "enum" in schema:
            return schema.get("const") or chance.choice(schema["enum"])
        match schema.get("type"):
            case "object":
                needed = schema.get("required", ())
                given = schema.get("properties", {}).items()
                return {key: self._make_value(each) for key, each in given if key in needed or chance.random() < 0.4}
            case "array":
                return [self._make_value(schema.get("items", {})) for _ in range(chance.choice((0, 1, 2)))]
            case "integer":
                return chance.choice((1, 2, 3, chance.choice(NUMBERS)))
            case "string":
                return chance.choice(("as", "en", "Noun", "a", "পানী", "1", chance.choice(TEXTS)))
            case "null":
                return None
        return chance.choice(JSON_VALUES)
