import pytest

from abhidhan.web.edge.policies import policy_of


@pytest.mark.parametrize(
    ("path", "cors", "kept"),
    [
        ("/api/dic.php", True, True),
        ("//api/dic.php", True, True),
        ("/api/dic-wiki.php", True, False),
        ("/api/photos", False, False),
        ("/api//photos/7", False, False),
        ("/api/review/unchecked", False, False),
        ("/api/random", True, False),
        ("/api/today", True, True),
        ("/api/photosynthesis", True, True),
        ("/api/lookup", True, False),
        ("/photos/7.webp", False, False),
        ("/api/recordings/7", False, False),
        ("/recordings/7.mp3", False, False),
        ("/health/live", True, False),
        ("/metrics", False, False),
        ("/dic/api", False, False),
    ],
)
def test_each_address_has_its_policy(path: str, *, cors: bool, kept: bool) -> None:
    policy = policy_of(path)

    assert (policy.cors, policy.kept) == (cors, kept)
