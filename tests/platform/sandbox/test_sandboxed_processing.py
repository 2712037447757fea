import asyncio
import io
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from abhidhan.platform.sandbox.media_headers import read_image_size
from abhidhan.platform.sandbox.memory_budget import UNIT_BYTES, MemoryBudget
from abhidhan.platform.sandbox.sandboxed_processing import PHOTO_KIND, DecoderProcess, UploadProcessor
from abhidhan.records.errors import UnavailableError
from abhidhan.records.photos import MAX_PHOTO_MEMORY_BYTES, ProcessedPhoto, estimate_photo_memory
from abhidhan.records.uploads import RefusedFileError, UploadRefusal
from tests.support.contributions import photo_bytes

pytestmark = pytest.mark.thorough

PhotoDecoder = DecoderProcess[ProcessedPhoto]

IMPORT = "from abhidhan.platform.sandbox import decoder_process"


@pytest.fixture
def decoder() -> Iterator[PhotoDecoder]:
    """Process photos in another process."""
    made = DecoderProcess(PHOTO_KIND)
    yield made
    made.stop()


def test_a_photo_is_processed_in_another_process(decoder: PhotoDecoder) -> None:
    assert decoder.process(photo_bytes("PNG"), MAX_PHOTO_MEMORY_BYTES).format == "PNG"
    assert decoder.process(photo_bytes("GIF"), MAX_PHOTO_MEMORY_BYTES).format == "GIF"


def test_a_rejected_file_is_reported_with_the_reason(decoder: PhotoDecoder) -> None:
    for _ in range(2):
        with pytest.raises(RefusedFileError) as caught:
            decoder.process(b"<html>", MAX_PHOTO_MEMORY_BYTES)
        assert caught.value.refusal is UploadRefusal.NOT_A_PHOTO


def test_a_decoder_that_dies_is_restarted(decoder: PhotoDecoder, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as changed:
        changed.setattr("abhidhan.platform.sandbox.sandboxed_processing.COMMAND", ("-c", "import os; os.abort()"))
        with pytest.raises(UnavailableError):
            decoder.process(photo_bytes(), MAX_PHOTO_MEMORY_BYTES)

    assert decoder.process(photo_bytes(), MAX_PHOTO_MEMORY_BYTES).format == "JPEG"


def test_a_decoder_that_cannot_start_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nonexistent/python")

    with pytest.raises(UnavailableError):
        DecoderProcess(PHOTO_KIND).process(photo_bytes(), MAX_PHOTO_MEMORY_BYTES)


def test_a_photo_that_crashes_the_decoder_is_rejected(decoder: PhotoDecoder, monkeypatch: pytest.MonkeyPatch) -> None:
    crashing = f"import os; {IMPORT}; decoder_process.process_files(lambda _: os.abort())"
    monkeypatch.setattr("abhidhan.platform.sandbox.sandboxed_processing.COMMAND", ("-c", crashing))

    for _ in range(2):
        with pytest.raises(RefusedFileError) as caught:
            decoder.process(photo_bytes(), MAX_PHOTO_MEMORY_BYTES)
        assert caught.value.refusal is UploadRefusal.BROKEN


def test_decoding_is_aborted_after_the_time_limit(decoder: PhotoDecoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("abhidhan.platform.sandbox.sandboxed_processing.COMMAND", ("-c", "import time; time.sleep(60)"))
    monkeypatch.setattr("abhidhan.platform.sandbox.sandboxed_processing.TIMEOUT_SECONDS", 0.2)

    with pytest.raises(RefusedFileError) as caught:
        decoder.process(photo_bytes(), MAX_PHOTO_MEMORY_BYTES)
    assert caught.value.refusal is UploadRefusal.TOO_SLOW


def test_a_decoder_cannot_exceed_its_memory_limit(decoder: PhotoDecoder) -> None:
    made = io.BytesIO()
    Image.new("RGB", (4000, 3000)).save(made, "PNG")

    assert decoder.process(made.getvalue(), estimate_photo_memory(read_image_size(made.getvalue()))).width == 4000
    with pytest.raises(RefusedFileError) as caught:
        decoder.process(made.getvalue(), 30_000_000)
    assert caught.value.refusal is UploadRefusal.TOO_MANY_PIXELS


def make_largest_photo(kind: str) -> bytes:
    """Make the image of 40 megapixels that costs most memory of its kind."""
    made = io.BytesIO()
    turned = Image.Exif()
    turned[0x0112] = 6
    options: dict[str, dict[str, Any]] = {
        "JPEG": {"quality": 5, "progressive": True, "subsampling": 0, "exif": turned},
        "PNG": {"compress_level": 1, "exif": turned},
        "GIF": {},
        "WEBP": {"lossless": True, "method": 0, "exif": turned},
    }
    mode = {"JPEG": "RGB", "PNG": "RGBA", "GIF": "P", "WEBP": "RGBA"}[kind]
    Image.new(mode, (8000, 5000)).save(made, kind, **options[kind])
    return made.getvalue()


def test_forty_megapixels_of_every_format_fit_into_the_estimated_memory(decoder: PhotoDecoder) -> None:
    for kind in ("JPEG", "PNG", "GIF", "WEBP"):
        photo = make_largest_photo(kind)

        assert decoder.process(photo, estimate_photo_memory(read_image_size(photo))).format == kind


@pytest.mark.parametrize("hanging", ["time.sleep(1000)", "list(iter(int, 1))"])
def test_a_decoder_that_hangs_ends_by_itself(
    decoder: PhotoDecoder, monkeypatch: pytest.MonkeyPatch, hanging: str
) -> None:
    program = (
        f"import time; {IMPORT}; decoder_process.TIMEOUT_SECONDS = 1; decoder_process.MAX_CPU_SECONDS = 1;"
        f"decoder_process.process_files(lambda _: {hanging})"
    )
    monkeypatch.setattr("abhidhan.platform.sandbox.sandboxed_processing.COMMAND", ("-c", program))

    with pytest.raises(RefusedFileError) as caught:
        decoder.process(photo_bytes(), MAX_PHOTO_MEMORY_BYTES)
    assert caught.value.refusal is UploadRefusal.TOO_SLOW


def list_processes(group: int) -> list[int]:
    """List the processes of a group that still run."""
    found = subprocess.run(["ps", "-eo", "pid=,pgid=,stat="], capture_output=True, text=True, check=True).stdout  # noqa: S607
    rows = [line.split() for line in found.splitlines()]
    return [int(pid) for pid, own, state in rows if int(own) == group and not state.startswith("Z")]


def wait_until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "the condition was not met in time"
        time.sleep(0.02)


HANGING = f"import time; {IMPORT}; decoder_process.process_files(lambda _: time.sleep(60))"


def test_a_decoder_ends_with_its_worker(tmp_path: Path) -> None:
    group = tmp_path / "group"
    program = (
        "import sys, pathlib; from abhidhan.platform.sandbox import sandboxed_processing;"
        f"sandboxed_processing.COMMAND = ('-c', {HANGING!r});"
        "decoder = sandboxed_processing.DecoderProcess(sandboxed_processing.PHOTO_KIND);"
        "process = decoder._ensure_running();"
        "pathlib.Path(sys.argv[1]).write_text(str(process.pid)); decoder.process(b'photo', 1)"
    )
    worker = subprocess.Popen([sys.executable, "-c", program, str(group)])  # noqa: S603  # a program of our own
    wait_until(lambda: group.exists() and group.read_text() and len(list_processes(int(group.read_text()))) == 2)
    worker.kill()
    worker.wait()

    wait_until(lambda: not list_processes(int(group.read_text())))


def test_the_decoder_ends_when_decoding_is_aborted(decoder: PhotoDecoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("abhidhan.platform.sandbox.sandboxed_processing.COMMAND", ("-c", HANGING))
    monkeypatch.setattr("abhidhan.platform.sandbox.sandboxed_processing.TIMEOUT_SECONDS", 2)
    group = decoder._ensure_running().pid  # noqa: SLF001  # to know whose processes to look for

    with pytest.raises(RefusedFileError):
        decoder.process(photo_bytes(), MAX_PHOTO_MEMORY_BYTES)
    wait_until(lambda: not list_processes(group))


def test_a_photo_that_waits_too_long_for_memory_is_rejected_with_a_time_to_retry(tmp_path: Path) -> None:
    budget = MemoryBudget(tmp_path / "memory", UNIT_BYTES)
    processor = UploadProcessor(PHOTO_KIND, 1, budget, max_wait_seconds=0.05)

    with budget.reserve(UNIT_BYTES, 0), pytest.raises(UnavailableError) as caught:
        asyncio.run(processor.process(photo_bytes()))
    assert caught.value.retry_after > 0
    assert asyncio.run(processor.process(photo_bytes())).format == "JPEG"
    processor.close()


def test_photos_beyond_the_queue_length_are_rejected(tmp_path: Path) -> None:
    budget = MemoryBudget(tmp_path / "memory", UNIT_BYTES)
    processor = UploadProcessor(PHOTO_KIND, 1, budget, max_waiting=2)

    async def send_many() -> list[object]:
        with budget.reserve(UNIT_BYTES, 0):
            work = [asyncio.create_task(processor.process(photo_bytes(seed=number))) for number in range(5)]
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            refused = [each for each in work if each.done()]
        return [len(refused), *await asyncio.gather(*work, return_exceptions=True)]

    refused, *results = asyncio.run(send_many())
    processor.close()

    assert refused == 2
    assert [type(each).__name__ for each in results] == ["ProcessedPhoto"] * 3 + ["UnavailableError"] * 2


def test_a_too_large_photo_is_rejected_without_waiting_for_memory(tmp_path: Path) -> None:
    budget = MemoryBudget(tmp_path / "memory", UNIT_BYTES)
    processor = UploadProcessor(PHOTO_KIND, 1, budget)
    wide = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (40_000_000).to_bytes(4) + (1).to_bytes(4) + bytes(9)

    with budget.reserve(UNIT_BYTES, 0), pytest.raises(RefusedFileError) as caught:
        asyncio.run(processor.process(wide))
    assert caught.value.refusal is UploadRefusal.TOO_LONG
    processor.close()


def test_several_photos_are_processed_concurrently() -> None:
    async def process_all() -> list[str]:
        processor = UploadProcessor(PHOTO_KIND, 2)
        made = await asyncio.gather(*(processor.process(photo_bytes(seed=number)) for number in range(4)))
        processor.close()
        return [each.sha256 for each in made]

    assert len(set(asyncio.run(process_all()))) == 4
