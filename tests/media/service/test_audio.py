import io
import random
import struct
from collections.abc import Iterator
from typing import Final

import numpy as np
import pytest
import soundfile

from abhidhan.media.service.audio import reencode
from abhidhan.media.store.recordings import RecordingRow, have_similar_length
from abhidhan.platform.sandbox.sandboxed_processing import RECORDING_KIND, DecoderProcess
from abhidhan.records.perceptual_hash import MAX_DIFFERING_BITS, count_differing_bits
from abhidhan.records.recordings import (
    DECODING_MEMORY_BYTES,
    MAX_RECORDING_SECONDS,
    MAX_UNTRIMMED_SECONDS,
    ProcessedRecording,
)
from abhidhan.records.uploads import RefusedFileError, UploadRefusal
from tests.support.generated_recordings import SUBTYPES, AudioSamples, encode_recording, make_voice, synthesize_vowels

KINDS: Final = tuple(SUBTYPES)
LEVELS: Final = (("MP3", 0.3), ("FLAC", 0.1), ("OGG", 0.9))
"""Formats and levels in which the same recording is sent again."""


@pytest.fixture(scope="module")
def decoder() -> Iterator[DecoderProcess[ProcessedRecording]]:
    """Process recordings in another process."""
    made = DecoderProcess(RECORDING_KIND)
    yield made
    made.stop()


def process(sent: bytes) -> ProcessedRecording:
    made = reencode(sent)
    assert isinstance(made, ProcessedRecording), made
    return made


def decode(made: ProcessedRecording) -> tuple[AudioSamples, int]:
    samples, rate = soundfile.read(io.BytesIO(made.body))
    return samples, rate


def repeat_word(seconds: float, rate: int = 16_000) -> AudioSamples:
    """Make words one after the other, so many seconds of them."""
    word = make_voice(rate=rate, seconds=0.4, silence=0.05)
    return np.tile(word, round(seconds * rate / len(word)) + 1)[: round(seconds * rate)]


def decibels(value: float) -> float:
    return float(20 * np.log10(value))


def chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def wav(*chunks: bytes) -> bytes:
    body = b"WAVE" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def pcm_format(*, channels: int = 1, rate: int = 16_000, bits: int = 16, code: int = 1) -> bytes:
    block = max(1, channels * bits // 8) % 65_536
    return chunk(b"fmt ", struct.pack("<HHIIHH", code, channels, rate, rate * block % (1 << 32), block, bits))


def test_every_accepted_format_becomes_a_mono_mp3(subtests: pytest.Subtests) -> None:
    for kind in KINDS:
        with subtests.test(kind):
            recording = process(encode_recording(kind))
            samples, rate = decode(recording)

            assert samples.ndim == 1
            assert rate == 16_000
            assert recording.milliseconds == pytest.approx(1000 * len(samples) / rate, abs=60)
            assert len(recording.body) < 16_000


def test_wav_files_with_any_common_sample_format_and_opus_are_accepted() -> None:
    for subtype in ("PCM_U8", "PCM_24", "PCM_32", "FLOAT", "DOUBLE", "ULAW", "ALAW"):
        assert process(encode_recording("WAV", subtype=subtype)).milliseconds > 500, subtype
    assert process(encode_recording("OGG", subtype="OPUS")).milliseconds > 500


def test_silence_and_clicks_at_both_ends_are_trimmed_and_pauses_within_speech_are_kept() -> None:
    quiet_ends = make_voice(seconds=0.6, silence=2.0)
    clicked = quiet_ends.copy()
    clicked[1000:1100] = 0.5
    pause = np.concatenate([make_voice(silence=0.4), make_voice(silence=0.4)])

    assert 700 <= process(encode_recording(samples=quiet_ends)).milliseconds <= 1000
    assert process(encode_recording(samples=clicked)).milliseconds <= 1000
    assert process(encode_recording(samples=pause)).milliseconds >= 2000


def test_quiet_and_loud_recordings_become_equally_loud() -> None:
    sounds = [decode(process(encode_recording(samples=make_voice(level=level))))[0] for level in (0.02, 0.1, 0.9)]
    loudness = [decibels(float(np.sqrt(np.mean(np.square(each))))) for each in sounds]

    assert max(loudness) - min(loudness) < 1
    assert all(np.abs(each).max() < 1 for each in sounds)


def test_a_constant_offset_of_a_microphone_is_removed() -> None:
    samples, _ = decode(process(encode_recording(samples=make_voice() + 0.2)))

    assert abs(samples.mean()) < 0.01


def test_high_sample_rates_are_reduced_and_stereo_is_mixed_to_mono() -> None:
    left = make_voice()
    stereo = process(encode_recording(samples=np.stack([left, np.zeros_like(left)], axis=1)))
    _, rate = decode(process(encode_recording(rate=96_000)))

    assert rate == 48_000
    assert decode(stereo)[0].ndim == 1


def test_metadata_of_a_recording_is_removed() -> None:
    made = io.BytesIO()
    with soundfile.SoundFile(made, "w", 16_000, 1, "PCM_16", format="WAV") as written:
        written.title, written.artist, written.comment = "SECRET title", "SECRET name", "SECRET place"
        written.write(make_voice())
    sent = made.getvalue() + chunk(b"GPS ", b"SECRET 26.18 N")
    assert b"SECRET" in sent

    body = process(sent).body

    assert not any(mark in body for mark in (b"SECRET", b"ID3", b"TAG", b"GPS"))


def test_an_overdriven_recording_is_marked_as_clipped() -> None:
    assert process(encode_recording(samples=np.clip(make_voice() * 20, -1, 1))).clipped
    assert not process(encode_recording(samples=make_voice(level=0.95))).clipped


def make_row(made: ProcessedRecording) -> RecordingRow:
    """Keep of a recording what duplicates are found by."""
    fields = dict.fromkeys(RecordingRow._fields) | {"milliseconds": made.milliseconds}
    return RecordingRow(**fields)  # type: ignore[arg-type]


def are_alike(one: ProcessedRecording, other: ProcessedRecording) -> bool:
    return count_differing_bits(one.likeness, other.likeness) <= MAX_DIFFERING_BITS and have_similar_length(
        make_row(one), make_row(other)
    )


def test_a_recording_resembles_its_reencoded_copies_and_not_other_speakers(subtests: pytest.Subtests) -> None:
    for word in ("ai", "pania", "eao"):
        with subtests.test(word):
            first = process(encode_recording(samples=synthesize_vowels(word)))
            copies = [process(encode_recording(kind, synthesize_vowels(word, level=level))) for kind, level in LEVELS]
            others = [
                process(
                    encode_recording(samples=synthesize_vowels(word, pitch=pitch, tempo=tempo, tract=tract, seed=7))
                )
                for pitch, tempo, tract in ((190, 1.15, 1.15), (210, 0.85, 1.18), (95, 1.2, 0.95))
            ]

            assert [are_alike(first, each) for each in copies] == [True] * len(copies)
            assert [are_alike(first, each) for each in others] == [False] * len(others)


def test_the_same_sound_is_alike_in_every_kind_and_loudness() -> None:
    one = process(encode_recording(rate=48_000))

    for kind in KINDS:
        assert (
            count_differing_bits(process(encode_recording(kind, rate=48_000)).likeness, one.likeness)
            <= MAX_DIFFERING_BITS
        )
    softer = encode_recording(samples=make_voice(rate=48_000) / 2, rate=48_000)
    assert count_differing_bits(process(softer).likeness, one.likeness) <= MAX_DIFFERING_BITS


def test_other_words_are_not_alike() -> None:
    one = process(encode_recording())

    for vowels in (-8, 2, 12):
        assert (
            count_differing_bits(process(encode_recording(samples=make_voice(vowels=vowels))).likeness, one.likeness)
            > MAX_DIFFERING_BITS
        )


def test_the_hash_depends_on_the_samples_and_not_on_the_file_format() -> None:
    assert process(encode_recording("WAV")).sha256 == process(encode_recording("FLAC")).sha256
    assert process(encode_recording()).sha256 != process(encode_recording(samples=make_voice(seed=2))).sha256


def test_recordings_longer_than_fifteen_seconds_are_refused() -> None:
    assert reencode(encode_recording("FLAC", repeat_word(MAX_RECORDING_SECONDS + 0.5))) is UploadRefusal.TOO_LONG
    assert 14_000 < process(encode_recording("FLAC", repeat_word(MAX_RECORDING_SECONDS - 0.5))).milliseconds <= 15_000


def test_hours_of_silence_in_a_small_file_are_refused_and_never_decoded_whole(
    decoder: DecoderProcess[ProcessedRecording],
) -> None:
    hours = encode_recording("FLAC", np.zeros(8_000 * 3_600 * 2), rate=8_000)
    assert len(hours) < 5_000_000

    with pytest.raises(RefusedFileError) as caught:
        decoder.process(hours, DECODING_MEMORY_BYTES)
    assert caught.value.refusal is UploadRefusal.TOO_LONG


def test_the_largest_accepted_recording_fits_into_the_decoder_memory(
    decoder: DecoderProcess[ProcessedRecording],
) -> None:
    dearest = repeat_word(14.5, rate=192_000)

    assert decoder.process(encode_recording("FLAC", dearest, rate=192_000), DECODING_MEMORY_BYTES).milliseconds > 14_000


def test_silent_and_too_short_recordings_are_refused() -> None:
    almost_silent = make_voice(level=0.0001, noise=0.00001)

    for silent in (np.zeros(16_000), almost_silent):
        assert reencode(encode_recording(samples=silent)) is UploadRefusal.SILENT
    for silence in (0.4, 0):
        short = make_voice(seconds=0.05, silence=silence)
        assert reencode(encode_recording(samples=short)) is UploadRefusal.TOO_SHORT, silence


def test_a_truncated_file_is_refused_as_broken() -> None:
    for kind, share in (("WAV", 0.3), ("WAV", 0.9), ("OGG", 0.3), ("OGG", 0.9)):
        sent = encode_recording(kind)
        assert reencode(sent[: int(len(sent) * share)]) is UploadRefusal.BROKEN, (kind, share)


def test_a_wav_file_with_an_unknown_length_is_accepted() -> None:
    sent = encode_recording()
    place = sent.index(b"data")
    for size in (b"\xff\xff\xff\xff", b"\0\0\0\0"):
        assert isinstance(reencode(sent[: place + 4] + size + sent[place + 8 :]), ProcessedRecording | UploadRefusal)
    streamed = sent[: place + 4] + b"\xff\xff\xff\xff" + sent[place + 8 :]
    assert process(streamed).milliseconds > 500


OTHER_FILES: Final = (
    (b"", UploadRefusal.NOT_A_RECORDING),
    (b"<html>", UploadRefusal.NOT_A_RECORDING),
    (b"MZ\x90\0" + bytes(500), UploadRefusal.NOT_A_RECORDING),
    (b"\x89PNG\r\n\x1a\n" + bytes(500), UploadRefusal.NOT_A_RECORDING),
    (b"\0\0\0\x20ftypM4A " + bytes(500), UploadRefusal.OTHER_FORMAT),
    (b"\x1a\x45\xdf\xa3" + bytes(500), UploadRefusal.OTHER_FORMAT),
    (b"#!AMR\n" + bytes(500), UploadRefusal.OTHER_FORMAT),
    (b"FORM\0\0\0\x20AIFFCOMM" + bytes(500), UploadRefusal.OTHER_FORMAT),
    (b"caff\0\1" + bytes(500), UploadRefusal.OTHER_FORMAT),
    (b"RIFF\x24\0\0\0AVI LIST" + bytes(500), UploadRefusal.NOT_A_RECORDING),
)


def test_files_that_are_not_accepted_recordings_are_refused_with_the_right_reason() -> None:
    assert [reencode(sent) for sent, _ in OTHER_FILES] == [refusal for _, refusal in OTHER_FILES]


SOUND: Final = (np.clip(make_voice(), -1, 1) * 32_767).astype("<i2").tobytes()

HANDMADE: Final = [
    wav(),
    wav(pcm_format()),
    wav(chunk(b"data", SOUND)),
    wav(pcm_format(), chunk(b"data", b"")),
    wav(pcm_format(), chunk(b"data", b"\1")),
    wav(pcm_format(channels=0), chunk(b"data", SOUND)),
    wav(pcm_format(channels=65_535), chunk(b"data", SOUND)),
    wav(pcm_format(channels=1_000), chunk(b"data", SOUND)),
    wav(pcm_format(channels=9), chunk(b"data", SOUND)),
    wav(pcm_format(rate=0), chunk(b"data", SOUND)),
    wav(pcm_format(rate=1), chunk(b"data", SOUND)),
    wav(pcm_format(rate=7_999), chunk(b"data", SOUND)),
    wav(pcm_format(rate=200_000), chunk(b"data", SOUND)),
    wav(pcm_format(rate=4_294_967_295), chunk(b"data", SOUND)),
    wav(pcm_format(bits=0), chunk(b"data", SOUND)),
    wav(pcm_format(bits=7), chunk(b"data", SOUND)),
    wav(pcm_format(bits=65_535), chunk(b"data", SOUND)),
    # Encodings of WAV that are not accepted: ADPCM, GSM, MPEG and some that do not exist.
    *(
        wav(pcm_format(code=code), chunk(b"data", SOUND))
        for code in (0, 2, 0x11, 0x31, 0x45, 0x50, 0x55, 0x1234, 0xFFFF)
    ),
    wav(pcm_format(), *[chunk(b"LIST", b"")] * 500, chunk(b"data", SOUND)),
    wav(pcm_format(), b"data" + struct.pack("<I", 0x7FFFFFF0)),
    wav(b"fmt " + struct.pack("<I", 0xFFFFFFFF)),
    wav(pcm_format(), pcm_format(channels=2), pcm_format(rate=3), chunk(b"data", SOUND * 40)),
    b"RIFF\0\0\0\0WAVE",
    b"RIFF\xff\xff\xff\xffWAVEfmt ",
    b"fLaC",
    b"fLaC" + bytes(500),
    b"fLaC\x84\xff\xff\xff" + bytes(100),
    b"fLaC\x80\0\0\x22" + b"\xff" * 34 + bytes(400),
    b"fLaC\x80\0\0\x22\0\1\0\1" + bytes(30) + b"\xff\xf8" * 200,
    b"OggS",
    b"OggS\0\4" + bytes(500),
    b"OggS\0\6" + b"\xff" * 500,
    b"OggS\0\2" + bytes(20) + b"\1\x1e\1vorbis" + b"\xff" * 30 + b"OggS\0\4" + bytes(100),
    b"OggS\0\2" + bytes(20) + b"\1\x13OpusHead" + b"\xff" * 30 + b"OggS\0\4" + bytes(100),
    b"OggS\0\2" + bytes(20) + b"\1\x2a\x80theora" + bytes(30) + b"OggS\0\4" + bytes(100),
    b"ID3",
    b"ID3\4\0\0\x7f\x7f\x7f\x7f" + bytes(1_000),
    b"ID3\4\0\0\0\0\0\x0a" + bytes(10) + b"RIFF" + bytes(400),
    b"ID3\3\0\0\0\0\0\0" + encode_recording("FLAC"),
    b"\xff\xfb",
    b"\xff\xfb\x90\x64" * 5_000,
    b"\xff\xfb" + b"\xff" * 50_000,
    b"\xff\xe3\x18\xc4" + bytes(10_000),
    encode_recording("FLAC")[:2_000],
    encode_recording("MP3")[:50],
    encode_recording("OGG")[:100],
]


def damage_recording(kind: str, seed: int) -> bytes:
    """Change some bytes of a good recording."""
    chance = random.Random(seed)  # noqa: S311  # the same files each time
    sent = bytearray(encode_recording(kind))
    for _ in range(20):
        sent[chance.randrange(4, len(sent))] = chance.randrange(256)
    return bytes(sent)


HOSTILE: Final = [*HANDMADE, *(damage_recording(kind, seed) for kind in KINDS for seed in range(4))]


def test_hostile_files_are_refused_or_cleaned(
    decoder: DecoderProcess[ProcessedRecording], subtests: pytest.Subtests
) -> None:
    for number, sent in enumerate(HOSTILE):
        with subtests.test(number=number, start=sent[:40]):
            try:
                recording = decoder.process(sent, DECODING_MEMORY_BYTES)
            except RefusedFileError as error:
                assert error.refusal is not UploadRefusal.TOO_SLOW  # noqa: PT017 (accepting and refusing are both right)
            else:
                samples, rate = decode(recording)
                assert len(samples) <= MAX_UNTRIMMED_SECONDS * rate
                assert np.isfinite(samples).all()


def test_invalid_samples_become_silence() -> None:
    strange = make_voice()
    strange[4_000:4_100] = np.nan
    strange[5_000] = np.inf

    samples, _ = decode(process(encode_recording("WAV", strange, subtype="FLOAT")))

    assert np.isfinite(samples).all()
    assert np.abs(samples).max() > 0.1
