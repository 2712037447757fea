"""get-list.php, check-fj.php, wordgames.php, wordgames_cards.php and tlipi.php."""

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from litestar.openapi.spec import Example
from litestar.params import QueryParameter
from msgspec import structs

from abhidhan.dictionary.api.compat.dictionary import ListAnswer, ListEntry, PhraseAnswer
from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.model.cards import Card, CardSet
from abhidhan.dictionary.service import cards, lookup_lists, transliteration
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.dictionary.service.phrases import list_similar
from abhidhan.platform.http.parameters import (
    LANGUAGE_EXAMPLES,
    MAX_PASSAGE_LENGTH,
    MAX_PHRASE_LENGTH,
    MAX_SHORT_LIMIT,
    LimitUpTo100,
    build_text_examples,
)
from abhidhan.platform.http.public_reads import public_read
from abhidhan.records.import_records import parse_inverse_id
from abhidhan.records.languages import Language
from abhidhan.records.lookup_lists import ListItem, ListName, part_of_speech_code
from assamese.romanize import Scheme
from assamese.transliteration import Alternatives, Direction, Transliteration


@public_read("/api/get-list.php", tags=["Lists"], summary="List the values of a lookup list")
async def get_list(
    dictionary: DictionaryDep,
    name: Annotated[
        str,
        QueryParameter(
            name="type",
            description="LANG, CTX, VRT, POS, GEN, RIC, HAC or FJCAT, in small or capital letters.",
            examples=[Example(summary=each, value=str(each)) for each in ListName],
            schema_extra={"enum": [str(each) for each in ListName]},
        ),
    ],
) -> ListAnswer:
    """List the languages, contexts, variants, parts of speech, genders, relations, actions or categories."""
    list_name = lookup_lists.find_list(name)
    catalogue = await dictionary.catalogue()
    if list_name is ListName.LANGUAGES:
        entries = tuple(_build_language_entry(language) for language in catalogue.languages)
    else:
        build_entry = ENTRY_BUILDERS.get(list_name, _build_plain_entry)
        entries = tuple(build_entry(item) for item in catalogue.list_items(list_name))
    return ListAnswer(type=list_name, data=entries, count=len(entries))


def _build_language_entry(language: Language) -> ListEntry:
    return ListEntry(
        id=language.id,
        value=language.name,
        code=language.code,
        native_name=language.native_name,
        script=language.script,
        direction=language.direction,
    )


def _build_plain_entry(item: ListItem) -> ListEntry:
    return ListEntry(item.id, item.value)


ENTRY_BUILDERS: dict[ListName, Callable[[ListItem], ListEntry]] = {
    ListName.CONTEXTS: lambda item: ListEntry(item.id, item.value, parent_id=item.parent_id),
    ListName.PARTS_OF_SPEECH: lambda item: ListEntry(
        item.id, item.value, code=part_of_speech_code(item), major=item.code
    ),
    ListName.VARIANTS: lambda item: ListEntry(item.id, item.value, code=item.code),
    ListName.RELATIONS: lambda item: ListEntry(item.id, item.value, inverse_id=parse_inverse_id(item.code)),
}
"""Functions that build the entries of lists with fields besides `id` and `value`."""


@public_read("/api/check-fj.php", tags=["Phrases"], summary="Find proverbs and idioms similar to a phrase")
async def check_phrase(
    dictionary: DictionaryDep,
    phrase: Annotated[
        str,
        QueryParameter(
            name="fj",
            min_length=1,
            max_length=MAX_PHRASE_LENGTH,
            description="The phrase to check, in Assamese or in Roman letters.",
            examples=build_text_examples("নগই গড়গাওঁৰ বতৰা কয়", "apun bhalei jogot bhal"),
        ),
    ],
    language: Annotated[
        str, QueryParameter(description="The language of the phrase.", examples=LANGUAGE_EXAMPLES)
    ] = "2",
    limit: LimitUpTo100 = 5,
) -> PhraseAnswer:
    """Find proverbs and idioms that are identical or similar to a phrase, best match first."""
    size = min(limit, MAX_SHORT_LIMIT)
    items = await dictionary.read_in_thread(list_similar, phrase, LanguageParam(language), size)
    return PhraseAnswer(phrase=phrase, found=bool(items), count=len(items), similar_items=items)


@public_read("/api/wordgames.php", tags=["Flashcards"], summary="List the sets of flashcards")
async def list_card_sets(dictionary: DictionaryDep) -> tuple[CardSet, ...]:
    """List all sets with their numbers of cards."""
    return await dictionary.read(cards.list_card_sets)


@public_read("/api/wordgames_cards.php", tags=["Flashcards"], summary="List the cards of a set")
async def list_cards(
    dictionary: DictionaryDep,
    set_id: Annotated[int, QueryParameter(name="set", ge=1, description="The ID of a set.")] = 1,
) -> tuple[Card, ...]:
    """List the cards of one set, in order."""
    return await dictionary.read(cards.list_cards, set_id)


class Target(StrEnum):
    """The target script."""

    ROMAN = "roman"
    ASSAMESE = "assamese"


DIRECTIONS_BY_TARGET = {Target.ROMAN: Direction.TO_ROMAN, Target.ASSAMESE: Direction.TO_ASSAMESE}


class TransliterationAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The response of `tlipi.php`: the text as interpreted, and the same text in the other script."""

    success: Literal[True] = True
    input: str
    output: str
    direction: Direction
    scheme: Scheme
    alternatives: tuple[Alternatives, ...]

    @classmethod
    def of(cls, transliterated: Transliteration) -> "TransliterationAnswer":
        """Convert a transliteration to the response."""
        return cls(**structs.asdict(transliterated))


@public_read(
    "/api/tlipi.php", tags=["Script"], summary=("Convert Assamese to Roman letters, or Roman letters to Assamese")
)
async def transliterate(
    dictionary: DictionaryDep,
    text: Annotated[
        str,
        QueryParameter(
            name="pa",
            min_length=1,
            max_length=MAX_PASSAGE_LENGTH,
            description="The text. At most 5,000 characters to Roman, 500 to Assamese.",
            examples=build_text_examples("শব্দ", "xobdo"),
        ),
    ],
    target: Annotated[
        Target | None, QueryParameter(name="to", description="The target script. Default: the other script.")
    ] = None,
    scheme: Annotated[Scheme, QueryParameter(description="The romanization scheme.")] = Scheme.XOBDO,
) -> TransliterationAnswer:
    """Transliterate a text. For Assamese output, other readings of each word are listed too."""
    direction = DIRECTIONS_BY_TARGET[target] if target else None
    return TransliterationAnswer.of(
        await dictionary.read_in_thread(transliteration.transliterate, text, direction, scheme)
    )
