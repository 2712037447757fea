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
from tests.support.contributing import Site, photo_bytes
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
    found = {
        f"{file.relative_to(PACKAGE)}:{line}"
        for file in PACKAGE.rglob("*.py")
        if str(file.relative_to(PACKAGE)) not in WRITTEN_FOR_THE_PROGRAM
        for line in python_in(ast.parse(file.read_text(encoding="utf-8")))
    }

    assert found == set()


@pytest.mark.parametrize(("text", "seen"), [("it's", "'it's'"), ("a\x1b[1mb", "'a\ufffd[1mb'"), ("ক্‌ষ", "'ক্‌ষ'")])
def test_what_somebody_has_written_is_quoted_as_a_person_would(text: str, seen: str) -> None:
    assert quoted(text) == seen


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


@pytest.mark.parametrize("language", ["en", "as"])
@pytest.mark.parametrize("by", ["reader", "anil", "editor", "chief"])
def test_no_page_of_people_shows_python(busy: Site, by: str, language: str) -> None:
    wrong = {
        path: found[0]
        for path in PAGES
        if (found := AS_PYTHON_WRITES.search(text_of(busy, path, by, language))) is not None
    }

    assert wrong == {}


@pytest.mark.parametrize(("language", "kind"), [("en", "Correction"), ("as", "শুধৰণি")])
def test_the_account_tells_of_a_correction_in_words(busy: Site, language: str, kind: str) -> None:
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


@pytest.mark.parametrize(("method", "path", "by", "said"), REFUSED)
def test_who_may_not_do_something_is_told_in_words(busy: Site, method: str, path: str, by: str, said: str) -> None:
    body = {"kind": "word", "data": {"language": "as", "word": "নীৰ", "idea_id": 1}}

    answer = busy.ask(method, path, by=by, json=body, headers={"Sec-Fetch-Site": "same-origin"})

    assert answer.status == 403
    assert said in answer.json["detail"]
    assert not AS_PYTHON_WRITES.search(answer.json["detail"])


@pytest.mark.parametrize("what", ["submissions", "photos"])
@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("approve", "reject", "has been approved; it can no longer be rejected"),
        ("reject", "approve", "has been rejected; it can no longer be approved"),
        ("approve", "withdraw", "has been approved; it can no longer be withdrawn"),
    ],
)
def test_what_is_decided_already_is_told_in_words(waiting: Site, what: str, first: str, second: str, said: str) -> None:
    def step(name: str) -> tuple[int, str]:
        by = "anil" if name == "withdraw" else "editor"
        reason = {"reason": "It is known."} if name == "reject" else None
        answer = waiting.ask(
            "POST", f"/api/{what}/1/{name}", by=by, json=reason, headers={"Sec-Fetch-Site": "same-origin"}
        )
        return answer.status, answer.json.get("detail", "")

    assert step(first)[0] == 200
    status, detail = step(second)

    assert status == 409
    assert said in detail


def test_the_page_that_forbids_says_so_in_the_reader_s_language(busy: Site) -> None:
    page = text_of(busy, "/edit/word/1", "anil", "as")

    assert "may not" not in page
    assert "অৱদানকাৰী" in page
