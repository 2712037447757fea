"""The pages: what readers, contributors and editors see in a browser."""

from litestar.types import ControllerRouterHandler

from abhidhan.web.pages import (
    about,
    assets,
    browse,
    cards,
    daily,
    discovery,
    downloads,
    embedding,
    languages,
    packs,
    permanent,
    previews,
    proverbs,
    recent,
    script,
    shared_lists,
    words,
)
from abhidhan.web.pages.account import ACCOUNT_HANDLERS
from abhidhan.web.pages.citing import CITING_HANDLERS
from abhidhan.web.pages.contributions import CONTRIBUTION_HANDLERS
from abhidhan.web.pages.corrections import CORRECTION_HANDLERS
from abhidhan.web.pages.editing import EDITING_HANDLERS
from abhidhan.web.pages.editor_lists import EDITOR_LIST_HANDLERS
from abhidhan.web.pages.mail_addresses import MAIL_ADDRESS_HANDLERS
from abhidhan.web.pages.mails import MAIL_HANDLERS
from abhidhan.web.pages.merging import MERGING_HANDLERS
from abhidhan.web.pages.missing_words import MISSING_HANDLERS
from abhidhan.web.pages.offline import OFFLINE_HANDLERS
from abhidhan.web.pages.people import PEOPLE_HANDLERS
from abhidhan.web.pages.personal_data import PERSONAL_DATA_HANDLERS
from abhidhan.web.pages.photos import PHOTO_HANDLERS
from abhidhan.web.pages.public_history import PUBLIC_HISTORY_HANDLERS
from abhidhan.web.pages.record_forms import RECORD_HANDLERS
from abhidhan.web.pages.recordings import RECORDING_HANDLERS
from abhidhan.web.pages.review import REVIEW_HANDLERS
from abhidhan.web.pages.tokens import TOKEN_HANDLERS
from abhidhan.web.pages.two_factor import TWO_FACTOR_HANDLERS
from abhidhan.web.pages.unchecked import UNCHECKED_HANDLERS
from abhidhan.web.pages.voices import VOICE_HANDLERS

PAGES_HANDLERS: tuple[ControllerRouterHandler, ...] = (
    words.show_first_page,
    words.show_word,
    words.go_to_word,
    words.go_to_new_address,
    permanent.go_to_permanent_word,
    permanent.go_to_proverb,
    permanent.go_to_any_word,
    browse.show_alphabet,
    browse.show_contexts,
    browse.show_context,
    browse.show_pictures,
    proverbs.show_proverbs,
    script.show_transliteration,
    cards.show_cards,
    downloads.read_card_set,
    shared_lists.show_shared,
    shared_lists.read_deck,
    shared_lists.read_csv,
    shared_lists.show_own,
    shared_lists.forget_kept,
    recent.show_recent,
    recent.show_feed,
    daily.show_daily_feed,
    previews.go_to_site_picture,
    about.show_about,
    languages.show_languages,
    downloads.show_downloads,
    downloads.read_download,
    downloads.refuse_edition,
    downloads.show_feed_of_downloads,
    packs.show_packs,
    packs.list_packs,
    packs.read_pack_file,
    about.keep_preference,
    discovery.show_sitemap,
    discovery.show_robots,
    discovery.show_guide_for_models,
    discovery.show_open_search,
    discovery.complete,
    discovery.show_icon,
    *OFFLINE_HANDLERS,
    assets.read_asset,
    embedding.read_embedded_script,
    embedding.show_embedding,
    *ACCOUNT_HANDLERS,
    *PHOTO_HANDLERS,
    *RECORDING_HANDLERS,
    *CITING_HANDLERS,
    *CONTRIBUTION_HANDLERS,
    *CORRECTION_HANDLERS,
    *MISSING_HANDLERS,
    *REVIEW_HANDLERS,
    *UNCHECKED_HANDLERS,
    *VOICE_HANDLERS,
    *EDITING_HANDLERS,
    *MERGING_HANDLERS,
    *PUBLIC_HISTORY_HANDLERS,
    *RECORD_HANDLERS,
    *EDITOR_LIST_HANDLERS,
    *PEOPLE_HANDLERS,
    *TWO_FACTOR_HANDLERS,
    *TOKEN_HANDLERS,
    *MAIL_HANDLERS,
    *MAIL_ADDRESS_HANDLERS,
    *PERSONAL_DATA_HANDLERS,
)
