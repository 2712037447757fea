"""Words in plain letters, and words in Indic letters that may be meant by them."""

from abhidhan.dictionary.model.ranking import may_be_typed_for
from assamese.normalization import Script, script_of


def is_plain(text: str) -> bool:
    """Return whether a text is one word of plain letters and digits: its exact key is itself, but for letter case."""
    return text.isascii() and text.isalnum()


def may_mean(typed: str, text: str, language_id: int) -> bool:
    """Return whether a word that sounds like Roman letters is one in other letters that people may type so."""
    return script_of(text) is not Script.LATIN and may_be_typed_for(typed, text, language_id)
