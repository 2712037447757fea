import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.web.edge.negotiation import prefers_linked_data

BROWSER = b"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accepted", "otherwise", "linked"),
    [
        (b"application/ld+json", "application/json", True),
        (b"Application/LD+JSON", "text/html", True),
        (b'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"', "text/html", True),
        (b"application/ld+json, application/json", "application/json", True),
        (b"application/ld+json;q=0.5, application/json", "application/json", False),
        (b"application/ld+json;q=0.5, application/json;q=0.4, */*;q=0.9", "application/json", True),
        (b"application/ld+json;q=0.5, application/*;q=0.6", "application/json", False),
        (b"application/ld+json;q=0.5, */*;q=0.1", "text/html", True),
        (b"application/ld+json;q=0", "application/json", False),
        (b"application/ld+json;q=wrong", "application/json", False),
        (b"application/json", "application/json", False),
        (b"*/*", "application/json", False),
        (b"application/*", "application/json", False),
        (b"", "application/json", False),
        (BROWSER, "text/html", False),
        (b"application/ld+jsonx", "text/html", False),
    ],
)
def test_linked_data_is_for_who_asks_for_it_by_name(accepted: bytes, otherwise: str, *, linked: bool) -> None:
    assert prefers_linked_data(accepted, otherwise) is linked


@given(st.binary())
def test_any_header_can_be_read(accepted: bytes) -> None:
    prefers_linked_data(accepted, "application/json")
