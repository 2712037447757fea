"""Addresses that stay for ever: each leads to where its word, sense or proverb stands now. And one to any word."""

from typing import Final

from litestar import Response, get

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.service.permalinks import Place, any_place, place_of_proverb, place_of_word
from abhidhan.platform.http.parameters import PathID
from abhidhan.platform.http.rendering import PageRequest, lead_to, readers_of
from abhidhan.platform.http.urls import with_query, word_address

FOUND: Final = 302
"""Where something stands may change; the address that leads there is the one to keep."""


def address_of(place: Place) -> str:
    """Write the address of the page where something stands."""
    if not place.idea_id:
        return word_address(place.text)
    return with_query(word_address(place.text), language=place.language, idea=place.idea_id)


def sense_for_ever(sense_id: int) -> str:
    """Write the address of a sense that stays when its word, or what it means, is edited."""
    return f"/sense/{sense_id}"


@get("/word/{word_id:int}", include_in_schema=False)
async def go_to_permanent_word(dictionary: GivenDictionary, word_id: PathID) -> Response[str]:
    """Lead to a word by its ID, however it is spelled now."""
    return lead_to(address_of(await dictionary.read(place_of_word, word_id)), FOUND)


@get("/proverb/{phrase_id:int}", include_in_schema=False)
async def go_to_proverb(dictionary: GivenDictionary, phrase_id: PathID) -> Response[str]:
    """Lead to a proverb by its ID, however it is written now."""
    return lead_to(address_of(await dictionary.read_in_thread(place_of_proverb, phrase_id)), FOUND)


@get("/random", include_in_schema=False)
async def go_to_any_word(request: PageRequest, dictionary: GivenDictionary) -> Response[str]:
    """Lead to any word that has a meaning: another one each time."""
    return lead_to(address_of(await dictionary.read(any_place, readers_of(request), dictionary.random)), FOUND)
