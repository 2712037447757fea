"""The addresses that end in .php (docs/api.md lists them)."""

from litestar.types import ControllerRouterHandler

from abhidhan.web.compat import articles, cards, dictionary, lists, photos, phrases, script

COMPAT_HANDLERS: tuple[ControllerRouterHandler, ...] = (
    dictionary.look_up,
    dictionary.list_alphabetically,
    dictionary.list_recent,
    phrases.check_phrase,
    script.transliterate,
    articles.show_extract,
    cards.list_card_sets,
    cards.list_cards,
    lists.get_list,
    photos.submit_photo,
)
