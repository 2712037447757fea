"""Reasons that the program itself gives when it rejects: kept in English, and said in the reader's language."""

from collections.abc import Mapping
from typing import Final

from abhidhan.records.errors import Sentence, sentence

LEFT_OUT: Final = sentence("The word was accepted without the photo.")
LOST: Final = sentence("The file of this photo is lost.")
LOST_RECORDING: Final = sentence("The file of this recording is lost.")

OUR_REASONS: Final[Mapping[str, Sentence]] = {str(reason): reason for reason in (LEFT_OUT, LOST, LOST_RECORDING)}
"""By the text that is stored; any other reason was written by a person, and stays as it is."""
