"""Values of lookup lists of files at review, and the records that need them: pages and the API."""

import msgspec

from abhidhan.exchange.service.import_for_review import submit_for_review
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord, ListItemRecord, WordRecord
from tests.contributions.pages.test_review import HOSTILE, QUEUE, look
from tests.editing.pages.test_editing import fields_of_form
from tests.people.pages.test_account import shown, site
from tests.support.contributions import Site
from tests.support.pages import send_form
from tests.support.sample import NOW, SOURCE

__all__ = ["site"]

VALUES = (ListItemRecord("CTX", 900, "Life on waters"), ListItemRecord("CTX", 901, "Fishing", parent=900))
PARTICLE = ListItemRecord("POS", 902, "Particle", code="Others")
NET = IdeaRecord(
    "sample", "net", "Particle", (WordRecord("as", "জালখন"), WordRecord("en", "casting net")), contexts=("Fishing",)
)


def let_wait(site: Site, *records: ListItemRecord | IdeaRecord) -> None:
    placed = [LocatedRecord("file", line, record) for line, record in enumerate((SOURCE, *records), 1)]
    submit_for_review(site.database, placed, now=NOW)


def test_a_list_value_is_shown_corrected_approved_and_undone(site: Site) -> None:
    let_wait(site, *VALUES, PARTICLE)

    queue = look(site, QUEUE)
    assert queue.links_to(f"{QUEUE}/2")
    for text in (
        "Topics",
        "Life on waters",
        "Fishing",
        "Belongs to",
        "Particle",
        "Similar values already in this list",
    ):
        assert text in queue.main, text
    fields = fields_of_form(look(site, f"{QUEUE}/2"))
    assert {name: fields[name] for name in ("value", "parent", "code")} == {
        "value": "Fishing",
        "parent": "Life on waters",
        "code": "",
    }
    refused = send_form(site, f"{QUEUE}/2", fields | {"decision": "mend", "parent": "Nowhere"}, by="editor")
    assert refused.status == 400
    mended = fields | {"decision": "mend", "value": "Net fishing", "parent": ""}
    sent = send_form(site, f"{QUEUE}/2", mended, by="editor")
    assert sent.status == 303, shown(sent).main
    done = look(site, f"{QUEUE}?done=approved&id=2")

    result = site.ask("GET", "/api/submissions/2", by="editor").json["result"]
    address = f"/edit/value/{result.removeprefix('list_item:')}"
    assert done.links_to(address)
    assert 'value="Net fishing"' in site.ask("GET", address, by="editor").body.decode()
    assert send_form(site, f"{QUEUE}/2/undo", {}, by="editor").status == 303
    assert site.ask("GET", address, by="editor").status == 404
    assert site.ask("GET", "/api/submissions/2", by="editor").json["status"] == "pending_review"


def test_a_record_that_needs_a_waiting_list_value_names_and_links_to_the_value(site: Site) -> None:
    let_wait(site, VALUES[0], PARTICLE, ListItemRecord("CTX", 901, "Fishing"), NET)

    page = look(site, f"{QUEUE}/4")
    assert "Needs the part of speech “Particle”, which is still waiting: review it first" in page.main
    assert "Needs the topic “Fishing”, which is still waiting: review it first" in page.main
    assert page.links_to(f"{QUEUE}/2")
    assert page.links_to(f"{QUEUE}/3")
    # The form keeps the part of speech, though no list has it yet.
    assert '<option value="Particle" selected>' in site.ask("GET", f"{QUEUE}/4", by="editor").body.decode()
    refused = send_form(site, f"{QUEUE}/4", {"decision": "approve"}, by="editor")
    assert refused.status == 409
    assert "has not been approved: approve it first (submission 2)" in refused.body.decode()
    send_form(site, f"{QUEUE}/3", {"decision": "reject", "reason": "Too narrow."}, by="editor")
    assert "Needs the topic “Fishing”, which was not approved" in look(site, QUEUE).main


def test_the_api_lists_and_decides_on_list_values_like_words(site: Site) -> None:
    let_wait(site, PARTICLE, msgspec.structs.replace(NET, contexts=()))

    waiting = site.ask("GET", "/api/submissions?status=pending_review", by="editor").json["data"]
    assert waiting[0]["data"]["record"] == {
        "record": "list_value",
        "list": "POS",
        "value": "Particle",
        "code": "Others",
    }
    early = site.ask("POST", "/api/submissions/2/approve", by="editor")
    assert (early.status, early.json["status"]) == (409, 409)
    assert "needs the part of speech “Particle”" in early.json["detail"]
    approved = site.ask("POST", "/api/submissions/1/approve", by="editor").json
    assert approved["result"].startswith("list_item:POS-")
    assert site.ask("POST", "/api/submissions/2/approve", by="editor").status == 200
    assert site.ask("POST", "/api/submissions/1/reject", by="editor", json={"reason": "No."}).status == 409


def test_the_name_of_a_list_value_is_shown_as_text(site: Site) -> None:
    let_wait(site, ListItemRecord("CTX", 900, HOSTILE), ListItemRecord("CTX", 901, "Fishing", parent=900))

    for address in (QUEUE, f"{QUEUE}/1", f"{QUEUE}/2"):
        text = site.ask("GET", address, by="editor").body.decode()
        assert HOSTILE not in text
        assert "&lt;script&gt;" in text or "&#39;x&#39;" in text
