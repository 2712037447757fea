from abhidhan.platform.http.response import matches_etag


def test_an_etag_is_not_matched_by_a_part_of_it() -> None:
    assert not matches_etag(b'"abc"', b'"ab"')
    assert not matches_etag(b'"abc"', b'*, "ab"')
