import pytest

from abhidhan.records.errors import InputError
from abhidhan.records.sources import check_licence, licence_url

LICENCES = (
    ("CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    ("CC BY 3.0", "https://creativecommons.org/licenses/by/3.0/"),
    ("CC BY-NC-SA 4.0", "https://creativecommons.org/licenses/by-nc-sa/4.0/"),
    ("CC0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    ("CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    ("CC BY-SA", None),
    ("CC BY-SA-NC 4.0", None),
    ("javascript:alert(1)", None),
    ("Our own terms", None),
)


def test_a_creative_commons_licence_is_linked_to_its_text() -> None:
    for name, address in LICENCES:
        assert licence_url(name) == address, name


def test_a_submission_is_accepted_under_the_licence_that_was_shown() -> None:
    assert [check_licence("CC0", seen) for seen in (None, "", "CC0")] == ["CC0"] * 3
    with pytest.raises(InputError, match="is now CC0"):
        check_licence("CC0", "CC BY-SA 4.0")
