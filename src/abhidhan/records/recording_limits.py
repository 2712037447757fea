"""What a recording may be like."""

from typing import Final

MOST_BYTES: Final = 5 * 1_048_576
"""The largest recording that may be sent (docs/api.md)."""

MOST_SECONDS: Final = 15
"""The longest recording, once the silence at its ends is cut off."""

MOST_SECONDS_SENT: Final = 30
"""The longest recording before that. A FLAC of 5 MB may hold hours of silence: no more of it is decoded than this."""

LEAST_SECONDS: Final = 0.1
"""The shortest sound that can be a word: a vowel alone takes about so long."""

LEAST_RATE: Final = 8_000
"""Samples per second of a telephone line. Below that, স and ফ cannot be told apart."""

MOST_RATE: Final = 192_000
MOST_CHANNELS: Final = 8
KEPT_RATES: Final = (8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
"""Rates that MP3 has (ISO/IEC 11172-3 and 13818-3); a recording of another rate is brought to the last one."""

MEMORY: Final = 256 * 1_048_576
"""Bytes that decoding and encoding may take: 30 s at 192,000 samples, and their spectrum. Measured, with some room."""
