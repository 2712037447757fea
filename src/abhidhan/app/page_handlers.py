"""The handlers of all pages, for readers, contributors and editors."""

from litestar.types import ControllerRouterHandler

from abhidhan.app.personal_data_pages import PERSONAL_DATA_HANDLERS
from abhidhan.contributions.pages.contributions import CONTRIBUTION_HANDLERS
from abhidhan.contributions.pages.corrections import CORRECTION_HANDLERS
from abhidhan.contributions.pages.missing_words import MISSING_HANDLERS
from abhidhan.contributions.pages.my_submissions import show_account
from abhidhan.contributions.pages.review import REVIEW_HANDLERS
from abhidhan.contributions.pages.unreviewed import UNCHECKED_HANDLERS
from abhidhan.dictionary.pages import about, browse, cards, embed, recent, script, site_metadata, words
from abhidhan.dictionary.pages.offline import OFFLINE_HANDLERS
from abhidhan.editing.pages.citations import CITATION_HANDLERS
from abhidhan.editing.pages.editing import EDITING_HANDLERS
from abhidhan.editing.pages.editor_lists import EDITOR_LIST_HANDLERS
from abhidhan.editing.pages.merging import MERGING_HANDLERS
from abhidhan.editing.pages.record_forms import RECORD_HANDLERS
from abhidhan.exchange.pages import download_csv, download_deck
from abhidhan.media.pages.photos import PHOTO_HANDLERS
from abhidhan.media.pages.recordings import RECORDING_HANDLERS
from abhidhan.people.pages.account import ACCOUNT_HANDLERS
from abhidhan.people.pages.mails import MAIL_HANDLERS
from abhidhan.people.pages.people import PEOPLE_HANDLERS
from abhidhan.people.pages.tokens import TOKEN_HANDLERS
from abhidhan.people.pages.two_factor import TWO_FACTOR_HANDLERS
from abhidhan.platform.http import assets
from abhidhan.publishing.pages import downloads, packs

PAGE_HANDLERS: tuple[ControllerRouterHandler, ...] = (
    words.show_home_page,
    words.show_word,
    words.redirect_to_word,
    words.redirect_old_address,
    words.redirect_to_word_by_id,
    words.redirect_to_proverb,
    words.redirect_to_random_word,
    browse.show_alphabet,
    browse.show_contexts,
    browse.show_context,
    browse.show_pictures,
    browse.show_proverbs,
    script.show_transliteration,
    cards.show_cards,
    downloads.read_card_set,
    cards.show_linked_list,
    download_deck,
    download_csv,
    recent.show_recent,
    recent.show_feed,
    recent.show_daily_feed,
    about.show_about,
    about.show_settings,
    about.save_settings,
    browse.show_languages,
    downloads.show_downloads,
    downloads.read_download,
    downloads.refuse_edition,
    downloads.show_downloads_feed,
    packs.show_packs,
    packs.list_packs,
    packs.read_pack_file,
    about.save_preference,
    site_metadata.show_sitemap,
    site_metadata.show_robots,
    site_metadata.show_guide_for_models,
    site_metadata.show_open_search,
    site_metadata.complete,
    site_metadata.show_icon,
    *OFFLINE_HANDLERS,
    assets.read_asset,
    embed.read_embedded_script,
    embed.show_embedding,
    show_account,
    *ACCOUNT_HANDLERS,
    *PHOTO_HANDLERS,
    *RECORDING_HANDLERS,
    *CITATION_HANDLERS,
    *CONTRIBUTION_HANDLERS,
    *CORRECTION_HANDLERS,
    *MISSING_HANDLERS,
    *REVIEW_HANDLERS,
    *UNCHECKED_HANDLERS,
    *EDITING_HANDLERS,
    *MERGING_HANDLERS,
    *RECORD_HANDLERS,
    *EDITOR_LIST_HANDLERS,
    *PEOPLE_HANDLERS,
    *TWO_FACTOR_HANDLERS,
    *TOKEN_HANDLERS,
    *MAIL_HANDLERS,
    *PERSONAL_DATA_HANDLERS,
)
