"""Choosing among the readings of the words of a passage: those that often stand side by side are meant together."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from abhidhan.domain.text.transliterator import assamese_letters
from abhidhan.domain.text.word_pairs import attraction

SHARE_OF_ATTRACTION: Final = 0.5
"""How much the attraction of two words counts beside what each is by itself; tuned on `eval/typed_sentences.tsv`."""


class Choice(NamedTuple):
    """A reading of a word, and the logarithm of how likely it is by itself, up to a constant of the word."""

    text: str
    score: float


class _Path(NamedTuple):
    """The best way to read a passage up to one choice of a word."""

    score: float
    texts: tuple[str, ...]


def likeliest(passage: Sequence[Sequence[Choice]]) -> tuple[str, ...]:
    """Return the readings of the words of a passage, each given by its choices, that are likeliest together.

    Every word has a choice at least. Of those that are as likely, the first counts.
    """
    paths = [_Path(0.0, ())]
    for choices in passage:
        paths = [
            max((_joined(path, choice) for path in paths), key=lambda path: path.score) for choice in choices
        ]
    return max(paths, key=lambda path: path.score).texts


def _joined(path: _Path, choice: Choice) -> _Path:
    drawn = _drawn(path.texts[-1], choice.text) if path.texts else 0.0
    return _Path(path.score + choice.score + drawn, (*path.texts, choice.text))


def _drawn(before: str, after: str) -> float:
    return SHARE_OF_ATTRACTION * attraction(assamese_letters(before), assamese_letters(after))
