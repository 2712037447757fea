"""The addresses that end in .php (docs/api.md lists them)."""

from litestar.types import ControllerRouterHandler

from abhidhan.dictionary.api.compat import cards, dictionary, lists, phrases, transliteration
from abhidhan.encyclopedia.api import articles
from abhidhan.media.api import photos

COMPAT_HANDLERS: tuple[ControllerRouterHandler, ...] = (
    dictionary.look_up,
    dictionary.list_alphabetically,
    dictionary.list_recent,
    phrases.check_phrase,
    transliteration.transliterate,
    articles.show_extract,
    cards.list_card_sets,
    cards.list_cards,
    lists.get_list,
    photos.submit_photo,
)
