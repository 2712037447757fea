import io
import struct
import zipfile
import zlib
from typing import Final

import pytest

from abhidhan.records.people import Role
from tests.support.asgi import AsgiResponse
from tests.support.contributions import Site, encode_form, photo_bytes

MOST = 3 * 1_048_576


def error_parameters(answer: AsgiResponse) -> list[str]:
    return [problem["parameter"] for problem in answer.json["errors"]]


def nothing_is_stored(site: Site) -> bool:
    rows = site.ask("GET", "/api/photos", by="editor").json["total"]
    return not rows and not [file for file in (site.home / "photos").rglob("*") if file.is_file()]


@pytest.fixture
def signed_in(open_site: Site) -> Site:
    """Let a reader and an editor sign in."""
    open_site.add("reader")
    open_site.add("editor", Role.EDITOR)
    return open_site


def test_photos_of_every_format_wait_for_review(signed_in: Site, subtests: pytest.Subtests) -> None:
    for number, kind in enumerate(("JPEG", "PNG", "GIF", "WEBP"), 1):
        with subtests.test(kind):
            answer = signed_in.send_photo("reader", photo_bytes(kind, seed=number))

            assert answer.status == 201
            assert answer.json == {
                "success": True,
                "submission_id": number,
                "status": "pending_review",
                "idea_id": 1,
                "word_submission_id": None,
                "licence": "CC BY-SA 4.0",
            }
            assert answer.headers["cache-control"] == "no-store"


def test_users_of_every_role_may_submit(site: Site) -> None:
    for role in Role:
        site.add(str(role), role)
        assert site.send_photo(str(role), photo_bytes()).status == 201, role


def test_visitors_without_a_session_may_not_submit(signed_in: Site) -> None:
    signed_in.cookies["thief"] = "x" * 43

    refused = signed_in.send_photo(None, photo_bytes())
    assert (refused.status, refused.headers["content-type"]) == (401, "application/problem+json")
    assert refused.headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in refused.headers
    assert signed_in.send_photo("thief", photo_bytes()).status == 401
    assert signed_in.send_photo(None, b"x" * MOST * 2, headers={"Sec-Fetch-Site": "cross-site"}).status == 401
    assert nothing_is_stored(signed_in)


def test_requests_from_other_sites_are_refused(signed_in: Site) -> None:
    for name, value in (
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
        ("Origin", "https://evil.example"),
    ):
        assert signed_in.send_photo("reader", b"not even a photo", headers={name: value}).status == 403, value


WRONG_FIELDS: Final[tuple[tuple[dict[str, str | bytes], list[str]], ...]] = (
    ({"ideaID": "abc"}, ["ideaID"]),
    ({"ideaID": ""}, ["ideaID"]),
    ({"ideaID": "999999"}, ["ideaID"]),
    ({"photoCredit": "x"}, ["photoCredit"]),
    ({"photoCredit": "   x  "}, ["photoCredit"]),
    ({"photoCredit": "y" * 201}, ["photoCredit"]),
    ({"photoCredit": "y" * 10_000}, ["photoCredit"]),
    ({"photoCredit": b"\xff\xfe"}, ["photoCredit"]),
    ({"ideaID": "1.5", "photoCredit": ""}, ["ideaID", "photoCredit"]),
)


def test_all_wrong_and_missing_fields_are_named(signed_in: Site, subtests: pytest.Subtests) -> None:
    for fields, names in WRONG_FIELDS:
        with subtests.test(str(fields)):
            answer = signed_in.send_photo("reader", photo_bytes(), fields=fields)
            assert (answer.status, error_parameters(answer)) == (400, names)
            assert nothing_is_stored(signed_in)
    every = ["ideaID", "photoCredit", "photo"]
    body, kind = encode_form({}, None)
    missing = signed_in.ask("POST", "/api/submit-foto.php", by="reader", body=body, headers={"Content-Type": kind})
    wrong = signed_in.send_photo("reader", b"no photo", fields={"ideaID": "x", "photoCredit": "x"})

    assert (missing.status, error_parameters(missing), error_parameters(wrong)) == (400, every, every)
    assert nothing_is_stored(signed_in)


OTHER_BODIES: Final[tuple[tuple[bytes, str, int], ...]] = (
    (b"", "", 400),
    (b"ideaID=1&photoCredit=Somebody", "application/x-www-form-urlencoded", 400),
    (b"x=%ff", "application/x-www-form-urlencoded", 400),
    (b"{}", "application/json", 415),
    (b"x", "multipart/form-data", 400),
    (b"x", "multipart/form-data; boundary=b", 400),
    (b"--b\r\nbroken", "multipart/form-data; boundary=b", 400),
    (b'--b\r\nContent-Disposition: form-data; name="photo"\r\n\r\ncut off', "multipart/form-data; boundary=b", 400),
)


def test_other_request_bodies_are_refused(signed_in: Site, subtests: pytest.Subtests) -> None:
    for body, kind, status in OTHER_BODIES:
        with subtests.test(kind or repr(body)):
            answer = signed_in.ask(
                "POST", "/api/submit-foto.php", by="reader", body=body, headers={"Content-Type": kind}
            )

            assert answer.status == status
            assert answer.json["success"] is False
    many, kind = encode_form({f"field{number}": "x" for number in range(10_000)}, photo_bytes())
    headers = {"Content-Type": kind}
    assert signed_in.ask("POST", "/api/submit-foto.php", by="reader", body=many, headers=headers).status == 400


def test_photos_up_to_three_megabytes_are_accepted(signed_in: Site) -> None:
    photo = photo_bytes()
    exactly = photo + b"\0" * (MOST - len(photo))

    assert signed_in.send_photo("reader", exactly).status == 201
    for too_large in (exactly + b"\0", b"x" * MOST * 3):
        refused = signed_in.send_photo("reader", too_large)
        assert (refused.status, error_parameters(refused)) == (400, ["photo"])
        assert "3 MB" in refused.json["detail"]


def test_fields_after_a_photo_that_is_too_large_are_not_reported_as_missing(signed_in: Site) -> None:
    big, kind = encode_form({}, b"x" * (MOST + 1))
    body = big.replace(b"--\r\n", b'\r\nContent-Disposition: form-data; name="ideaID"\r\n\r\n1\r\n')

    answer = signed_in.ask("POST", "/api/submit-foto.php", by="reader", body=body, headers={"Content-Type": kind})

    assert (answer.status, error_parameters(answer)) == (400, ["photo"])


def bomb() -> bytes:
    """Make a PNG of 50,000 by 50,000 pixels that is a few kilobytes long."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(b"\0" * 6251) for _ in range(50_000)) + packer.flush()
    header = struct.pack(">IIBBBBB", 50_000, 50_000, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_a_decompression_bomb_is_refused_without_being_unpacked(signed_in: Site) -> None:
    sent = bomb()
    assert len(sent) < 400_000

    answer = signed_in.send_photo("reader", sent)

    assert answer.status == 400
    assert "megapixels" in answer.json["detail"]


NOT_PHOTOS: Final = (
    b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    b"<!doctype html><script>alert(1)</script>",
    b"GIF89a<script>alert(1)</script>",
    b"%PDF-1.7",
    b"\0\0\0\x18ftypheic\0\0\0\0",
    b"\xff\xd8\xff\xe0 not really a JPEG \xff\xd9",
    b"\x89PNG\r\n\x1a\n",
    *(photo_bytes(kind) for kind in ("BMP", "TIFF", "PPM", "ICO")),
    *(photo_bytes(kind)[:end] for kind in ("JPEG", "PNG", "GIF", "WEBP") for end in (30, 200, -2)),
)


def test_files_that_are_not_complete_photos_of_an_accepted_format_are_refused(
    signed_in: Site, subtests: pytest.Subtests
) -> None:
    for content in NOT_PHOTOS:
        with subtests.test(start=content[:20], length=len(content)):
            answer = signed_in.send_photo("reader", content)
            assert (answer.status, error_parameters(answer)) == (400, ["photo"])
            assert nothing_is_stored(signed_in)


def zip_archive() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("evil.html", "<script>alert(1)</script>")
    return made.getvalue()


def test_data_behind_a_photo_are_not_stored(signed_in: Site) -> None:
    hidden = {
        "GIF": b"<html><script>alert(1)</script></html>",
        "JPEG": zip_archive(),
        "PNG": b"<?php evil() ?>",
    }
    for seed, (kind, behind) in enumerate(hidden.items(), 1):
        assert signed_in.send_photo("reader", photo_bytes(kind, seed=seed) + behind).status == 201, kind
    files = [file for file in (signed_in.home / "photos").rglob("*.*") if file.is_file()]
    assert len(files) == 6, "each photo has a thumbnail"
    for file in files:
        content = file.read_bytes()
        assert b"script" not in content
        assert b"php" not in content
        assert not zipfile.is_zipfile(io.BytesIO(content))


def test_the_file_name_of_the_sender_is_not_used(signed_in: Site) -> None:
    body, kind = encode_form({"ideaID": "1", "photoCredit": "Somebody"}, photo_bytes(), "../../../etc/x\x00<b>.php")

    answer = signed_in.ask("POST", "/api/submit-foto.php", by="reader", body=body, headers={"Content-Type": kind})

    assert answer.status == 201
    names = [file.name for file in signed_in.home.rglob("*.*") if file.is_file()]
    assert all(name.rpartition(".")[2] in {"jpg", "webp"} for name in names), names


def test_the_last_value_of_a_repeated_field_counts(signed_in: Site) -> None:
    body, kind = encode_form({"ideaID": "x", "photoCredit": "Somebody"}, photo_bytes())
    last = b'\r\nContent-Disposition: form-data; name="ideaID"\r\n\r\n2\r\n--' + kind.partition("=")[2].encode()

    answer = signed_in.ask(
        "POST", "/api/submit-foto.php", by="reader", body=body[:-4] + last + b"--\r\n", headers={"Content-Type": kind}
    )

    assert answer.json["idea_id"] == 2


def test_repeated_requests_with_one_idempotency_key_are_one_submission(signed_in: Site) -> None:
    key = {"Idempotency-Key": "a1b2"}

    ids = [signed_in.send_photo("reader", photo_bytes(), headers=key).json["submission_id"] for _ in range(3)]
    other = signed_in.send_photo("editor", photo_bytes(), headers=key)

    assert ids == [1, 1, 1]
    assert other.json["submission_id"] == 2
    assert len([file for file in (signed_in.home / "photos").rglob("*.*") if file.is_file()]) == 4


def test_a_store_that_fails_is_503_and_nothing_is_stored(signed_in: Site) -> None:
    (signed_in.home / "photos").rmdir()
    (signed_in.home / "photos").write_text("a file where a folder was")

    answer = signed_in.send_photo("reader", photo_bytes())

    assert answer.status == 503
    assert int(answer.headers["retry-after"]) > 0
    assert signed_in.ask("GET", "/api/photos", by="editor").json["total"] == 0


def test_a_credit_with_html_stays_text(signed_in: Site) -> None:
    credit = "<script>alert('ক')</script> & co"
    signed_in.send_photo("reader", photo_bytes(), fields={"photoCredit": credit})

    answer = signed_in.ask("GET", "/api/photos/1", by="reader")

    assert answer.json["credit"] == credit
    assert answer.headers["content-type"] == "application/json"
