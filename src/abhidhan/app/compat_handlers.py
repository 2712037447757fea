"""The addresses that end in .php (docs/api.md lists them)."""

from litestar.types import ControllerRouterHandler

from abhidhan.dictionary.api.compat import dictionary, lists
from abhidhan.encyclopedia.api import articles
from abhidhan.media.api import compat_photos

COMPAT_HANDLERS: tuple[ControllerRouterHandler, ...] = (
    dictionary.look_up,
    dictionary.list_alphabetically,
    dictionary.list_recent,
    lists.check_phrase,
    lists.transliterate,
    articles.show_extract,
    lists.list_card_sets,
    lists.list_cards,
    lists.get_list,
    compat_photos.submit_photo,
)
