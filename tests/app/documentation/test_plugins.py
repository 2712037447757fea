"""The document accepts what the server accepts, and refuses what it refuses: one table of bodies, asked of both."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator

from abhidhan.app.asgi import describe_api
from abhidhan.records.people import Role
from tests.support.contributions import Site

Body = dict[str, Any]


def word(**more: object) -> Body:
    return {"kind": "word", "data": {"language": "as", "word": "নীৰ"} | more}


def correction(**data: object) -> Body:
    return {"kind": "correction", "data": data}


def proverb(**more: object) -> Body:
    return {"kind": "proverb", "data": {"text": "নতুন ফকৰা এটা লিখিলোঁ আজি", "category": "Other"} | more}


def example(**more: object) -> Body:
    return {"kind": "example", "data": {"idea_id": 1, "language": "as", "text": "পানী খাওঁ"} | more}


def card(**more: object) -> Body:
    return {"kind": "card", "data": {"set_id": 1, "clue": "নীৰ", "answer": "water"} | more}


def lists(*words: object, **more: object) -> Body:
    return {"lists": [{"id": "mine", "name": "Mine", "words": list(words)} | more]}


def edit(version: object = 0, **changes: object) -> Body:
    return {"version": version, "changes": changes}


LOOKUP = "POST /api/lookup"
SUBMIT = "POST /api/submissions"
SIMILAR = "POST /api/submissions/similar"
REPORT = "POST /api/reports"
MISSING = "POST /api/reports/missing"
LISTS = "PUT /api/account/lists"
IDEA = "PATCH /api/editing/ideas/1"
WORD = "PATCH /api/editing/words/1"
OTHER_WORD = "PATCH /api/editing/words/2"
SENSE = "PATCH /api/editing/senses/1"
PROVERB = "PATCH /api/editing/proverbs/1"
CARD = "PATCH /api/editing/cards/1"
NEW_IDEA = "POST /api/editing/ideas"
NEW_WORD = "POST /api/editing/words"
NEW_PROVERB = "POST /api/editing/proverbs"
NEW_CARD = "POST /api/editing/cards"
RELATE = "POST /api/editing/ideas/1/relations"
MERGE = "POST /api/editing/ideas/3/merge"
MOVE = "POST /api/editing/senses/1/move"
VALUE = "POST /api/editing/lists/CTX"
SIGN_IN = "POST /api/session"

MEANING = {
    "pos": "Common Noun",
    "gender": 1,
    "contexts": [1],
    "definitions": [{"language": "en", "text": "water"}],
    "examples": [{"language": "as", "text": "পানী খাওঁ", "translation": None}],
}

CORRECT: list[tuple[str, Body]] = [
    (LOOKUP, {"words": ["পানী"]}),
    (LOOKUP, {"words": ["পানী", "water"], "language": 2, "fields": "id,word", "langs": ["as", 1]}),
    (LOOKUP, {"words": ["pani"], "language": "as", "fields": ["word", "meanings"], "langs": "as,en"}),
    (LOOKUP, {"words": ["পানী"], "language": None, "fields": None, "langs": None}),
    (SUBMIT, word(idea_id=1)),
    (SUBMIT, word(word="নীৰ নতুন", meaning=MEANING)),
    (SUBMIT, word(idea_id=1, roman="nir", ipa="niɹ", countable=False, frequency=2.5, note="নোট")),
    (SUBMIT, word(idea_id=1, translations=[{"language": "en", "word": "aqua"}, {"language": 1, "word": "eau"}])),
    (SUBMIT, word(idea_id=1, meaning=None, variant=None, translations=[])),
    (SUBMIT, correction(word_id=1, word={"roman": "pani"})),
    (SUBMIT, correction(word_id=1, word={"roman": None, "word": "পানী২"}, comment="better")),
    (SUBMIT, correction(idea_id=1, idea={"glyph": "🚰"})),
    (SUBMIT, correction(idea_id=1, idea={"definitions": [{"language": "en", "text": "a drink"}], "contexts": []})),
    (SUBMIT, correction(phrase_id=1, phrase={"meaning": "another", "meanings": [{"language": "hi", "text": "x"}]})),
    (SUBMIT, correction(word_id=1, idea_id=1, sense={"note": "only of rivers"})),
    (SUBMIT, correction(word_id=1, idea_id=1, sense={"position": 1, "reference": None}, unlink=False)),
    (SUBMIT, correction(word_id=1, idea_id=1, unlink=True)),
    (SUBMIT, correction(word_id=1, idea_id=1, unlink=True, sense=None, word=None, comment=None)),
    (SUBMIT, correction(word_id=1, word={"ipa": "pani"}, idea_id=None, idea=None, phrase=None, sense=None)),
    (SUBMIT, proverb()),
    (SUBMIT, proverb(language="as", meaning="new", roman="natun", meanings=[{"language": "hi", "text": "नया"}])),
    (SUBMIT, example()),
    (SUBMIT, example(translation="I drink water")),
    (SUBMIT, card()),
    (SUBMIT, card(roman="nir", idea_id=1, picture="💧")),
    (SIMILAR, word(idea_id=1)),
    (REPORT, {"word_id": 1, "text": "The meaning is wrong."}),
    (MISSING, {"language": "as", "word": "নাইকিয়াশব্দ"}),
    (MISSING, {"language": 2, "word": "আন এটা"}),
    (LISTS, {"lists": []}),
    (LISTS, lists()),
    (LISTS, lists({"id": 1, "at": 5, "place": 1.5}, named=5, place=0, placed=5)),
    (LISTS, lists({"id": 1, "at": 6}, {"id": 2, "at": 6, "place": None}, is_removed=False, removed=0)),
    (LISTS, lists(name="") | {"owner": "editor"}),
    (IDEA, edit(glyph="🚰", contexts=[], examples=[{"language": "as", "text": "পানী"}])),
    (WORD, edit(roman="pani", frequency=3)),
    (OTHER_WORD, edit(ipa=None, variant=None, countable=True)),
    (SENSE, edit(note="only of rivers", position=1)),
    (PROVERB, edit(meaning="another", category="Other", meanings=[])),
    (CARD, edit(clue="পানী", picture=None)),
    (NEW_IDEA, {"pos": "Common Noun"}),
    (NEW_IDEA, MEANING),
    (NEW_WORD, word(word="আন নীৰ", idea_id=1)["data"]),
    (NEW_PROVERB, proverb(text="আন এটা একেবাৰে বেলেগ কথা")["data"]),
    (NEW_CARD, card(clue="আন")["data"]),
    (RELATE, {"type_id": 1, "other_id": 2}),
    (MOVE, {"order": "words", "steps": -1}),
    (MERGE, {"into": 2}),
    (VALUE, {"value": "A new context"}),
    (SIGN_IN, {"username": "editor", "password": "a long enough password"}),
]

LONG = "ক" * 201

WRONG: list[tuple[str, Body]] = [
    (LOOKUP, {}),
    (LOOKUP, {"words": []}),
    (LOOKUP, {"words": [" "]}),
    (LOOKUP, {"words": ["ক"] * 101}),
    (LOOKUP, {"words": [LONG]}),
    (LOOKUP, {"words": ["ক"], "fields": "colour"}),
    (LOOKUP, {"words": ["ক"], "fields": ["word", "colour"]}),
    (LOOKUP, {"words": ["ক"], "lang": "as"}),
    (SUBMIT, {"kind": "nonsense", "data": {}}),
    (SUBMIT, {"kind": "word"}),
    (SUBMIT, word()),
    (SUBMIT, word(idea_id=0)),
    (SUBMIT, word(idea_id=1, word=" ")),
    (SUBMIT, word(idea_id=1, word=LONG)),
    (SUBMIT, word(idea_id=1, colour="blue")),
    (SUBMIT, word(meaning={"pos": "Common Noun", "colour": "blue"})),
    (SUBMIT, word(meaning={"gender": 1})),
    (SUBMIT, word(idea_id=1, frequency=-1)),
    (SUBMIT, word(idea_id=1, frequency="often")),
    (SUBMIT, word(idea_id=1, translations=["aqua"])),
    (SUBMIT, word(idea_id=1, translations=[{"word": "aqua"}])),
    (SUBMIT, word(idea_id=1, translations=[{"language": "en", "word": "a", "colour": "blue"}])),
    (SUBMIT, word(idea_id=1, translations=[{"language": "en", "word": str(n)} for n in range(51)])),
    (SUBMIT, word(idea_id=1) | {"note": "beside the data"}),
    (SUBMIT, correction()),
    (SUBMIT, correction(word_id=1)),
    (SUBMIT, correction(word_id=1, idea={"glyph": "🚰"})),
    (SUBMIT, correction(word_id=1, word={"roman": "x"}, phrase_id=1, phrase={"roman": "x"})),
    (SUBMIT, correction(word_id=1, word={"word": None})),
    (SUBMIT, correction(word_id=1, sense={"note": "x"})),
    (SUBMIT, correction(word_id=1, idea_id=1, sense={"note": "x"}, unlink=True)),
    (SUBMIT, correction(word_id=1, idea_id=1, sense={"position": 0})),
    (SUBMIT, correction(word_id=1, unlink=True)),
    (SUBMIT, correction(word_id=1, idea_id=1, unlink="yes")),
    (SUBMIT, correction(word_id=1, word={"roman": "x"}, comment="x" * 2001)),
    (SUBMIT, proverb(text="")),
    (SUBMIT, proverb(meanings=[{"language": "hi"}])),
    (SUBMIT, example(idea_id="one")),
    (SUBMIT, card(clue=None)),
    (REPORT, {"word_id": 1}),
    (MISSING, {"language": "as", "word": ""}),
    (LISTS, lists({"id": 1})),
    (LISTS, lists({"id": 1, "at": -1})),
    (LISTS, lists("পানী")),
    (LISTS, {"lists": [{"id": "Not Lower Case"}]}),
    (LISTS, {"lists": [{"name": "Mine"}]}),
    (IDEA, edit(contexts=[None])),
    (IDEA, edit(definitions=[{"language": "en", "text": "x", "colour": "blue"}])),
    (WORD, {"changes": {"roman": "x"}}),
    (WORD, edit(-1, roman="x")),
    (WORD, edit(colour="blue")),
    (SENSE, edit(position=None)),
    (CARD, edit(clue="")),
    (RELATE, {"type_id": 1, "other_id": 0}),
    (MERGE, {"into": "two"}),
    (MOVE, {"order": "letters", "steps": 1}),
    (VALUE, {"value": " "}),
    (SIGN_IN, {"username": "editor"}),
]


@pytest.fixture
def edited(open_site: Site) -> Site:
    """Let an editor sign in."""
    open_site.add("editor", Role.EDITOR)
    return open_site


@cache
def document_schema() -> Any:  # noqa: ANN401 (JSON)
    return describe_api().to_schema()


def is_described(address: str, body: Body) -> object:
    """Say whether a body is as the document describes it."""
    method, path = address.split()
    described = next(
        operations[method.lower()]
        for template, operations in document_schema()["paths"].items()
        if method.lower() in operations and matches(template, path)
    )
    schema = described["requestBody"]["content"]["application/json"]["schema"]
    return OAS31Validator(schema | {"components": document_schema()["components"]}).is_valid(body)


def matches(template: str, path: str) -> bool:
    parts = list(zip(template.split("/"), path.split("/"), strict=False))
    is_as_long = template.count("/") == path.count("/")
    return is_as_long and all(one == other or one.startswith("{") for one, other in parts)


def send_all(site: Site, bodies: list[tuple[str, Body]]) -> Iterator[tuple[str, Body, int]]:
    for address, body in bodies:
        method, path = address.split()
        yield address, body, site.ask(method, path, by="editor", json=body).status


def test_correct_bodies_are_accepted_by_the_document_and_by_the_server(edited: Site) -> None:
    refused = [(address, body) for address, body in CORRECT if not is_described(address, body)]
    unexpected = [each for each in send_all(edited, CORRECT) if each[-1] >= 300]

    assert len(CORRECT) >= 50
    assert refused == []
    assert unexpected == []


def test_wrong_bodies_are_refused_by_the_document_and_by_the_server(edited: Site) -> None:
    accepted = [(address, body) for address, body in WRONG if is_described(address, body)]
    unexpected = [each for each in send_all(edited, WRONG) if each[-1] not in {400, 422}]

    assert len(WRONG) >= 50
    assert accepted == []
    assert unexpected == []


def test_a_state_that_was_read_for_editing_is_described_as_a_body_of_an_edit(edited: Site) -> None:
    for kind in ("ideas", "words", "senses", "proverbs", "cards"):
        state = edited.ask("GET", f"/api/editing/{kind}/1", by="editor").json

        assert is_described(f"PATCH /api/editing/{kind}/1", state), state
