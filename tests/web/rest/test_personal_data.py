import io
import zipfile
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from sqlalchemy import LargeBinary, Text, insert, select

from abhidhan.domain.people import Role
from abhidhan.domain.personal_data import Leaving
from abhidhan.services.accounts.people import NewAccount
from abhidhan.services.editing import hiding
from abhidhan.storage.engine.database import Database, Writer
from abhidhan.storage.engine.queries import Query
from abhidhan.storage.engine.reader import Reader
from abhidhan.storage.history import kept_states
from abhidhan.storage.personal_data import AT_ONCE
from abhidhan.storage.schema import metadata
from tests.support.contributing import PASSWORD, Site, photo_bytes

NAME, EMAIL = "anilkumar", "Anil.Kumar@mail.example"
KEYS = [
    "form",
    "made",
    "account",
    "sessions",
    "known_addresses",
    "links",
    "tokens",
    "mails",
    "own_lists",
    "submissions",
    "photos",
    "recordings",
    "changes",
]
WORD = {
    "language": "as",
    "word": "নীৰ",
    "idea_id": 1,
    "reference": "AnilKumar",
    "note": f"As {NAME} says; write to {EMAIL}",
}


@pytest.fixture
def contributor(site: Site) -> Site:
    """Let somebody contribute in every way, an editor decide, and leave things waiting; once on each engine."""
    site.add("root", Role.ADMINISTRATOR)
    site.add("bina", Role.EDITOR)
    accounts = site.write_side.accounts
    site.run(accounts.add(NewAccount(NAME, PASSWORD, EMAIL), Role.EDITOR))
    site.sign_in(NAME, headers={"User-Agent": f"Browser of {NAME}"})
    site.run(accounts.reset_link(site.run(accounts.find_by_name(NAME))))
    _contribute(site)
    return site


@pytest.fixture
def member(open_site: Site) -> Site:
    """Let somebody sign in who has contributed nothing yet, beside an administrator and an editor."""
    open_site.add("root", Role.ADMINISTRATOR)
    open_site.add("bina", Role.EDITOR)
    open_site.add(NAME, Role.EDITOR)
    return open_site


def _contribute(site: Site) -> None:
    correction = {"word_id": 1, "word": {"origin": "সংস্কৃত"}, "comment": f"{NAME} <{EMAIL}> knows"}
    approved, rejected = sent(site, "word", WORD), sent(site, "word", WORD | {"word": "নীৰদ"})
    corrected = sent(site, "correction", correction)
    sent(site, "proverb", {"text": f"পানী {EMAIL}", "category": "Fokora (ফকৰা)"})
    for number in (approved, corrected):
        assert site.ask("POST", f"/api/submissions/{number}/approve", by="bina").status == 200
    reason = {"reason": f"No, {NAME} ({EMAIL})"}
    assert site.ask("POST", f"/api/submissions/{rejected}/reject", by="bina", json=reason).status == 200
    for seed, credit in enumerate((NAME, f"{NAME}, Guwahati", "A. Photographer", "Waits"), 1):
        fields = {"photoCredit": credit}
        site.send_photo(NAME, photo_bytes(seed=seed), fields=fields, headers={"Idempotency-Key": f"{NAME}-{seed}"})
    for number in (1, 2, 3):
        assert site.ask("POST", f"/api/photos/{number}/approve", by="bina").status == 200
    site.ask("PATCH", "/api/editing/words/2", by=NAME, json={"version": 0, "changes": {"origin": f"by {EMAIL}"}})
    site.ask("PATCH", "/api/editing/words/2", by="bina", json={"version": newest(site), "changes": {"origin": None}})
    site.sign_in(NAME, "wrong", address="192.0.2.77")


def newest(site: Site) -> int:
    found: int = site.ask("GET", "/api/words/2/history").json["data"][0]["id"]
    return found


def sent(site: Site, kind: str, data: object) -> int:
    answer = site.ask("POST", "/api/submissions", by=NAME, json={"kind": kind, "data": data})
    assert answer.status == 201, answer.body
    found: int = answer.json["submission_id"]
    return found


def leave(site: Site, status: int = 204, **how: object) -> Any:  # noqa: ANN401 (a test knows which JSON it asked for)
    answer = site.ask("DELETE", "/api/account", by=NAME, json={"password": PASSWORD, **how})
    assert answer.status == status, answer.body
    return answer.json if answer.body else None


def everything(database: Database) -> dict[str, str]:
    """Read every column of every table that can hold text, JSON among it."""

    def read(reader: Reader) -> dict[str, str]:
        return {
            f"{table.name}.{column.name}": "\n".join(
                each.decode("utf-8", "replace") if isinstance(each, bytes) else str(each)
                for (each,) in reader.rows(Query(select(column).where(column.is_not(None))))
            )
            for table in metadata.tables.values()
            for column in table.columns
            if isinstance(column.type, Text | LargeBinary) or column.type.python_type is str
        }

    return database.read_now(read)


def places_of(database: Database, text: str) -> list[str]:
    """Name the columns in which a text stands, in whatever letter case."""
    return [place for place, held in everything(database).items() if text.casefold() in held.casefold()]


def person_of_history(site: Site, path: str) -> list[tuple[str | None, str | None]]:
    return [(each["person"], each["contributor"]) for each in site.ask("GET", f"/api/{path}/history").json["data"]]


def word_id(site: Site, word: str) -> int:
    found: int = site.ask("GET", f"/api/dic.php?w={quote(word)}").json["querywords"][0]["entries"][0]["id"]
    return found


def credits_of(site: Site) -> list[str]:
    return [each["credit"] for each in site.ask("GET", "/api/ideas/1").json["photos"]]


# --- deletion -----------------------------------------------------------------------------------------------------


def test_nothing_is_found_of_whoever_leaves_without_a_name(contributor: Site) -> None:
    assert len(places_of(contributor.database, EMAIL)) > 3
    assert len(places_of(contributor.database, NAME)) > 3

    leave(contributor)

    assert places_of(contributor.database, EMAIL) == []
    assert places_of(contributor.database, NAME) == []


def test_what_was_approved_stays_and_the_rest_goes(contributor: Site) -> None:
    leave(contributor)

    listed = contributor.ask("GET", "/api/submissions", by="root").json["data"]
    photos = contributor.ask("GET", "/api/photos", by="root").json["data"]
    files = [file for file in contributor.home.rglob("*") if file.suffix in {".jpg", ".webp"}]
    assert word_id(contributor, "নীৰ")
    assert [each["status"] for each in listed] == ["approved", "approved"]
    assert [each["submitter"] for each in listed] == [None, None]
    assert [(each["status"], each["credit"]) for each in photos if each["photo_url"] is None] == [("withdrawn", "")]
    assert len(files) == 6


def test_the_account_is_gone_and_its_name_is_free_without_its_contributions(contributor: Site) -> None:
    leave(contributor)

    assert contributor.ask("GET", "/api/session", by=NAME).status == 401
    assert contributor.sign_in(NAME).status == 401
    contributor.add(NAME)
    assert person_of_history(contributor, f"words/{word_id(contributor, 'নীৰ')}") == [("bina", None)]
    assert contributor.ask("GET", "/api/submissions", by=NAME).json["data"] == []
    assert all(each["username"] for each in contributor.ask("GET", "/api/people", by="root").json["data"])


def test_contributions_stay_under_another_name_that_shows_at_once(contributor: Site) -> None:
    before = contributor.ask("GET", "/api/ideas/1").headers["etag"]
    assert credits_of(contributor) == [NAME, f"{NAME}, Guwahati", "A. Photographer"]

    leave(contributor, name="Anil of Jorhat")

    assert credits_of(contributor) == ["Anil of Jorhat", "Anil of Jorhat, Guwahati", "A. Photographer"]
    assert contributor.ask("GET", "/api/ideas/1").headers["etag"] != before
    assert person_of_history(contributor, f"words/{word_id(contributor, 'নীৰ')}") == [("bina", "Anil of Jorhat")]
    assert person_of_history(contributor, "words/2") == [("bina", None), ("Anil of Jorhat", None)]
    assert places_of(contributor.database, EMAIL) == []
    assert places_of(contributor.database, NAME) == []


def test_contributions_may_keep_the_name_of_the_account_which_nobody_can_take(contributor: Site) -> None:
    leave(contributor, name=NAME)

    taken = contributor.ask("POST", "/api/people", by="root", json={"username": NAME.upper(), "password": PASSWORD})
    assert taken.status == 409
    assert contributor.sign_in(NAME).status == 401
    assert credits_of(contributor)[0] == NAME
    assert places_of(contributor.database, EMAIL) == []
    assert contributor.ask("GET", "/api/people", by="root").json["total"] == 2


@pytest.mark.parametrize("name", ["bina", "BINA", "ROOT"])
def test_nobody_leaves_under_the_name_of_another_person(member: Site, name: str) -> None:
    leave(member, 409, name=name)

    assert member.ask("GET", "/api/session", by=NAME).status == 200


@pytest.mark.parametrize("name", ["", "x", "a\u200bb c", "<b>", "y" * 61])
def test_a_name_that_cannot_stay_is_told(member: Site, name: str) -> None:
    told = leave(member, 400, name=name)

    assert [each["parameter"] for each in told["errors"]] == ["name"]


def test_every_credit_line_changes_where_that_is_wanted(contributor: Site) -> None:
    leave(contributor, name="Pen Name", all_credits=True)

    assert credits_of(contributor) == ["Pen Name"] * 3


def test_what_waits_may_wait_on(contributor: Site) -> None:
    leave(contributor, keep_waiting=True)

    waiting = contributor.ask("GET", "/api/submissions?status=pending_review", by="bina").json["data"]
    photos = contributor.ask("GET", "/api/photos?status=pending_review", by="bina").json["data"]
    assert [each["kind"] for each in waiting] == ["proverb"]
    assert [each["credit"] for each in photos] == ["Waits"]
    assert contributor.ask("POST", "/api/photos/4/approve", by="bina").status == 200
    assert places_of(contributor.database, EMAIL) == []


def test_a_wrong_password_deletes_nothing(member: Site) -> None:
    answer = member.ask("DELETE", "/api/account", by=NAME, json={"password": "wrong"})

    assert answer.status == 403
    assert member.ask("GET", "/api/session", by=NAME).status == 200


def test_the_deletion_stands_in_the_history(member: Site) -> None:
    leave(member, name="Pen Name")

    rows = member.database.read_now(
        lambda reader: reader.rows(
            Query(select(metadata.tables["history"].c.action_id, metadata.tables["history"].c.record))
        )
    )
    assert rows[-1] == (36, "person")


def test_an_account_is_deleted_though_entries_about_its_submissions_are_hidden(contributor: Site) -> None:
    def hidden() -> int:
        return len(contributor.database.read_now(hiding.read_hidden))

    entries = contributor.database.read_now(lambda reader: [each.entry_id for each in kept_states(reader)])
    contributor.database.write_now(lambda writer: hiding.hide_entries(writer, entries, "By order of a court.", 1))

    leave(contributor)

    assert 0 < hidden() < len(entries)


def test_an_edit_by_whoever_has_left_is_undone_as_before(contributor: Site) -> None:
    entry = contributor.ask("GET", f"/api/words/{word_id(contributor, 'নীৰ')}/history").json["data"][0]["id"]
    leave(contributor)

    undone = contributor.ask("POST", f"/api/editing/history/{entry}/undo", by="bina")

    assert undone.status == 200, undone.body
    assert contributor.ask("GET", "/api/submissions?status=pending_review", by="bina").json["total"] == 1


def test_an_administrator_deletes_the_account_of_another(contributor: Site) -> None:
    person = contributor.run(contributor.write_side.accounts.find_by_name(NAME))

    gone = contributor.ask("DELETE", f"/api/people/{person.id}?name=Pen+Name&all_credits=true", by="root")

    assert gone.status == 204
    assert credits_of(contributor) == ["Pen Name"] * 3
    assert places_of(contributor.database, NAME) == []
    assert contributor.ask("DELETE", f"/api/people/{person.id}", by="root").status == 404


def test_the_last_administrator_cannot_leave(member: Site) -> None:
    assert member.ask("DELETE", "/api/account", by="root", json={"password": PASSWORD}).status == 409


def test_many_leave_without_a_name(member: Site) -> None:
    member.add("gita")

    leave(member)
    assert member.ask("DELETE", "/api/account", by="gita", json={"password": PASSWORD}).status == 204

    assert member.ask("GET", "/api/people", by="root").json["total"] == 2


def test_files_of_photos_go_even_when_the_process_ends_at_the_worst_moment(contributor: Site) -> None:
    person = contributor.run(contributor.write_side.accounts.find_by_name(NAME))
    photos = contributor.write_side.photos

    async def end(*_: object) -> int:
        raise KeyboardInterrupt

    photos.purge = end  # type: ignore[method-assign]  # a process that is killed between the two
    with pytest.raises(KeyboardInterrupt):
        contributor.run(contributor.write_side.personal_data.remove(person, Leaving()))
    del photos.purge

    assert contributor.run(photos.purge()) == 1
    assert len([file for file in contributor.home.rglob("*") if file.suffix in {".jpg", ".webp"}]) == 6


# --- a copy -------------------------------------------------------------------------------------------------------


def test_a_copy_tells_the_reason_where_the_history_is_hidden(contributor: Site) -> None:
    def told() -> list[tuple[str | None, bool]]:
        changes = contributor.ask("GET", "/api/account/export", by=NAME).json["changes"]
        return [(each["hidden"], "after" in each["records"][0]) for each in changes if each["action"] == "Word edited"]

    assert told() == [(None, True)]
    contributor.database.write_now(lambda writer: hiding.hide_text(writer, f"by {EMAIL}", "By order of a court.", 1))
    assert told() == [("By order of a court.", False)]


def test_a_copy_holds_all_that_is_kept(contributor: Site) -> None:
    wanted = {"name": f"App of {NAME}", "scopes": ["edit", "contribute"], "password": PASSWORD}
    made = contributor.ask("POST", "/api/account/tokens", by=NAME, json=wanted).json

    answer = contributor.ask("GET", "/api/account/export", by=NAME)

    copy = answer.json
    assert copy["tokens"] == [
        {
            "name": wanted["name"],
            "scopes": ["contribute", "edit"],
            "created": made["created"],
            "expires": made["expires"],
            "used": None,
        }
    ]
    assert made["token"] not in answer.body.decode()
    assert answer.status == 200
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-disposition"] == 'attachment; filename="abhidhan-account.json"'
    assert list(copy) == KEYS
    assert (copy["account"]["username"], copy["account"]["email"], copy["account"]["role"]) == (NAME, EMAIL, "editor")
    assert [each["agent"] for each in copy["sessions"]] == [f"Browser of {NAME}"]
    assert [each["address"] for each in copy["known_addresses"]] == ["hashed"]
    assert [each["kind"] for each in copy["links"]] == ["reset"]
    assert [each["status"] for each in copy["submissions"]] == ["approved", "rejected", "approved", "pending_review"]
    assert copy["submissions"][0]["text"] == "নীৰ"
    assert [each["credit"] for each in copy["photos"]][3] == "Waits"
    assert "Word edited" in [each["action"] for each in copy["changes"]]


def test_a_copy_holds_no_secret_and_nothing_of_others(contributor: Site) -> None:
    text = contributor.ask("GET", "/api/account/export", by=NAME).body.decode()

    assert "argon2" not in text
    assert "hash" not in text.replace("hashed", "")
    assert contributor.cookies[NAME] not in text
    assert "bina" not in text
    assert "root" not in text


def test_a_copy_comes_with_the_pictures_themselves(contributor: Site) -> None:
    answer = contributor.ask("GET", "/api/account/export?form=zip", by=NAME)

    package = zipfile.ZipFile(io.BytesIO(answer.body))
    assert answer.headers["content-type"] == "application/zip"
    assert package.testzip() is None
    assert package.namelist() == ["account.json", *(f"photos/{number}.jpg" for number in (1, 2, 3, 4))]
    told = msgspec.json.decode(package.read("account.json"))
    assert [each["file"] for each in told["photos"]] == package.namelist()[1:]
    assert package.read("photos/4.jpg") == contributor.ask("GET", "/photos/4.jpg", by=NAME).body


def test_a_copy_of_very_many_things_is_whole(member: Site) -> None:
    sent(member, "proverb", {"text": "পানীত হাতী", "category": "Fokora (ফকৰা)"})
    member.database.write_now(_multiplied)

    copy = member.ask("GET", "/api/account/export", by=NAME).json

    assert len(copy["submissions"]) == 2 * AT_ONCE + 2
    assert len({each["id"] for each in copy["submissions"]}) == 2 * AT_ONCE + 2


def _multiplied(connection: Writer) -> None:
    table = metadata.tables["submission"]
    row = connection.execute(select(table)).mappings().one()
    rows = [{**row, "id": row["id"] + number, "once": None} for number in range(1, 2 * AT_ONCE + 2)]
    connection.execute(insert(table), rows)


def test_copies_are_made_now_and_then_only(member: Site) -> None:
    answers = [member.ask("GET", "/api/account/export", by=NAME) for _ in range(6)]

    assert [answer.status for answer in answers] == [200] * 5 + [429]
    assert int(answers[5].headers["retry-after"]) > 0
    assert member.ask("GET", "/api/account/export", by="bina").status == 200


def test_a_copy_is_for_who_is_signed_in_and_in_a_form_that_is_known(member: Site) -> None:
    assert member.ask("GET", "/api/account/export").status == 401
    assert member.ask("GET", "/api/account/export?form=pdf", by=NAME).status == 400


def test_asking_for_the_headers_makes_no_copy(member: Site) -> None:
    answers = [member.ask("HEAD", "/api/account/export", by=NAME) for _ in range(7)]

    assert {answer.status for answer in answers} == {200}
    assert {answer.body for answer in answers} == {b""}
