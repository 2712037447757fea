import pytest

from abhidhan.web.edge.policies import is_for_anybody, policy_of


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
        ("/api/docs", False, False),
        ("/api/docs/build-an-app", False, False),
        ("/api/docs/docs.css", True, True),
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


SIGNED_IN = {b"cookie": b"theme=dark; abhidhan=secret"}


@pytest.mark.parametrize(
    ("path", "method", "headers", "for_anybody"),
    [
        ("/api/dic.php", "GET", {}, True),
        ("/api/words/1", "HEAD", {b"cookie": b"theme=dark"}, True),
        ("/dic/word", "GET", {}, True),
        ("/", "GET", {}, True),
        ("/", "GET", SIGNED_IN, False),
        ("/api/dic.php", "GET", SIGNED_IN, False),
        ("/api/dic.php", "GET", {b"authorization": b"Bearer token"}, False),
        ("/api/dic.php", "POST", {}, False),
        # Who was sent a link of an invitation, or follows changes, asks for what was written just now.
        ("/invitation/secret", "GET", {}, False),
        ("/api/changes", "GET", {}, False),
        ("/api/session", "GET", {}, False),
        ("/photos/1.jpg", "GET", {}, False),
        ("/health/ready", "GET", {}, False),
    ],
)
def test_only_what_is_the_same_for_anybody_is_read_from_a_standby(
    path: str, method: str, headers: dict[bytes, bytes], *, for_anybody: bool
) -> None:
    assert is_for_anybody(policy_of(path), method, headers) is for_anybody
