from collections.abc import Callable

from tests.support.asgi import AsgiResponse

Ask = Callable[..., AsgiResponse]


def test_nobody_submits_a_photo_without_signing_in(api: Ask) -> None:
    answered = api("/api/submit-foto.php", method="POST", body=b"anything")

    assert answered.status == 401
    assert answered.headers["content-type"] == "application/problem+json"
    assert "access-control-allow-origin" not in answered.headers
    assert answered.headers["cache-control"] == "no-store"
