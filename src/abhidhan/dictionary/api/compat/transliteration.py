"""tlipi.php: text written in the other script."""

from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from litestar.params import QueryParameter
from msgspec import structs

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service import transliteration
from abhidhan.platform.http.parameters import LONGEST_PASSAGE, text_examples
from abhidhan.platform.http.public_reads import public_read
from assamese.romanize import Scheme
from assamese.transliteration import Alternatives, Direction, Transliteration


class Target(StrEnum):
    """The script to write in."""

    ROMAN = "roman"
    ASSAMESE = "assamese"


DIRECTION_TO = {Target.ROMAN: Direction.TO_ROMAN, Target.ASSAMESE: Direction.TO_ASSAMESE}


class TransliterationAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `tlipi.php`: the text as it was understood, and the same in the other script."""

    success: Literal[True] = True
    input: str
    output: str
    direction: Direction
    scheme: Scheme
    alternatives: tuple[Alternatives, ...]

    @classmethod
    def of(cls, made: Transliteration) -> "TransliterationAnswer":
        """Show a transliteration."""
        return cls(**structs.asdict(made))


@public_read("/api/tlipi.php", tags=["Script"], summary="Write Assamese in Roman letters, or Roman in Assamese letters")
async def transliterate(
    dictionary: GivenDictionary,
    text: Annotated[
        str,
        QueryParameter(
            name="pa",
            min_length=1,
            max_length=LONGEST_PASSAGE,
            description="The text. At most 5,000 characters to Roman, 500 to Assamese.",
            examples=text_examples("শব্দ", "xobdo"),
        ),
    ],
    target: Annotated[
        Target | None, QueryParameter(name="to", description="The script to write in. Left out: the other one.")
    ] = None,
    scheme: Annotated[Scheme, QueryParameter(description="How Roman letters are used.")] = Scheme.XOBDO,
) -> TransliterationAnswer:
    """Write a text in the other script. To Assamese, other readings of each word are listed too."""
    direction = DIRECTION_TO[target] if target else None
    return TransliterationAnswer.of(
        await dictionary.read_in_thread(transliteration.transliterate, text, direction, scheme)
    )
