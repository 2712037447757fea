import asyncio
from typing import Any, Final
from urllib.parse import quote

import pytest
from sqlalchemy import func, select

from abhidhan.editing.service import redaction
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.records.people import Role
from abhidhan.schema import history
from tests.support.contributions import Site

WORD = {"kind": "word", "data": {"language": "as", "word": "নীৰ", "idea_id": 1}}
PROVERB = {"kind": "proverb", "data": {"text": "নতুন ফকৰা এটা লিখিলোঁ আজি", "category": "Other", "meaning": "new"}}
EXAMPLE = {
    "kind": "example",
    "data": {"idea_id": 1, "language": "as", "text": "পানী খাওঁ", "translation": "I drink water"},
}
CARD = {"kind": "card", "data": {"set_id": 1, "clue": "নীৰ", "answer": "water"}}
CORRECTION = {"kind": "correction", "data": {"idea_id": 1, "idea": {"glyph": "🚰"}, "comment": "better"}}
EVERY: Final[tuple[dict[str, Any], ...]] = (WORD, PROVERB, EXAMPLE, CARD, CORRECTION)


def numbered_word(number: int) -> dict[str, object]:
    return {"kind": "word", "data": {"language": "as", "word": "নীৰ" * number, "idea_id": 1}}


@pytest.fixture
def people(open_site: Site) -> Site:
    """Let a contributor and two editors sign in."""
    return with_people(open_site)


@pytest.fixture
def people_on_each_engine(site: Site) -> Site:
    """Let a contributor and two editors sign in, once on each engine."""
    return with_people(site)


def with_people(site: Site) -> Site:
    site.add("contributor", Role.CONTRIBUTOR)
    site.add("editor", Role.EDITOR)
    site.add("second", Role.EDITOR)
    return site


def submit(site: Site, submission: object, **rest: Any) -> Any:  # noqa: ANN401
    answer = site.ask("POST", "/api/submissions", by=rest.pop("by", "contributor"), json=submission, **rest)
    assert answer.status == 201, answer.body.decode()
    return answer.json


def step(site: Site, name: str, submission_id: int, by: str = "editor", json: object = None) -> Any:  # noqa: ANN401
    return site.ask("POST", f"/api/submissions/{submission_id}/{name}", by=by, json=json)


def test_every_kind_waits_and_changes_nothing_until_approval(
    people_on_each_engine: Site, subtests: pytest.Subtests
) -> None:
    people = people_on_each_engine
    for submission in EVERY:
        with subtests.test(str(submission["kind"])):
            before = [people.ask("GET", path).body for path in ("/api/ideas/1", "/api/languages")]
            accepted = submit(people, submission)
            entry = people.ask("GET", "/api/submissions?status=pending_review", by="editor").json["data"][0]
            meanwhile = [people.ask("GET", path).body for path in ("/api/ideas/1", "/api/languages")]
            approved = step(people, "approve", accepted["submission_id"])

            assert (accepted["success"], accepted["status"]) == (True, "pending_review")
            assert (entry["kind"], entry["submitter"]) == (submission["kind"], "contributor")
            assert submission["data"].items() <= entry["data"].items() or submission["kind"] == "correction"
            assert meanwhile == before
            assert (approved.status, approved.json["status"]) == (200, "approved")
            assert approved.json["result"]


def test_an_approved_word_is_in_the_dictionary_with_its_contributor(people: Site) -> None:
    submit(people, WORD)
    result = step(people, "approve", 1).json["result"]

    found = people.ask("GET", f"/api/dic.php?w={quote('নীৰ')}").json["querywords"][0]["entries"][0]
    newest = people.ask("GET", f"/api/words/{found['id']}/history").json["data"][0]

    assert result == f"word:{found['id']}"
    assert (newest["action"]["value"], newest["person"], newest["contributor"]) == (
        "Word approved",
        "editor",
        "contributor",
    )
    assert not [change for change in newest["changes"] if change["record"].startswith("submission")]


def test_an_editor_changes_and_approves_in_one_step(people: Site) -> None:
    submit(people, {"kind": "word", "data": {"language": "as", "word": "নির", "meaning": {"pos": "Material Noun"}}})
    better = {"kind": "word", "data": {"language": "as", "word": "নীৰ", "idea_id": 1}}

    assert step(people, "approve", 1, json=PROVERB).status == 400
    assert step(people, "approve", 1, json={"kind": "nonsense"}).status == 400
    assert step(people, "approve", 1, json=better).status == 200
    assert people.ask("GET", f"/api/dic.php?w={quote('নীৰ')}").json["querywords"][0]["match"] == "exact"


def test_undoing_an_approval_returns_the_submission_to_the_queue(people: Site) -> None:
    submit(people, WORD)
    step(people, "approve", 1)
    number = people.ask("GET", f"/api/dic.php?w={quote('নীৰ')}").json["querywords"][0]["entries"][0]["id"]
    newest = people.ask("GET", f"/api/words/{number}/history").json["data"][0]["id"]

    people.ask("POST", f"/api/editing/history/{newest}/undo", by="editor")

    assert people.ask("GET", f"/api/words/{number}").status == 404
    assert people.ask("GET", "/api/submissions/1", by="contributor").json["status"] == "pending_review"


def test_a_withdrawal_cannot_be_undone(people: Site) -> None:
    submit(people, WORD)
    step(people, "withdraw", 1, by="contributor")
    newest = people.database.read_now(lambda reader: reader.row(CompiledQuery(select(func.max(history.c.id)))))

    undone = people.ask("POST", f"/api/editing/history/{newest[0] if newest else 0}/undo", by="editor")

    assert undone.status == 409
    assert "has been withdrawn" in undone.json["detail"]
    assert people.ask("GET", "/api/submissions/1", by="contributor").json["status"] == "withdrawn"


def test_a_rejection_has_a_reason_that_the_submitter_reads(people: Site) -> None:
    submit(people, WORD)

    assert step(people, "reject", 1, json={"reason": " "}).status == 400
    assert step(people, "reject", 1, json={"reason": "Known <i>already</i>"}).status == 200
    seen = people.ask("GET", "/api/submissions/1", by="contributor").json
    assert (seen["status"], seen["reason"]) == ("rejected", "Known <i>already</i>")


def test_the_reason_of_a_rejection_is_not_searched_for_hidden_texts(people: Site) -> None:
    submit(people, WORD)
    step(people, "reject", 1, json={"reason": "Known already"})

    hidden = people.database.write_now(lambda writer: redaction.hide_text(writer, "Known already", "By order.", 1))

    assert hidden == redaction.RedactionResult([])


def test_a_double_click_creates_one_submission(people_on_each_engine: Site) -> None:
    site = people_on_each_engine

    async def click_all() -> list[int]:
        clicks = (site.ask_async("POST", "/api/submissions", by="contributor", json=WORD) for _ in range(8))
        return [answer.json["submission_id"] for answer in await asyncio.gather(*clicks)]

    assert len(set(site.run(click_all()))) == 1
    assert site.ask("GET", "/api/submissions", by="editor").json["total"] == 1


def test_repeated_requests_with_one_idempotency_key_are_one_submission(people: Site) -> None:
    headers = {"Idempotency-Key": "k1"}

    assert [submit(people, each, headers=headers)["submission_id"] for each in (WORD, WORD)] == [1, 1]


def test_a_rejected_submission_may_be_submitted_again(people: Site) -> None:
    submit(people, WORD)
    step(people, "reject", 1, json={"reason": "because"})

    assert submit(people, WORD)["submission_id"] == 2


def test_a_decision_cannot_be_replaced_by_another(people: Site) -> None:
    def decide(number: int, name: str) -> int:
        by = "contributor" if name == "withdraw" else "editor"
        status: int = step(people, name, number, by, {"reason": "because"} if name == "reject" else None).status
        return status

    for number, first in enumerate(("approve", "reject", "withdraw"), 1):
        submit(people, numbered_word(number))
        steps = (first, "approve", "reject", "withdraw")
        assert [decide(number, name) for name in steps] == [200, 409, 409, 409], first


def test_concurrent_decisions_of_two_editors_do_not_both_succeed(people_on_each_engine: Site) -> None:
    site = people_on_each_engine
    submit(site, WORD)

    async def decide_all() -> list[int]:
        steps = (
            site.ask_async("POST", "/api/submissions/1/approve", by=by)
            for by in ("editor", "second", "editor", "second")
        )
        return sorted([answer.status for answer in await asyncio.gather(*steps)])

    assert site.run(decide_all()) == [200, 409, 409, 409]


def test_near_duplicates_are_listed_before_and_with_a_submission(people: Site) -> None:
    nearly = {"kind": "word", "data": {"language": "as", "word": "পানি", "idea_id": 2}}
    data = {"text": "নগৈ গড়গাঁৱৰ বতৰা কয়", "category": 1}
    proverb = {"kind": "proverb", "data": data}
    people.ask("POST", "/api/editing/proverbs", by="editor", json=data | {"text": "নগই গড়গাঁৱৰ বতৰা কয়"})

    before = people.ask("POST", "/api/submissions/similar", by="contributor", json=nearly).json["data"]
    accepted = submit(people, nearly)["similar"]
    proverbs = submit(people, proverb)["similar"]

    assert "পানী" in [each["text"] for each in before]
    assert accepted == before
    assert proverbs


INVALID_SUBMISSIONS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"kind": "word"},
    {"kind": "nonsense", "data": {}},
    {"kind": "report", "data": {"word_id": 1, "text": "x"}},
    {"kind": "word", "data": {"language": "as", "word": "x", "unknown": 1}},
    {"kind": "word", "data": {"language": "as", "word": "x", "idea_id": 99999}},
    {"kind": "correction", "data": {}},
    {"kind": "correction", "data": {"word_id": 1}},
    {"kind": "correction", "data": {"word_id": 99999, "word": {"word": "x"}}},
    {"kind": "correction", "data": {"word_id": 1, "word": {"word": ""}}},
    {"kind": "correction", "data": {"word_id": 1, "word": {"nonsense": ""}}},
    {"kind": "proverb", "data": {"text": "x", "category": "nonsense"}},
    {"kind": "example", "data": {"idea_id": 99999, "language": "as", "text": "x"}},
    {"kind": "card", "data": {"set_id": 99999, "clue": "x", "answer": "y"}},
)


def test_invalid_submissions_are_rejected_and_not_stored(people: Site, subtests: pytest.Subtests) -> None:
    for submission in INVALID_SUBMISSIONS:
        with subtests.test(str(submission)):
            answer = people.ask("POST", "/api/submissions", by="contributor", json=submission)

            assert answer.status == 400, answer.body
    assert people.ask("GET", "/api/submissions", by="editor").json["total"] == 0


PERMISSIONS: Final = (
    # a visitor, a reader, another contributor, the submitter, an editor
    ("GET", "", (401, 200, 200, 200, 200)),
    ("POST", "", (401, 403, 201, 201, 201)),
    ("GET", "/{}", (401, 403, 403, 200, 200)),
    ("POST", "/{}/approve", (401, 403, 403, 403, 200)),
    ("POST", "/{}/reject", (401, 403, 403, 403, 200)),
    ("POST", "/{}/withdraw", (401, 403, 403, 200, 403)),
    ("GET", "/999", (401, 404, 404, 404, 404)),
)


def test_each_role_may_do_what_it_is_allowed_to(people: Site, subtests: pytest.Subtests) -> None:
    people.add("reader")
    people.add("other", Role.CONTRIBUTOR)
    users = (None, "reader", "other", "contributor", "editor")

    for place, (method, path, expected) in enumerate(PERMISSIONS, 1):
        with subtests.test(f"{method} {path}"):
            address = f"/api/submissions{path.format(submit(people, numbered_word(place))['submission_id'])}"
            body = {"reason": "because"} if path.endswith("reject") else (EXAMPLE if path == "" else None)
            statuses = tuple(
                people.ask(method, address, by=by, json=body if method == "POST" else None).status for by in users
            )
            assert statuses == expected


def test_contributors_see_only_their_own_submissions(people: Site) -> None:
    submit(people, WORD)
    people.add("other", Role.CONTRIBUTOR)

    totals = [people.ask("GET", "/api/submissions", by=by).json["total"] for by in ("other", "contributor", "editor")]

    assert totals == [0, 1, 1]


def test_visitors_report_an_error_and_an_editor_closes_the_report(people: Site) -> None:
    report = {"word_id": 1, "text": "The <b>spelling</b> is wrong"}

    first = people.ask("POST", "/api/reports", json=report)
    again = people.ask("POST", "/api/reports", json=report)
    entry = people.ask("GET", "/api/submissions/1", by="editor").json
    closed = step(people, "approve", 1)

    assert (first.status, again.json["submission_id"]) == (201, first.json["submission_id"])
    assert (entry["kind"], entry["submitter"], entry["data"]["text"]) == ("report", None, report["text"])
    assert (closed.status, closed.json["result"]) == (200, "word:1")


def test_reports_without_an_account_are_limited(people: Site) -> None:
    statuses = [
        people.ask("POST", "/api/reports", json={"word_id": 1, "text": f"error {number}"}).status
        for number in range(14)
    ]

    assert statuses[:9] == [201] * 9
    assert statuses[-1] == 429


INVALID_REPORTS: Final[tuple[dict[str, object], ...]] = (
    {},
    {"word_id": 99999, "text": "x"},
    {"word_id": 1, "text": " "},
    {"word_id": 1, "text": "x" * 3000},
)


def test_a_report_needs_an_existing_word_and_a_text(people: Site) -> None:
    for report in INVALID_REPORTS:
        assert people.ask("POST", "/api/reports", json=report).status == 400, report


def test_another_site_cannot_report(people: Site) -> None:
    answer = people.ask(
        "POST", "/api/reports", json={"word_id": 1, "text": "x"}, headers={"Origin": "https://evil.example"}
    )

    assert answer.status == 403


def test_contributions_of_a_deleted_account_stay_without_the_name(people_on_each_engine: Site) -> None:
    site = people_on_each_engine
    submit(site, WORD)
    step(site, "approve", 1)

    site.delete_account("contributor")

    number = site.ask("GET", f"/api/dic.php?w={quote('নীৰ')}").json["querywords"][0]["entries"][0]["id"]
    newest = site.ask("GET", f"/api/words/{number}/history").json["data"][0]
    assert newest["contributor"] is None
