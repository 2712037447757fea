"""The columns of keys that words are found by."""

from enum import Enum


class KeyColumn(Enum):
    """Which key a look-up goes by; `FORM` is the exact key of an inflected form."""

    EXACT = "exact_key"
    LOOSE = "loose_key"
    SOUND = "sound_key"
    FORM = "key"
