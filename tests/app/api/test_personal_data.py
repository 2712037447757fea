import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table, Text, insert, select
from sqlalchemy.sql.visitors import iterate

from abhidhan.app.store.personal_data import BATCH_SIZE, EXPORT_SELECTS, OMITTED_COLUMNS, read_page
from abhidhan.editing.service import redaction
from abhidhan.editing.store.history import iter_stored_states
from abhidhan.people.service.administration import NewAccount
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.platform.database.database import Database, WriteConnection
from abhidhan.platform.database.reader import ReadConnection
from abhidhan.records.errors import ConflictError
from abhidhan.records.people import Role
from abhidhan.records.personal_data import DeletionChoices
from abhidhan.records.timestamps import format_timestamp
from abhidhan.schema import metadata, person
from tests.support.contributions import HOST, PASSWORD, Site, photo_bytes
from tests.support.plans import find_scanned_tables

NAME, EMAIL = "anilkumar", "Anil.Kumar@mail.example"
WORD = {
    "language": "as",
    "word": "নীৰ",
    "idea_id": 1,
    "reference": "AnilKumar",
    "note": f"As {NAME} says; write to {EMAIL}",
}


@pytest.fixture
def contributor(site: Site) -> Site:
    """Let a person contribute in every way, let an editor decide, and leave some contributions pending."""
    site.add("root", Role.ADMINISTRATOR)
    site.add("bina", Role.EDITOR)
    accounts = site.write_side.accounts
    site.run(accounts.administration.create_account(NewAccount(NAME, PASSWORD, EMAIL), Role.EDITOR))
    site.sign_in(NAME, headers={"User-Agent": f"Browser of {NAME}"})
    site.run(accounts.administration.create_reset_link(site.run(accounts.administration.find_by_name(NAME))))
    _contribute(site)
    return site


@pytest.fixture
def member(open_site: Site) -> Site:
    """Add a person without contributions, an administrator and an editor."""
    open_site.add("root", Role.ADMINISTRATOR)
    open_site.add("bina", Role.EDITOR)
    open_site.add(NAME, Role.EDITOR)
    return open_site


def _contribute(site: Site) -> None:
    correction = {"word_id": 1, "word": {"origin": "সংস্কৃত"}, "comment": f"{NAME} <{EMAIL}> knows"}
    approved, rejected = submit(site, "word", WORD), submit(site, "word", WORD | {"word": "নীৰদ"})
    corrected = submit(site, "correction", correction)
    submit(site, "proverb", {"text": f"পানী {EMAIL}", "category": "Fokora (ফকৰা)"})
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


def submit(site: Site, kind: str, data: object) -> int:
    answer = site.ask("POST", "/api/submissions", by=NAME, json={"kind": kind, "data": data})
    assert answer.status == 201, answer.body
    found: int = answer.json["submission_id"]
    return found


def read_all_texts(database: Database) -> dict[str, str]:
    """Read every column of every table that can hold text, JSON among it."""

    def read(connection: ReadConnection) -> dict[str, str]:
        return {
            f"{table.name}.{column.name}": "\n".join(
                each.decode("utf-8", "replace") if isinstance(each, bytes) else str(each)
                for (each,) in connection.rows(CompiledQuery(select(column).where(column.is_not(None))))
            )
            for table in metadata.tables.values()
            for column in table.columns
            if isinstance(column.type, Text | LargeBinary) or column.type.python_type is str
        }

    return database.read_now(read)


def find_columns_with(database: Database, text: str) -> list[str]:
    """Name the columns in which a text stands, in whatever letter case."""
    return [place for place, held in read_all_texts(database).items() if text.casefold() in held.casefold()]


def person_of_history(site: Site, path: str) -> list[tuple[str | None, str | None]]:
    return [(each["person"], each["contributor"]) for each in site.ask("GET", f"/api/{path}/history").json["data"]]


def files_of(site: Site) -> list[Path]:
    return [file for file in site.home.rglob("*") if file.suffix in {".jpg", ".webp"}]


def word_id(site: Site, word: str) -> int:
    found: int = site.ask("GET", f"/api/dic.php?w={quote(word)}").json["querywords"][0]["entries"][0]["id"]
    return found


def credits_of(site: Site) -> list[str]:
    return [each["credit"] for each in site.ask("GET", "/api/ideas/1").json["photos"]]


# --- deletion -----------------------------------------------------------------------------------------------------


def test_a_person_who_leaves_anonymously_is_named_nowhere_and_approved_contributions_stay(contributor: Site) -> None:
    assert min(len(find_columns_with(contributor.database, text)) for text in (EMAIL, NAME)) > 3

    contributor.delete_account(NAME)

    assert find_columns_with(contributor.database, EMAIL) == find_columns_with(contributor.database, NAME) == []
    listed = contributor.ask("GET", "/api/submissions", by="root").json["data"]
    assert [(each["status"], each["submitter"]) for each in listed] == [("approved", None)] * 2
    photos = contributor.ask("GET", "/api/photos", by="root").json["data"]
    assert [(each["status"], each["credit"]) for each in photos if each["photo_url"] is None] == [("withdrawn", "")]
    assert len(files_of(contributor)) == 6

    assert contributor.ask("GET", "/api/session", by=NAME).status == 401
    contributor.add(NAME)
    assert person_of_history(contributor, f"words/{word_id(contributor, 'নীৰ')}") == [("bina", None)]
    assert contributor.ask("GET", "/api/submissions", by=NAME).json["data"] == []


def test_contributions_stay_under_another_name_which_the_next_answer_shows(contributor: Site) -> None:
    before = contributor.ask("GET", "/api/ideas/1").headers["etag"]
    assert credits_of(contributor) == [NAME, f"{NAME}, Guwahati", "A. Photographer"]

    contributor.delete_account(NAME, name="Anil of Jorhat")

    assert credits_of(contributor) == ["Anil of Jorhat", "Anil of Jorhat, Guwahati", "A. Photographer"]
    assert contributor.ask("GET", "/api/ideas/1").headers["etag"] != before
    assert person_of_history(contributor, f"words/{word_id(contributor, 'নীৰ')}") == [("bina", "Anil of Jorhat")]
    assert person_of_history(contributor, "words/2") == [("bina", None), ("Anil of Jorhat", None)]
    assert find_columns_with(contributor.database, EMAIL) == find_columns_with(contributor.database, NAME) == []


def test_contributions_may_keep_the_name_of_the_account_which_is_then_reserved(contributor: Site) -> None:
    contributor.delete_account(NAME, name=NAME)

    with pytest.raises(ConflictError):
        contributor.add(NAME.upper())
    assert contributor.sign_in(NAME).status == 401
    assert credits_of(contributor)[0] == NAME
    assert find_columns_with(contributor.database, EMAIL) == []


def test_all_credit_lines_may_change_and_pending_contributions_may_stay(contributor: Site) -> None:
    contributor.delete_account(NAME, name="Pen Name", all_credits=True, keep_waiting=True)

    waiting = contributor.ask("GET", "/api/submissions?status=pending_review", by="bina").json["data"]
    assert [each["kind"] for each in waiting] == ["proverb"]
    assert contributor.ask("POST", "/api/photos/4/approve", by="bina").status == 200
    assert credits_of(contributor) == ["Pen Name"] * 4
    assert find_columns_with(contributor.database, EMAIL) == []


def test_the_history_of_a_deleted_account_can_still_be_hidden_and_undone(contributor: Site) -> None:
    def hidden() -> int:
        return len(contributor.database.read_now(redaction.list_hidden_entries))

    edit = contributor.ask("GET", f"/api/words/{word_id(contributor, 'নীৰ')}/history").json["data"][0]["id"]
    entries = contributor.database.read_now(lambda reader: [each.entry_id for each in iter_stored_states(reader)])
    contributor.database.write_now(
        lambda writer: redaction.hide_entries(writer, [each for each in entries if each != edit], "A court's order.", 1)
    )

    contributor.delete_account(NAME)

    assert 0 < hidden() < len(entries) - 1
    undone = contributor.ask("POST", f"/api/editing/history/{edit}/undo", by="bina")
    assert undone.status == 200, undone.body
    assert contributor.ask("GET", "/api/submissions?status=pending_review", by="bina").json["total"] == 1


def test_several_accounts_are_deleted_but_not_the_last_administrator(member: Site) -> None:
    member.add("gita")

    member.delete_account(NAME)
    member.delete_account("gita")
    with pytest.raises(ConflictError):
        member.delete_account("root")

    assert member.run(member.write_side.accounts.administration.list_people(1)).total == 2
    columns = metadata.tables["history"].c
    rows = member.database.read_now(
        lambda reader: reader.rows(CompiledQuery(select(columns.action_id, columns.record)))
    )
    assert rows[-1] == (36, "person")


def test_files_of_photos_are_removed_although_the_process_was_killed(contributor: Site) -> None:
    leaving = contributor.run(contributor.write_side.accounts.administration.find_by_name(NAME))
    photos = contributor.write_side.photos

    async def end(*_: object) -> int:
        raise KeyboardInterrupt

    photos.cleanup.purge = end  # type: ignore[method-assign]  # a process that is killed between the two
    with pytest.raises(KeyboardInterrupt):
        contributor.run(contributor.write_side.personal_data.delete_account(leaving, DeletionChoices()))
    del photos.cleanup.purge

    assert contributor.run(photos.cleanup.purge()) == 1
    assert len(files_of(contributor)) == 6


# --- a copy -------------------------------------------------------------------------------------------------------


def test_a_copy_contains_all_stored_data_but_no_secrets_and_no_data_of_others(contributor: Site) -> None:
    made = contributor.make_token(NAME, "edit", "contribute")

    copy = contributor.export_data(NAME)

    assert (copy["form"], list(copy)) == (2, ["form", "made", "left_out", *EXPORT_SELECTS])
    ((account,), (token,)) = copy["account"], copy["tokens"]
    assert (account["username"], account["email"], account["role"]) == (NAME, EMAIL, "editor")
    assert (token["name"], token["scopes"], token["expires"]) == (
        "my app",
        "contribute edit",
        format_timestamp(made.token.expires),
    )
    assert [each["agent"] for each in copy["sessions"]] == [f"Browser of {NAME}"]
    assert [[*each] for each in copy["known_addresses"]] == [["seen"]]
    assert [each["kind"] for each in copy["links"]] == ["reset"]
    assert [each["status"] for each in copy["submissions"]] == ["approved", "rejected", "approved", "pending_review"]
    assert copy["submissions"][0]["payload"]["data"]["word"] == "নীৰ"
    assert "Word edited" in [each["action"] for each in copy["changes"]]
    text = str({**copy, "left_out": None})
    for other in ("argon2", "hash", contributor.cookies[NAME], made.text, "bina", "root"):
        assert other not in text


def test_files_are_links_that_work_while_the_account_exists(contributor: Site) -> None:
    links = [each["file"].removeprefix(f"https://{HOST}") for each in contributor.export_data(NAME)["photos"]]

    assert links == [f"/photos/{number}.jpg" for number in (1, 2, 3, 4)]
    assert [contributor.ask("GET", link, by=NAME).status for link in links] == [200] * 4
    contributor.delete_account(NAME)
    assert [contributor.ask("GET", link).status for link in links] == [200, 200, 200, 404]


def test_a_copy_has_the_reason_where_the_history_is_hidden(contributor: Site) -> None:
    def list_edits() -> list[tuple[str | None, bool]]:
        changes = [each for each in contributor.export_data(NAME)["changes"] if each["action"] == "Word edited"]
        return [(each["hidden"], each["after"] is not None) for each in changes]

    assert list_edits() == [(None, True)]
    contributor.database.write_now(lambda writer: redaction.hide_text(writer, f"by {EMAIL}", "By order of a court.", 1))
    assert list_edits() == [("By order of a court.", False)]
    contributor.database.write_now(lambda writer: redaction.hide_text(writer, "নীৰ", "By order of a court.", 1))
    submission = contributor.export_data(NAME)["submissions"][0]
    assert (submission["hidden"], submission["payload"]) == ("By order of a court.", None)


def test_a_copy_of_very_many_records_is_complete_and_read_by_indexes(member: Site) -> None:
    submit(member, "proverb", {"text": "পানীত হাতী", "category": "Fokora (ফকৰা)"})
    member.database.write_now(_multiplied)

    assert len({each["id"] for each in member.export_data(NAME)["submissions"]}) == 2 * BATCH_SIZE + 2
    assert (
        find_scanned_tables(member.database, lambda reader: [read_page(reader, name, 1, 0) for name in EXPORT_SELECTS])
        == []
    )


def _multiplied(connection: WriteConnection) -> None:
    table = metadata.tables["submission"]
    row = connection.execute(select(table)).mappings().one()
    rows = [{**row, "id": row["id"] + number, "once": None} for number in range(1, 2 * BATCH_SIZE + 2)]
    connection.execute(insert(table), rows)


def test_every_column_about_a_person_is_in_the_copy_or_omitted_with_a_reason() -> None:
    selected = {each for one in EXPORT_SELECTS.values() for each in iterate(one) if isinstance(each, Column)}
    left_out = {column for columns in OMITTED_COLUMNS.values() for column in columns}

    assert unlisted([*metadata.tables.values()], selected | left_out) == []
    assert selected & left_out == set()
    # The rule finds a new table that names a person without a foreign key.
    new = Table("new", MetaData(), Column("reviewer_id", Integer), Column("text", Text))
    assert unlisted([new], set()) == ["new.reviewer_id", "new.text"]


def unlisted(tables: list[Table], listed: set[Column[Any]]) -> list[str]:
    about_people = [table for table in tables if table is person or any(map(names_a_person, table.columns))]
    return [str(column) for table in about_people for column in table.columns if column not in listed]


NAMES_OF_COLUMNS = re.compile(
    "(.+_)?(person|by|issuer|editor|reviewer|moderator|owner|author|user|sender|contributor|administrator)(_id)?"
)


def names_a_person(column: Column[Any]) -> bool:
    """Return whether a column holds a person's ID, by its foreign key or by its name."""
    is_named = isinstance(column.type, Integer) and NAMES_OF_COLUMNS.fullmatch(column.name) is not None
    return is_named or any(key.column.table is person for key in column.foreign_keys)
