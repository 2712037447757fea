import io
import struct
import zipfile
import zlib

import pytest
from PIL import Image

from abhidhan.records.people import Role
from tests.support.asgi import AsgiResponse
from tests.support.contributing import Site, encode_form, photo_bytes

MOST = 3 * 1_048_576


def parameters(answer: AsgiResponse) -> list[str]:
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


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP"])
def test_a_photo_of_each_format_waits_for_review(signed_in: Site, kind: str) -> None:
    answer = signed_in.send_photo("reader", photo_bytes(kind))

    assert answer.status == 201
    assert answer.json == {
        "success": True,
        "submission_id": 1,
        "status": "pending_review",
        "idea_id": 1,
        "word_submission_id": None,
        "licence": "CC BY-SA 4.0",
    }
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("role", Role)
def test_everybody_who_is_signed_in_may_submit(site: Site, role: Role) -> None:
    site.add("somebody", role)

    assert site.send_photo("somebody", photo_bytes()).status == 201


def test_nobody_else_may_whatever_is_sent(signed_in: Site) -> None:
    signed_in.cookies["thief"] = "x" * 43

    assert signed_in.send_photo(None, photo_bytes()).status == 401
    assert signed_in.send_photo("thief", photo_bytes()).status == 401
    assert signed_in.send_photo(None, b"x" * MOST * 2, headers={"Sec-Fetch-Site": "cross-site"}).status == 401
    assert nothing_is_stored(signed_in)


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"}]
)
def test_another_site_cannot_submit(signed_in: Site, headers: dict[str, str]) -> None:
    assert signed_in.send_photo("reader", b"not even a photo", headers=headers).status == 403


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"ideaID": "abc"}, ["ideaID"]),
        ({"ideaID": ""}, ["ideaID"]),
        ({"ideaID": "999999"}, ["ideaID"]),
        ({"photoCredit": "x"}, ["photoCredit"]),
        ({"photoCredit": "   x  "}, ["photoCredit"]),
        ({"photoCredit": "y" * 201}, ["photoCredit"]),
        ({"photoCredit": "y" * 10_000}, ["photoCredit"]),
        ({"photoCredit": b"\xff\xfe"}, ["photoCredit"]),
        ({"ideaID": "1.5", "photoCredit": ""}, ["ideaID", "photoCredit"]),
    ],
)
def test_wrong_fields_are_named(signed_in: Site, fields: dict[str, str], named: list[str]) -> None:
    answer = signed_in.send_photo("reader", photo_bytes(), fields=fields)

    assert (answer.status, parameters(answer)) == (400, named)
    assert nothing_is_stored(signed_in)


def test_everything_that_is_wrong_is_told_at_once(signed_in: Site) -> None:
    answer = signed_in.send_photo("reader", b"no photo", fields={"ideaID": "x", "photoCredit": "x"})

    assert parameters(answer) == ["ideaID", "photoCredit", "photo"]


def test_missing_fields_are_told_at_once(signed_in: Site) -> None:
    body, kind = encode_form({}, None)

    answer = signed_in.ask("POST", "/api/submit-foto.php", by="reader", body=body, headers={"Content-Type": kind})

    assert (answer.status, parameters(answer)) == (400, ["ideaID", "photoCredit", "photo"])


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"", "", 400),
        (b"ideaID=1&photoCredit=Somebody", "application/x-www-form-urlencoded", 400),
        (b"x=%ff", "application/x-www-form-urlencoded", 400),
        (b"{}", "application/json", 415),
        (b"x", "multipart/form-data", 400),
        (b"x", "multipart/form-data; boundary=b", 400),
        (b"--b\r\nbroken", "multipart/form-data; boundary=b", 400),
        (b'--b\r\nContent-Disposition: form-data; name="photo"\r\n\r\ncut off', "multipart/form-data; boundary=b", 400),
    ],
)
def test_other_bodies_are_refused_in_words(signed_in: Site, body: bytes, kind: str, status: int) -> None:
    answer = signed_in.ask("POST", "/api/submit-foto.php", by="reader", body=body, headers={"Content-Type": kind})

    assert answer.status == status
    assert answer.json["success"] is False


def test_a_photo_of_exactly_three_megabytes_is_taken_and_one_byte_more_is_not(signed_in: Site) -> None:
    photo = photo_bytes()
    exactly = photo + b"\0" * (MOST - len(photo))

    taken = signed_in.send_photo("reader", exactly)
    refused = signed_in.send_photo("reader", exactly + b"\0")

    assert taken.status == 201
    assert (refused.status, parameters(refused)) == (400, ["photo"])
    assert "3 MB" in refused.json["detail"]


def test_fields_after_a_photo_that_is_too_big_are_not_called_missing(signed_in: Site) -> None:
    big, kind = encode_form({}, b"x" * (MOST + 1))
    body = big.replace(b"--\r\n", b'\r\nContent-Disposition: form-data; name="ideaID"\r\n\r\n1\r\n')

    answer = signed_in.ask("POST", "/api/submit-foto.php", by="reader", body=body, headers={"Content-Type": kind})

    assert (answer.status, parameters(answer)) == (400, ["photo"])


def test_a_photo_that_is_far_too_big_is_told_so(signed_in: Site) -> None:
    answer = signed_in.send_photo("reader", b"x" * MOST * 3)

    assert (answer.status, parameters(answer)) == (400, ["photo"])
    assert "3 MB" in answer.json["detail"]


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


@pytest.mark.parametrize(
    "content",
    [
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<!doctype html><script>alert(1)</script>",
        b"GIF89a<script>alert(1)</script>",
        b"%PDF-1.7",
        b"\0\0\0\x18ftypheic\0\0\0\0",
        b"\xff\xd8\xff\xe0 not really a JPEG \xff\xd9",
        b"\x89PNG\r\n\x1a\n",
        photo_bytes("BMP"),
        photo_bytes("TIFF"),
        photo_bytes("PPM"),
        photo_bytes("ICO"),
    ],
)
def test_what_only_claims_to_be_a_photo_is_refused(signed_in: Site, content: bytes) -> None:
    answer = signed_in.send_photo("reader", content)

    assert (answer.status, parameters(answer)) == (400, ["photo"])
    assert nothing_is_stored(signed_in)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP"])
def test_a_photo_that_is_cut_off_is_refused(signed_in: Site, kind: str) -> None:
    photo = photo_bytes(kind)

    statuses = [
        signed_in.send_photo("reader", photo[:length]).status for length in (len(photo) // 2, len(photo) - 2, 30)
    ]

    assert statuses == [400, 400, 400]


def zipped() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("evil.html", "<script>alert(1)</script>")
    return made.getvalue()


@pytest.mark.parametrize(
    ("kind", "behind"),
    [("GIF", b"<html><script>alert(1)</script></html>"), ("JPEG", zipped()), ("PNG", b"<?php evil() ?>")],
)
def test_nothing_of_what_hides_behind_a_photo_is_kept(signed_in: Site, kind: str, behind: bytes) -> None:
    answer = signed_in.send_photo("reader", photo_bytes(kind) + behind)

    assert answer.status == 201
    for file in (signed_in.home / "photos").rglob("*.*"):
        content = file.read_bytes()
        assert b"script" not in content
        assert b"php" not in content
        assert not zipfile.is_zipfile(io.BytesIO(content))


def test_the_senders_file_name_is_never_used(signed_in: Site) -> None:
    body, kind = encode_form({"ideaID": "1", "photoCredit": "Somebody"}, photo_bytes(), "../../../etc/x\x00<b>.php")

    answer = signed_in.ask("POST", "/api/submit-foto.php", by="reader", body=body, headers={"Content-Type": kind})

    assert answer.status == 201
    names = [file.name for file in signed_in.home.rglob("*.*") if file.is_file()]
    assert all(name.rpartition(".")[2] in {"jpg", "webp"} for name in names), names


def test_ten_thousand_fields_are_refused(signed_in: Site) -> None:
    body, kind = encode_form({f"field{number}": "x" for number in range(10_000)}, photo_bytes())

    answer = signed_in.ask("POST", "/api/submit-foto.php", by="reader", body=body, headers={"Content-Type": kind})

    assert answer.status == 400


def test_of_a_repeated_field_the_last_counts(signed_in: Site) -> None:
    body, kind = encode_form({"ideaID": "x", "photoCredit": "Somebody"}, photo_bytes())
    last = b'\r\nContent-Disposition: form-data; name="ideaID"\r\n\r\n2\r\n--' + kind.partition("=")[2].encode()

    answer = signed_in.ask(
        "POST", "/api/submit-foto.php", by="reader", body=body[:-4] + last + b"--\r\n", headers={"Content-Type": kind}
    )

    assert answer.json["idea_id"] == 2


def test_a_repeated_request_of_one_key_is_one_submission(signed_in: Site) -> None:
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


def test_a_photo_taken_upright_by_a_camera_held_sideways_is_turned(signed_in: Site) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    signed_in.send_photo("reader", photo_bytes("JPEG", exif=exif))

    entry = signed_in.ask("GET", "/api/photos/1", by="reader").json

    assert (entry["width"], entry["height"]) == (48, 64)
