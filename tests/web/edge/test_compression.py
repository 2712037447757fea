import pytest

from abhidhan.web.edge.compression import accepts_gzip


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("gzip", True),
        ("GZip", True),
        ("x-gzip", True),
        ("br, gzip;q=0.5", True),
        ("*", True),
        ("identity;q=0", False),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip;q=0.000", False),
        ("gzip; q=0, *", False),
        ("*;q=0", False),
        ("gzip;q=0.2, identity", False),
        ("gzip;q=nonsense", False),
        ("gzip;q=1e9", False),
    ],
)
def test_accept_encoding_is_read_with_its_qualities(header: str, *, wanted: bool) -> None:
    assert accepts_gzip(header.encode()) is wanted
