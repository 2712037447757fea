"""The licence of contributions on the pages: above each button, in each form, and beside what has come of it."""

import pytest
from sqlalchemy import update

from abhidhan import schema
from tests.contributions.pages.test_contributions import WORD, contributor
from tests.people.pages.test_account import send_photo, shown, site
from tests.support.contributions import Site, photo_bytes
from tests.support.pages import send_form

__all__ = ["contributor", "site"]

FORMS = (
    "/account/submit/word",
    "/account/submit/proverb",
    "/account/submit/photo?idea=1",
    "/account/submit/correction?word=1",
    "/account/submit/correction?word=1&fact=word.origin",
)
UNDER = "CC BY-SA 4.0"
TEXT = "https://creativecommons.org/licenses/by-sa/4.0/"


def test_the_licence_is_named_above_the_button_and_sent_with_the_form(
    unchanged_site: Site, subtests: pytest.Subtests
) -> None:
    for path in FORMS:
        with subtests.test(path):
            page = shown(unchanged_site.ask("GET", path, by="anil"))

            form = page.source[page.source.rindex("<form", 0, page.source.index('name="licence"')) :]
            assert page.one("input", name="licence").attributes["value"] == UNDER
            assert page.one("a", rel="license").attributes["href"] == TEXT
            assert form.index('rel="license"') < form.index("<button")


def test_a_form_with_another_licence_is_refused_kept_and_shows_the_current_licence(contributor: Site) -> None:
    refused = send_form(contributor, "/account/submit/word", WORD | {"licence": "CC0"}, by="anil")

    page = shown(refused)
    assert refused.status == 400
    assert "is now CC BY-SA 4.0" in page.one("div", role="alert").text
    assert page.one("input", name="word").attributes["value"] == WORD["word"]
    assert page.one("input", name="licence").attributes["value"] == UNDER
    again = WORD | {"licence": UNDER}
    assert send_form(contributor, "/account/submit/word", again, by="anil").headers["location"] == "/account?done=sent"


def test_a_word_a_proverb_and_a_photo_are_shown_with_their_licence(contributor: Site) -> None:
    proverb = {"text": "নতুন যোজনা এটা", "language": "as", "category": "2"}
    send_form(contributor, "/account/submit/word", WORD, by="anil")
    send_form(contributor, "/account/submit/proverb", proverb, by="anil")
    send_photo(contributor, photo_bytes())
    assert shown(contributor.ask("GET", "/account", by="anil")).main.count(UNDER) == 2
    for queue, number in (("submissions", 1), ("submissions", 2), ("photos", 1)):
        waiting = shown(contributor.ask("GET", f"/review/{queue}", by="editor"))
        assert waiting.all("a", rel="license")
        send_form(contributor, f"/review/{queue}/{number}", {"decision": "approve"}, by="editor")

    new = shown(contributor.ask("GET", f"/dic/{WORD['word']}"))
    assert f"Contributed under {UNDER}" in new.one("footer", **{"class": "entry-footer quiet small"}).text
    assert f"A. Photographer · {UNDER}" in shown(contributor.ask("GET", "/dic/পানী")).one("figcaption").text
    saying = shown(contributor.ask("GET", f"/dic/{proverb['text']}"))
    assert [each.attributes["href"] for each in saying.all("a", rel="license")] == [TEXT]


def test_older_contributions_show_no_licence(contributor: Site) -> None:
    send_form(contributor, "/account/submit/word", WORD, by="anil")
    send_photo(contributor, photo_bytes())
    with contributor.database.engine.begin() as connection:
        connection.execute(update(schema.submission).values(licence=None))
        connection.execute(update(schema.photo).values(licence=None))
    send_form(contributor, "/review/submissions/1", {"decision": "approve"}, by="editor")
    send_form(contributor, "/review/photos/1", {"decision": "approve"}, by="editor")

    new = shown(contributor.ask("GET", f"/dic/{WORD['word']}"))
    assert "No licence given" in new.one("footer", **{"class": "entry-footer quiet small"}).text
    assert "No licence given" in shown(contributor.ask("GET", "/dic/পানী")).one("figcaption").text
