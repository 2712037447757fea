"""Lists of words that an address holds."""

from typing import Annotated, Final

from litestar import Response, get
from litestar.params import QueryParameter

from abhidhan.dictionary.api.parameters import GivenDictionary
from abhidhan.dictionary.model.list_links import read_shared_words, shared_name
from abhidhan.dictionary.service.views.saved_list import read_listed_words
from abhidhan.platform.http.rendering import GivenPages, PageRequest, readers_of
from abhidhan.platform.http.urls import absolute, list_address

LONGEST_LIST: Final = 2_400
"""Characters of the numbers of a list: as many words as there may be, each of ten digits, and some spaces."""

Words = Annotated[str, QueryParameter(max_length=LONGEST_LIST)]
Name = Annotated[str, QueryParameter(max_length=1_000)]


@get("/list", include_in_schema=False)
async def show_shared(
    request: PageRequest, dictionary: GivenDictionary, pages: GivenPages, words: Words = "", name: Name = ""
) -> Response[str]:
    """Show a list that its address has in itself. Raises InputError."""
    word_ids, title = read_shared_words(words), shared_name(name)
    listed = await dictionary.read_in_thread(read_listed_words, word_ids, readers_of(request))
    there = [each.word.id for each in listed.words]
    address = absolute(pages.base(request), list_address("/list", there, title))
    values = {"page": listed, "name": title, "word_ids": there, "address": address}
    return pages.show(request, "list.html", values)
