from abhidhan.platform.http.policies import get_policy, may_write

POLICIES = (
    # path, whether other sites may read it, whether it may be cached
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
    ("/api/docs", False, True),
    ("/api/docs/build-an-app", False, True),
    ("/api/docs/docs.css", True, True),
    ("/api/recordings/7", False, False),
    ("/recordings/7.mp3", False, False),
    ("/health/live", True, False),
    ("/metrics", False, False),
    ("/dic/api", False, True),
    ("/recent", False, True),
    ("/downloads", False, False),
    ("/account/sign-in", False, False),
)


def test_each_address_has_its_policy() -> None:
    for path, allows_cors, is_cacheable in POLICIES:
        policy = get_policy(path)

        assert (policy.allows_cors, policy.is_cacheable) == (allows_cors, is_cacheable), path


def test_a_lookup_by_post_does_not_count_as_a_write() -> None:
    assert not any(may_write("POST", path) for path in ("/api/lookup", "/api/lookup/", "/mcp", "/settings"))
    assert not may_write("OPTIONS", "/api/session")
    assert all(may_write(method, "/api/session") for method in ("POST", "DELETE"))
