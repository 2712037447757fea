"""Decode, trim, level and re-encode recordings; nothing but the sound of an uploaded file is stored.

libsndfile decodes and encodes (docs/decisions/0040-recordings-by-libsndfile.md). Samples range from -1 to 1.
"""

import hashlib
import io
from typing import Final

import numpy as np
import soundfile
from numpy.typing import NDArray

from abhidhan.platform.sandbox.media_headers import detect_audio_format, is_truncated, looks_like_another_format
from abhidhan.records.perceptual_hash import compute_hash
from abhidhan.records.recordings import (
    MAX_CHANNELS,
    MAX_RECORDING_SECONDS,
    MAX_SAMPLE_RATE,
    MAX_UNTRIMMED_SECONDS,
    MIN_RECORDING_SECONDS,
    MIN_SAMPLE_RATE,
    MP3_SAMPLE_RATES,
    ProcessedRecording,
)
from abhidhan.records.uploads import UploadRefusal

Samples = NDArray[np.float32]
LoudnessLevels = NDArray[np.float64]

ENCODINGS: Final = {
    "WAV": frozenset({"PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE", "ULAW", "ALAW"}),
    "FLAC": frozenset({"PCM_S8", "PCM_16", "PCM_24"}),
    "OGG": frozenset({"VORBIS", "OPUS"}),
    "MP3": frozenset({"MPEG_LAYER_III"}),
}
"""Accepted encodings by file format; libsndfile supports many more."""

DECODE_BLOCK_SAMPLES: Final = 65_536
"""Number of samples decoded at a time."""

FRAMES_PER_SECOND: Final = 100
"""Frames of loudness measurement per second: 10 ms each, shorter than any sound of speech."""

MIN_LOUDNESS_DBFS: Final = -50.0
"""Minimum loudness of an audible recording in dBFS; a quiet room is at about -60."""

SILENCE_DBFS: Final = -120.0
SPEECH_RANGE_DB: Final = 40.0
"""Range of speech in dB below its loudest vowel."""

NOISE_MARGIN_DB: Final = 8.0
"""Minimum difference in loudness between speech and background noise in dB."""

MIN_SPEECH_RANGE_DB: Final = 12.0
"""Range in dB below the loudest vowel that always counts as speech, even in a noisy room."""

MIN_SOUND_FRAMES: Final = 3
"""Minimum length of a sound in frames: an isolated shorter one is the click of a button."""

PADDING_BEFORE_SECONDS: Final = 0.12
PADDING_AFTER_SECONDS: Final = 0.20
"""Padding before and after speech in seconds, so that soft sounds at the ends are not cut off."""

FADE_SECONDS: Final = 0.005
"""Duration of the fade-in and fade-out in seconds, so that the cuts do not click."""

TARGET_LOUDNESS_DBFS: Final = -20.0
"""Target mean loudness of speech in dBFS, the same for all recordings."""

MAX_PEAK_DBFS: Final = -1.5
"""Maximum level of a sample in dBFS; encoding may raise it by 1 dB."""

MAX_GAIN_DB: Final = 30.0
"""Maximum gain in dB; background noise is amplified, too."""

FULL_SCALE_LEVEL: Final = 0.999
MIN_CLIPPED_SAMPLES: Final = 3
"""Minimum number of consecutive full-scale samples in a clipped wave; single ones occur by chance."""

MIN_CLIPPED_WAVES: Final = 4
MP3_COMPRESSION_LEVEL: Final = 0.4
"""Compression level of the encoder: 0 is the best quality, 1 the smallest file."""

BAND_LIMITS_HZ: Final = (100, 200, 350, 550, 850, 1300, 2000, 3000, 4000)
"""Limits in Hz of the eight frequency bands of the perceptual hash, all within the range of telephones."""

TIME_SLICE_COUNT: Final = 9


def prepare() -> None:
    """Load numpy's FFT library, which is loaded on first use, before processes are forked."""
    np.fft.rfft(np.zeros(8, np.float32))


def reencode(content: bytes) -> ProcessedRecording | UploadRefusal:
    """Decode and check a recording, and re-encode it without metadata; return a refusal if it is not acceptable."""
    format_name = detect_audio_format(content)
    if format_name is None:
        is_other_format = looks_like_another_format(content)
        return UploadRefusal.OTHER_FORMAT if is_other_format else UploadRefusal.NOT_A_RECORDING
    if is_truncated(format_name, content):
        return UploadRefusal.BROKEN
    try:
        with soundfile.SoundFile(io.BytesIO(content)) as sound_file:
            refusal = _check_format(sound_file, format_name)
            return refusal or _process(_decode(sound_file), sound_file.samplerate)
    except (soundfile.LibsndfileError, ValueError, OverflowError):
        return UploadRefusal.BROKEN
    except MemoryError:
        return UploadRefusal.UNUSUAL


def _check_format(sound_file: soundfile.SoundFile, format_name: str) -> UploadRefusal | None:
    """Check format, encoding, sample rate and channels before decoding; return a refusal or None."""
    # The decoder may detect another format than the first bytes suggest.
    if sound_file.format.removesuffix("EX") != format_name or sound_file.subtype not in ENCODINGS[format_name]:
        return UploadRefusal.UNUSUAL
    if not MIN_SAMPLE_RATE <= sound_file.samplerate <= MAX_SAMPLE_RATE or sound_file.channels > MAX_CHANNELS:
        return UploadRefusal.UNUSUAL
    return None


def _decode(sound_file: soundfile.SoundFile) -> Samples:
    """Decode to one channel; stop reading once the recording is longer than the limit."""
    max_samples = MAX_UNTRIMMED_SECONDS * sound_file.samplerate
    pieces: list[Samples] = []
    size = 0
    while size <= max_samples:
        block: Samples = sound_file.read(DECODE_BLOCK_SAMPLES, dtype="float32", always_2d=True)
        if not len(block):
            break
        pieces.append(block.mean(axis=1, dtype=np.float32))
        size += len(block)
    samples = np.concatenate(pieces) if pieces else np.zeros(0, np.float32)
    # Floating-point files may contain NaN and infinity.
    return np.clip(np.nan_to_num(samples, nan=0.0, posinf=1.0, neginf=-1.0), -1.0, 1.0)


def _process(samples: Samples, rate: int) -> ProcessedRecording | UploadRefusal:
    if len(samples) > MAX_UNTRIMMED_SECONDS * rate:
        return UploadRefusal.TOO_LONG
    if len(samples) < MIN_RECORDING_SECONDS * rate:
        return UploadRefusal.TOO_SHORT
    centred = samples - samples.mean(dtype=np.float64).astype(np.float32)
    speech = _find_speech(_loudness(centred, rate))
    if speech is None:
        return UploadRefusal.SILENT
    trimmed = _trim(centred, rate, speech)
    if len(trimmed) > MAX_RECORDING_SECONDS * rate:
        return UploadRefusal.TOO_LONG
    if (speech.stop - speech.start) / FRAMES_PER_SECOND < MIN_RECORDING_SECONDS:
        return UploadRefusal.TOO_SHORT
    target_rate = rate if rate in MP3_SAMPLE_RATES else MP3_SAMPLE_RATES[-1]
    levelled = _normalise_level(_resample(trimmed, rate, target_rate), target_rate)
    return ProcessedRecording(
        milliseconds=round(1000 * len(levelled) / target_rate),
        clipped=_is_clipped(samples),
        body=_encode(levelled, target_rate),
        sha256=hashlib.sha256(np.round(samples * 32767).astype("<i2").tobytes()).hexdigest(),
        likeness=_compute_hash(trimmed, rate),
    )


def _loudness(samples: Samples, rate: int) -> LoudnessLevels:
    """Return the loudness of each 10 ms frame in dBFS."""
    width = rate // FRAMES_PER_SECOND
    frames = samples[: len(samples) // width * width].reshape(-1, width)
    power = np.mean(np.square(frames, dtype=np.float64), axis=1)
    loudness: LoudnessLevels = 10 * np.log10(np.maximum(power, 10 ** (SILENCE_DBFS / 10)))
    return loudness


def _speech_threshold(loudness: LoudnessLevels) -> float:
    """Return the loudness in dBFS above which frames are speech; the softest tenth of the frames measures the noise."""
    loudest, noise = float(loudness.max()), float(np.percentile(loudness, 10))
    return max(loudest - SPEECH_RANGE_DB, min(noise + NOISE_MARGIN_DB, loudest - MIN_SPEECH_RANGE_DB))


def _find_speech(loudness: LoudnessLevels) -> slice | None:
    """Return the range of frames from the first sound to the last; None if nothing is audible."""
    if loudness.max() < MIN_LOUDNESS_DBFS:
        return None
    loud = (loudness >= _speech_threshold(loudness)).astype(np.int8)
    # In the differences, 1 marks the start of a run of loud frames, and -1 the frame after its end.
    edges = np.diff(np.concatenate(([0], loud, [0])))
    begins, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    sounds = np.flatnonzero(ends - begins >= MIN_SOUND_FRAMES)
    return slice(int(begins[sounds[0]]), int(ends[sounds[-1]])) if len(sounds) else None


def _trim(samples: Samples, rate: int, speech: slice) -> Samples:
    """Cut the silence off both ends, and fade in and out."""
    begin = max(0.0, speech.start / FRAMES_PER_SECOND - PADDING_BEFORE_SECONDS)
    end = speech.stop / FRAMES_PER_SECOND + PADDING_AFTER_SECONDS
    trimmed = samples[round(begin * rate) : round(end * rate)].copy()
    ramp = np.linspace(0.0, 1.0, round(FADE_SECONDS * rate), dtype=np.float32)
    trimmed[: len(ramp)] *= ramp
    trimmed[len(trimmed) - len(ramp) :] *= ramp[::-1]
    return trimmed


def _resample(samples: Samples, rate: int, target_rate: int) -> Samples:
    """Resample in the frequency domain; frequencies above the new limit are removed, so there is no aliasing."""
    if rate == target_rate:
        return samples
    size = round(len(samples) * target_rate / rate)
    spectrum = np.fft.rfft(samples)[: size // 2 + 1]
    return (np.fft.irfft(spectrum, size) * (size / len(samples))).astype(np.float32)


def _normalise_level(samples: Samples, rate: int) -> Samples:
    """Scale speech to the target loudness, limited by the peak and by the maximum gain."""
    loudness = _loudness(samples, rate)
    speech = loudness[loudness >= _speech_threshold(loudness)]
    mean = 10 * np.log10(np.mean(10 ** (speech / 10)))
    peak = 20 * np.log10(max(float(np.abs(samples).max()), 1e-6))
    gain = min(TARGET_LOUDNESS_DBFS - mean, MAX_PEAK_DBFS - peak, MAX_GAIN_DB)
    return samples * np.float32(10 ** (gain / 20))


def _is_clipped(samples: Samples) -> bool:
    is_full_scale = (np.abs(samples) >= FULL_SCALE_LEVEL).astype(np.int8)
    edges = np.diff(np.concatenate(([0], is_full_scale, [0])))
    runs = np.flatnonzero(edges == -1) - np.flatnonzero(edges == 1)
    return int(np.count_nonzero(runs >= MIN_CLIPPED_SAMPLES)) >= MIN_CLIPPED_WAVES


def _encode(samples: Samples, rate: int) -> bytes:
    buffer = io.BytesIO()
    soundfile.write(
        buffer, samples, rate, format="MP3", subtype="MPEG_LAYER_III", compression_level=MP3_COMPRESSION_LEVEL
    )
    return buffer.getvalue()


def _compute_hash(samples: Samples, rate: int) -> int:
    """Compute a perceptual hash: each bit is whether a frequency band is louder than in the time slice before.

    The loudness and the encoding of a recording hardly affect it.
    """
    limits = np.array(BAND_LIMITS_HZ) * (len(samples) // TIME_SLICE_COUNT) / rate
    rows = []
    for part in np.array_split(samples, TIME_SLICE_COUNT):
        power = np.square(np.abs(np.fft.rfft(part)))
        rows.append([float(band.sum()) for band in np.split(power, limits.astype(int))[1:-1]])
    loudness = np.array(rows).T
    # Silence has only noise, whose changes are random.
    loudness[loudness < loudness.max() * 10 ** (-SPEECH_RANGE_DB / 10)] = 0.0
    return compute_hash(loudness.ravel().tolist())
