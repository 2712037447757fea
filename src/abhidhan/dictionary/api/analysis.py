"""/api/analyze."""

from typing import Annotated

from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import DictionaryDep
from abhidhan.dictionary.service import analysis
from abhidhan.dictionary.service.analysis import TextAnalysis
from abhidhan.dictionary.service.lookup_lists import LanguageParam
from abhidhan.platform.http.parameters import LANGUAGE_EXAMPLES, build_text_examples
from abhidhan.platform.http.public_reads import public_read

MAX_ANALYZED_LENGTH = 500

AnalyzedText = Annotated[
    str,
    QueryParameter(
        name="text",
        min_length=1,
        max_length=MAX_ANALYZED_LENGTH,
        description="A word, or one or more sentences.",
        examples=build_text_examples("পানীখিনিৰ", "মই কালি কিতাপ পঢ়িছিলোঁ।"),
    ),
]


@public_read("/api/analyze", tags=["Look-up"], summary="Analyse the words of a text")
async def analyze_text(
    dictionary: DictionaryDep,
    text: AnalyzedText,
    language: Annotated[
        str,
        QueryParameter(
            description="The language of the text; inflected forms are analysed for Assamese only.",
            examples=LANGUAGE_EXAMPLES,
        ),
    ] = "as",
) -> TextAnalysis:
    """Analyse each word of a text: lemma, part of speech and features of Universal Dependencies, and segments.

    The likeliest analysis comes first. `guess` marks a lemma that is not in the dictionary.
    """
    return await analysis.analyze_text(dictionary, text, LanguageParam(language))
