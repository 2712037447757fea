from abhidhan.platform.http.response import matches_etag


def test_a_part_of_an_etag_does_not_match() -> None:
    assert not matches_etag(b'"abc"', b'"ab"')
    assert not matches_etag(b'"abc"', b'*, "ab"')
