"""Nobody who reads a page or a message sees how the program writes things for itself."""

import ast
import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import abhidhan
from abhidhan.records.errors import quoted
from abhidhan.records.people import Role
from tests.contributions.pages.test_review import CORRECTION, QUEUE, WORD
from tests.editing.pages.test_editing import fields_of_form
from tests.people.pages.test_account import send_photo, shown, site
from tests.support.contributions import Site, photo_bytes
from tests.support.databases import SqliteDatabases
from tests.support.pages import open_pages, send_form, sign_in

__all__ = ["site"]

PACKAGE: Final = Path(abhidhan.__file__).parent

WRITTEN_FOR_THE_PROGRAM: Final = {
    "assamese/search_keys.py": "a fingerprint that nobody reads: to write it differently would rebuild every index",
    "records/lazy_json.py": "a list writes itself as lists do",
}

AS_PYTHON_WRITES: Final = re.compile(
    r"<\w+(\.\w+)*(:| object)| at 0x|\b(Role|Status|Step|Kind|Permission|Action|ListName|Named|RecordName)[.(]"
    r"|[\[({]'|: '|\bNone\b|\bUNSET\b|%\(\w+\)s"
)

PAGES: Final = (
    "/account",
    "/account/submit/word",
    "/account/submit/proverb",
    "/account/submit/photo?idea=1",
    f"{CORRECTION}?word=1",
    f"{CORRECTION}?word=1&fact=word.origin",
    "/account/two-factor",
    "/account/password",
    "/account/remove",
    "/account/people",
    "/account/people/1",
    "/review/photos",
    QUEUE,
    *(f"{QUEUE}/{number}" for number in range(1, 7)),
    "/edit/word/1",
    "/edit/idea/1",
    "/edit/idea/1/relations",
    "/edit/proverbs",
    "/edit/proverb/1",
    "/edit/cards",
    "/edit/set/1",
    "/edit/card/1",
    "/edit/lists",
    "/edit/lists/POS",
    "/edit/history/1?of=word:1",
)


def python_in(source: ast.AST) -> Iterator[int]:
    """List the lines in which a value is written as Python writes it for itself."""
    for node in ast.walk(source):
        converted = isinstance(node, ast.FormattedValue) and node.conversion in {ord("r"), ord("a")}
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"repr", "ascii"}
        text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        patterned = text and re.search(r"%(\(\w+\))?[ra]\b|\{\w*![ra]\}", str(getattr(node, "value", "")))
        if converted or called or patterned:
            yield getattr(node, "lineno", 0)


def test_no_sentence_of_the_program_is_made_with_repr() -> None:
    places = {
        f"{file.relative_to(PACKAGE)}:{line}"
        for file in PACKAGE.rglob("*.py")
        if str(file.relative_to(PACKAGE)) not in WRITTEN_FOR_THE_PROGRAM
        for line in python_in(ast.parse(file.read_text(encoding="utf-8")))
    }

    assert places == set()


def test_user_input_is_quoted_without_escapes_of_python() -> None:
    for text, expected in (("it's", "'it's'"), ("a\x1b[1mb", "'a\ufffd[1mb'"), ("ক্‌ষ", "'ক্‌ষ'")):
        assert quoted(text) == expected


def make_busy(site: Site) -> Site:
    """Add people of every role, and let everything wait that people send."""
    sign_in(site, "anil", Role.CONTRIBUTOR)
    sign_in(site, "chief", Role.ADMINISTRATOR)
    send_form(site, "/account/submit/word", WORD, by="anil")
    send_form(site, "/account/submit/proverb", {"text": "নতুন যোজনা", "language": "as", "category": "2"}, by="anil")
    for fact, proposed in (("word.roman", "paani"), ("word.origin", "Old English wæter"), ("word.roman", "")):
        page = shown(site.ask("GET", f"{CORRECTION}?word=1&fact={fact}", by="anil"))
        send_form(site, CORRECTION, fields_of_form(page) | {"proposed": proposed}, by="anil")
    page = shown(site.ask("GET", f"{CORRECTION}?word=1", by="anil"))
    send_form(site, CORRECTION, fields_of_form(page) | {"text": "The second meaning is wrong."}, by="anil")
    send_photo(site, photo_bytes(), by="anil")
    return site


@pytest.fixture(scope="module")
def busy(sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Open a busy site that tests only look at."""
    with open_pages(sqlite_databases, tmp_path_factory.mktemp("busy")) as site:
        yield make_busy(site)


@pytest.fixture
def waiting(site: Site) -> Site:
    """Open a busy site of the test's own."""
    return make_busy(site)


def text_of(site: Site, path: str, by: str, language: str) -> str:
    answer = site.ask("GET", path, by=by, headers={"Accept-Language": language})
    assert answer.status in {200, 303, 403, 404}, path
    body = re.sub(r"<script.*?</script>|<[a-z/!][^>]*>", " ", answer.body.decode(), flags=re.DOTALL)
    return html.unescape(body)


def test_no_page_of_a_signed_in_person_contains_python(busy: Site) -> None:
    wrong = {
        (path, by, language): match[0]
        for by in ("reader", "anil", "editor", "chief")
        for language in ("en", "as")
        for path in PAGES
        if (match := AS_PYTHON_WRITES.search(text_of(busy, path, by, language))) is not None
    }

    assert wrong == {}


def test_the_account_page_describes_a_correction_in_the_language_of_the_reader(busy: Site) -> None:
    for language, kind in (("en", "Correction"), ("as", "শুধৰণি")):
        page = shown(busy.ask("GET", "/account", by="anil", headers={"Accept-Language": language}))

        assert kind in page.main
        assert "পানী" in page.main
        assert "Old English wæter" in page.main


REFUSED: Final = (
    ("POST", "/api/submissions", "reader", "“reader” may not submit words"),
    ("POST", "/api/submissions/1/approve", "anil", "“contributor” may not review"),
    ("POST", "/api/photos/1/approve", "anil", "“contributor” may not review"),
    ("POST", "/api/editing/words", "anil", "“contributor” may not edit the dictionary directly"),
)


def test_a_forbidden_action_is_refused_in_plain_words(busy: Site) -> None:
    body = {"kind": "word", "data": {"language": "as", "word": "নীৰ", "idea_id": 1}}

    for method, path, by, reason in REFUSED:
        answer = busy.ask(method, path, by=by, json=body, headers={"Sec-Fetch-Site": "same-origin"})

        assert answer.status == 403, path
        assert reason in answer.json["detail"]
        assert not AS_PYTHON_WRITES.search(answer.json["detail"])


DECIDED: Final = (
    ("submissions", 1, "approve", "reject", "has been approved; it can no longer be rejected"),
    ("submissions", 2, "reject", "approve", "has been rejected; it can no longer be approved"),
    ("submissions", 3, "approve", "withdraw", "has been approved; it can no longer be withdrawn"),
    ("photos", 1, "approve", "withdraw", "has been approved; it can no longer be withdrawn"),
)


def test_a_second_decision_is_refused_in_plain_words(waiting: Site) -> None:
    def decide(kind: str, number: int, step: str) -> tuple[int, str]:
        by = "anil" if step == "withdraw" else "editor"
        reason = {"reason": "It is known."} if step == "reject" else None
        headers = {"Sec-Fetch-Site": "same-origin"}
        answer = waiting.ask("POST", f"/api/{kind}/{number}/{step}", by=by, json=reason, headers=headers)
        return answer.status, answer.json.get("detail", "")

    for kind, number, first, second, reason in DECIDED:
        assert decide(kind, number, first)[0] == 200, (kind, number)
        status, detail = decide(kind, number, second)

        assert status == 409
        assert reason in detail


def test_a_page_that_refuses_access_is_in_the_language_of_the_reader(busy: Site) -> None:
    page = text_of(busy, "/edit/word/1", "anil", "as")

    assert "may not" not in page
    assert "অৱদানকাৰী" in page
