"""Lists that an address has in itself, without a script: the page, the cards, the deck, the CSV."""

import csv
import io
import sqlite3
import zipfile
from pathlib import Path
from urllib.parse import urlencode

import msgspec
import pytest

from tests.support.page import Page
from tests.support.page_fixtures import HOSTILE, Ask, OpenPage


@pytest.fixture(scope="module")
def ids(ask_page: Ask) -> dict[str, int]:
    """Find the IDs of some words by the API."""

    def find(text: str) -> int:
        answer = ask_page("/api/words", urlencode({"search": text, "fields": "id"}))
        return int(msgspec.json.decode(answer.body)["data"][0]["id"])

    return {text: find(text) for text in ("পানী", "water", HOSTILE)}


def test_a_list_shows_its_words_in_order_with_their_meanings(page: OpenPage, ids: dict[str, int]) -> None:
    shown = page("/list", f"words={ids['water']},{ids['পানী']}&name=Rivers")

    assert [link.text for link in shown.all("a", **{"class": "headword"})] == ["water", "পানী"]
    assert shown.one("meta", name="robots").attributes["content"] == "noindex, nofollow"
    assert "Rivers" in shown.source
    assert shown.one("h1").text == "Word list"
    assert shown.one("meta", property="og:title").attributes["content"] == "Rivers · Word list · Abhidhan"
    assert shown.one("meta", property="og:description").attributes["content"] == "water, পানী"
    assert shown.one("meta", property="og:url").attributes["content"].endswith("&name=Rivers")
    given = f"words={ids['water']},{ids['পানী']}&name=Rivers"
    for path in ("/flashcards", "/list.apkg", "/list.csv"):
        assert shown.links_to(f"{path}?{given}")
    assert shown.one("input", id="link").attributes["value"] == f"https://dictionary.example/list?{given}"


def test_deleted_words_are_left_out_and_counted(page: OpenPage, ids: dict[str, int]) -> None:
    shown = page("/list", f"words={ids['water']},2000000000,2000000001")

    assert "2 words in this list are no longer in the dictionary." in shown.source
    assert shown.links_to(f"/flashcards?words={ids['water']}")


def test_a_list_of_which_nothing_is_left_says_so(page: OpenPage) -> None:
    shown = page("/list", "words=2000000000")

    assert "No words yet." in shown.source
    assert not shown.links_to("/list.apkg")


def test_a_hostile_list_name_is_cleaned_and_marked_as_chosen_by_the_sender(ask_page: Ask, ids: dict[str, int]) -> None:
    for path in ("/list", "/flashcards"):
        query = urlencode({"words": ids["water"], "name": HOSTILE + "\u202eevil" + "x" * 500})
        text = ask_page(path, query).body.decode()

        assert "List name, chosen by the person who shared it:" in text, path
        assert "<script>alert" not in text
        assert "\u202e" not in text
        assert "x" * 90 not in text
        # The preview in a chat names the list, and says after the name what it is.
        assert "Word list" in Page(text).one("title").text or path == "/flashcards"


def test_invalid_lists_are_rejected_on_every_page(ask_page: Ask) -> None:
    for path in ("/list", "/list.apkg", "/list.csv", "/flashcards"):
        for words in ("x", "1,,2", ",".join(map(str, range(1, 202))), "1" * 2_401):
            answer = ask_page(path, urlencode({"words": words}))

            assert answer.status == 400, (path, words)
            assert answer.headers["content-type"].startswith(("text/html", "application/problem+json"))


def test_the_words_of_a_list_are_practised_as_cards_with_a_state_of_their_own(
    page: OpenPage, ids: dict[str, int]
) -> None:
    shown = page("/flashcards", f"words={ids['পানী']},{ids['water']}&name=Mine")

    assert [each.attributes["data-card"] for each in shown.all("li") if "data-card" in each.attributes] == [
        str(ids["পানী"]),
        str(ids["water"]),
    ]
    assert [each.text for each in shown.all("span", **{"class": "word"})] == ["পানী", "water"]
    assert {each.attributes.get("data-progress") for each in shown.all("li")} == {"list"}
    assert shown.one("meta", name="robots").attributes["content"] == "noindex, nofollow"


def test_a_csv_is_safe_to_open_and_names_the_words(ask_page: Ask, ids: dict[str, int]) -> None:
    answer = ask_page("/list.csv", urlencode({"words": f"{ids['পানী']},{ids[HOSTILE]}"}))
    rows = list(csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig"))))

    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="abhidhan-list.csv"'
    assert [row["id"] for row in rows] == [str(ids["পানী"]), str(ids[HOSTILE])]
    assert (rows[0]["word"], rows[0]["language"]) == ("পানী", "as")
    assert rows[1]["word"] == HOSTILE


def test_a_deck_has_a_note_for_each_word_and_the_same_list_is_the_same_deck(
    ask_page: Ask, ids: dict[str, int], tmp_path: Path
) -> None:
    def notes(name: str, words: str) -> list[tuple[str, str]]:
        answer = ask_page("/list.apkg", urlencode({"words": words, "name": name}))
        (tmp_path / "collection").write_bytes(zipfile.ZipFile(io.BytesIO(answer.body)).read("collection.anki2"))
        return sqlite3.connect(tmp_path / "collection").execute("SELECT guid, sfld FROM notes").fetchall()

    both = notes("Mine::yours", f"{ids['পানী']},{ids['water']}")
    assert [text for _, text in both] == ["পানী", "water"]
    assert notes("Mine::yours", str(ids["water"]))[0] == both[1]
    assert notes("Another", str(ids["water"]))[0] != both[1]


def test_without_a_script_the_page_of_own_lists_says_that_it_needs_one(page: OpenPage) -> None:
    shown = page("/my-lists")

    assert "Lists need JavaScript" in shown.source
    assert shown.one("meta", name="robots").attributes["content"] == "noindex"
    assert (
        next(each for each in shown.all("div") if "data-my-lists" in each.attributes).attributes["data-langs"]
        == "en,as"
    )


def test_words_in_lists_and_entries_are_marked_for_the_star_script(
    page: OpenPage, ids: dict[str, int], subtests: pytest.Subtests
) -> None:
    for address in (("/browse", "language=en&start=w"), ("/dic/water", ""), ("/search", "q=wat*")):
        with subtests.test(address[0]):
            shown = page(*address)

            starred = {each.attributes["data-star"] for each in shown.elements if "data-star" in each.attributes}
            assert len([each for each in shown.elements if "data-star-texts" in each.attributes]) == 1
            assert str(ids["water"]) in starred
