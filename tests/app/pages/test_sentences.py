"""The messages of services are shown in the language of the page."""

import ast
import re
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final

import pytest
from litestar.exceptions import HTTPException

from abhidhan.platform.http.errors import ErrorContext, build_error_response
from abhidhan.platform.http.forms import Form
from abhidhan.platform.http.preferences import InterfacePreferences
from abhidhan.platform.http.problem_kinds import STATUS_DETAILS
from abhidhan.platform.http.rendering import get_environment
from abhidhan.records.errors import InputError, NotFoundError, Problem, sentence
from abhidhan.records.people import check_new_password, clean_username

CATALOGUE = InterfacePreferences("as").translations
PACKAGE: Final = Path(__file__).parents[3] / "src/abhidhan"

PATTERN_AT: Final = {"sentence": 0, "refuse": 1, "_problem": 1, "_count": 1}
"""Functions that take the pattern of a sentence, and which argument it is; as in tools/translations.py."""

FOR_PROGRAMS_ONLY: Final = (
    # Commands, files and the interface of programs: their errors are English there, and pages never show them.
    "app/cli",
    "formats",
    "editing/model.py",  # what the operator alone does, by commands
    "records/import_records.py",
    "platform/database/copying",
    "exchange/store/dump",
    "platform/database/leases.py",  # what commands do alone: an import, the making of files
    "exchange/store/loading",
    "exchange/service",
    "publishing/service",
    "editing/service/redaction.py",  # what the operator alone does, by commands
    "media/service/recording_manifest.py",  # a list that a command imports
    "app/api_handlers.py",
    "app/documentation",
    "platform/http/json_codec.py",
    "platform/http/parameter_problems.py",  # what is left there is about bodies of JSON
    "app/health.py",
    "platform/http/telemetry.py",
    "dictionary/model/field_selection.py",
    # Articles come to a page as data, and the page says itself that there is none.
    "encyclopedia/service/articles.py",
    "encyclopedia/service/article_fetching.py",
    "encyclopedia/service/article_sources.py",
    "encyclopedia/service/wiki_client_limits.py",
    "encyclopedia",
    # What the mail server says goes to the log.
    "platform/runtime/smtp.py",
)
SAYING_ERRORS: Final = frozenset(
    {
        "NotFoundError",
        "ForbiddenError",
        "ConflictError",
        "SignInRequiredError",
        "TooManyRequestsError",
        "QuotaError",
        "SlowRequestError",
        "UnavailableError",
        "GoneError",
    }
)
PLAIN_ON_PURPOSE: Final = frozenset({"This server has no encyclopedia."})
"""Messages of requests that no page makes."""


@cache
def list_calls() -> list[tuple[Path, str, list[ast.expr]]]:
    """List all calls in the program: the file, the name of the function, the arguments."""
    calls = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                function = node.func
                name = getattr(function, "attr", getattr(function, "id", ""))
                if name == "of" and isinstance(function, ast.Attribute):
                    name = f"{getattr(function.value, 'id', '')}.of"
                calls.append((path, name, node.args))
    return calls


def is_for_programs(path: Path) -> bool:
    relative = path.relative_to(PACKAGE).as_posix()
    return "/api/" in relative or relative.startswith(FOR_PROGRAMS_ONLY)


def translate(text: str, language: str) -> str:
    return str(get_environment(language).filters["said"](text))


def test_a_sentence_is_english_text_and_keeps_its_pattern() -> None:
    made = sentence("There is no idea with the ID %(idea_id)s.", idea_id=7)

    assert made == "There is no idea with the ID 7."
    assert str(NotFoundError(made)) == made
    assert NotFoundError(made).message is made
    assert type(str(made)) is str


def test_pages_do_not_show_the_names_that_programs_use_for_fields() -> None:
    with pytest.raises(InputError) as caught:
        clean_username("x")

    detail = caught.value.problems[0].detail
    assert detail.startswith("`username` must have from")
    assert "This field must have from" in translate(detail, "en")
    assert "username" not in translate(detail, "as")
    assert 'lang="as"' in translate(detail, "as")


def test_a_value_in_a_sentence_is_neither_markup_nor_a_pattern() -> None:
    for language, hostile in product(("en", "as"), ("<b>", "%(x)s", "100 %", "%s")):
        text = sentence("There is no context with the name %(name)s.", name=hostile)
        assert hostile.replace("<", "&lt;").replace(">", "&gt;") in translate(text, language)
        assert "<b>" not in translate(hostile, language)


def test_a_sentence_without_a_translation_is_marked_as_english() -> None:
    assert translate("Nobody translates this.", "as") == '<span lang="en" dir="ltr">Nobody translates this.</span>'


def test_a_form_keeps_the_sentence_of_an_error() -> None:
    refused = Form().with_error(NotFoundError(sentence("There is no such photo.")))

    assert refused.problems == (Problem("", "There is no such photo."),)
    assert translate(refused.problems[0].detail, "as") != translate("There is no such photo!", "as")


def test_an_error_page_gets_the_sentence_and_the_api_plain_text() -> None:
    details: list[str] = []

    def render(document: object) -> str:
        details.append(document.detail)  # type: ignore[attr-defined]
        return ""

    error = NotFoundError(sentence("There is no idea with the ID %(idea_id)s.", idea_id=7))
    build_error_response(error, ErrorContext("GET", "/edit/idea/7", "x"), render_page=render)
    body = build_error_response(error, ErrorContext("GET", "/api/ideas/7", "x")).body

    assert getattr(details[0], "pattern", "") == "There is no idea with the ID %(idea_id)s."
    assert b"There is no idea with the ID 7." in body


def test_translations_use_only_values_of_the_original() -> None:
    catalogue = getattr(CATALOGUE, "_catalog", {})
    checked = 0
    for pattern, translated in catalogue.items():
        if isinstance(pattern, str) and "%(" in pattern:
            checked += 1
            assert set(re.findall(r"%\((\w+)\)s", translated)) <= set(re.findall(r"%\((\w+)\)s", pattern)), pattern
    assert checked > 20


def test_the_refusal_of_a_password_can_be_translated() -> None:
    with pytest.raises(InputError) as caught:
        check_new_password("short", "somebody")

    assert getattr(caught.value.problems[0].detail, "pattern", "").startswith("`%(parameter)s`")


def test_every_sentence_is_in_the_catalogue() -> None:
    known, missing = 0, []
    for path, name, arguments in list_calls():
        place = PATTERN_AT.get(name)
        if place is None or len(arguments) <= place or is_for_programs(path):
            continue
        pattern = arguments[place]
        if isinstance(pattern, ast.Constant) and isinstance(pattern.value, str):
            known += 1
            if CATALOGUE.gettext(pattern.value) == pattern.value:
                missing.append(f"{path.name}: {pattern.value}")

    assert missing == []
    assert known > 150


def test_errors_on_pages_are_translatable_sentences() -> None:
    plain = []
    for path, name, arguments in list_calls():
        said = (
            arguments[1:2] if name in {"InputError.of", "Problem"} else arguments[:1] if name in SAYING_ERRORS else []
        )
        for each in said:
            text = each.value if isinstance(each, ast.Constant) else ""
            if isinstance(each, ast.Constant | ast.JoinedStr) and not is_for_programs(path):
                plain += [] if text in PLAIN_ON_PURPOSE else [f"{path.name}: {ast.unparse(each)}"]

    assert plain == []


def test_an_error_without_its_own_sentence_is_described_in_the_language_of_the_page() -> None:
    for status in STATUS_DETAILS.keys() - {415}:
        details: list[str] = []

        def render(document: object, details: list[str] = details) -> str:
            details.append(document.detail)  # type: ignore[attr-defined]
            return ""

        error = HTTPException(status_code=status)
        answer = build_error_response(error, ErrorContext("GET", "/x", "r"), render_page=render)

        assert answer.status == status
        assert 'lang="as"' in translate(details[0], "as")
