from abhidhan.web.edge.response import is_among


def test_is_among_does_not_take_a_part_for_the_whole() -> None:
    assert not is_among(b'"abc"', b'"ab"')
    assert not is_among(b'"abc"', b'*, "ab"')
