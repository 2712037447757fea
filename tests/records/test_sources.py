import pytest

from abhidhan.records.errors import InputError
from abhidhan.records.sources import check_licence, licence_url


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
        ("CC BY 3.0", "https://creativecommons.org/licenses/by/3.0/"),
        ("CC BY-NC-SA 4.0", "https://creativecommons.org/licenses/by-nc-sa/4.0/"),
        ("CC0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("CC BY-SA", None),
        ("CC BY-SA-NC 4.0", None),
        ("javascript:alert(1)", None),
        ("Our own terms", None),
    ],
)
def test_the_text_of_a_known_licence_is_where_creative_commons_has_it(name: str, address: str | None) -> None:
    assert licence_url(name) == address


@pytest.mark.parametrize("seen", [None, "", "CC0"])
def test_who_has_seen_the_licence_or_says_nothing_of_it_gives_under_it(seen: str | None) -> None:
    assert check_licence("CC0", seen) == "CC0"


def test_nobody_gives_under_a_licence_that_they_have_not_seen() -> None:
    with pytest.raises(InputError, match="is now CC0"):
        check_licence("CC0", "CC BY-SA 4.0")
