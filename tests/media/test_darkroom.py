import asyncio
import io
from collections.abc import Iterator

import pytest
from PIL import Image

from abhidhan.domain.photos import Refusal, RefusedPhotoError
from abhidhan.errors import UnavailableError
from abhidhan.media.darkroom import Assistant, Darkroom
from tests.support.contributing import photo_bytes


@pytest.fixture
def assistant() -> Iterator[Assistant]:
    """Develop photos in another process."""
    made = Assistant()
    yield made
    made.dismiss()


def test_a_photo_is_developed_in_another_process(assistant: Assistant) -> None:
    assert assistant.develop(photo_bytes("PNG")).format == "PNG"
    assert assistant.develop(photo_bytes("GIF")).format == "GIF"


def test_a_refusal_comes_back_as_what_it_is(assistant: Assistant) -> None:
    for _ in range(2):
        with pytest.raises(RefusedPhotoError) as caught:
            assistant.develop(b"<html>")
        assert caught.value.refusal is Refusal.NOT_A_PHOTO


def test_a_large_image_of_forty_megapixels_fits_into_the_memory_that_a_process_may_have(assistant: Assistant) -> None:
    made = io.BytesIO()
    Image.new("RGBA", (8000, 5000), (1, 2, 3, 4)).save(made, "PNG", compress_level=1)

    assert assistant.develop(made.getvalue()).width == 8000


def test_a_program_that_dies_is_started_again(assistant: Assistant, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as changed:
        changed.setattr("abhidhan.media.darkroom.COMMAND", ("-c", "import os; os.abort()"))
        with pytest.raises(UnavailableError):
            assistant.develop(photo_bytes())

    assert assistant.develop(photo_bytes()).format == "JPEG"


def test_a_program_that_cannot_start_is_503(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nonexistent/python")

    with pytest.raises(UnavailableError):
        Assistant().develop(photo_bytes())


def test_a_decoder_that_crashes_is_the_photos_fault(assistant: Assistant, monkeypatch: pytest.MonkeyPatch) -> None:
    crashing = "import os; from abhidhan.media import images; images.develop = lambda _: os.abort(); images.main()"
    monkeypatch.setattr("abhidhan.media.darkroom.COMMAND", ("-c", crashing))

    for _ in range(2):
        with pytest.raises(RefusedPhotoError) as caught:
            assistant.develop(photo_bytes())
        assert caught.value.refusal is Refusal.BROKEN


def test_an_image_that_never_ends_is_given_up(assistant: Assistant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("abhidhan.media.darkroom.COMMAND", ("-c", "import time; time.sleep(60)"))
    monkeypatch.setattr("abhidhan.media.darkroom.PATIENCE_SECONDS", 0.2)

    with pytest.raises(RefusedPhotoError) as caught:
        assistant.develop(photo_bytes())
    assert caught.value.refusal is Refusal.TOO_SLOW


def test_several_photos_are_developed_at_once() -> None:
    async def develop_all() -> list[str]:
        darkroom = Darkroom(2)
        made = await asyncio.gather(*(darkroom.develop(photo_bytes(seed=number)) for number in range(4)))
        darkroom.close()
        return [each.sha256 for each in made]

    assert len(set(asyncio.run(develop_all()))) == 4
