import asyncio
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from abhidhan.app.cli import people, review
from abhidhan.app.cli.people import CommandServices, open_command_services
from abhidhan.app.database import open_dictionary
from abhidhan.exchange.service.import_for_review import submit_for_review
from abhidhan.people.service.administration import NewAccount
from abhidhan.records.errors import AbhidhanError, ConflictError, ForbiddenError, InputError
from abhidhan.records.import_records import LocatedRecord
from abhidhan.records.kinds import IdeaRecord, ListItemRecord, WordRecord
from abhidhan.records.people import Role
from abhidhan.records.settings_reading import load_settings
from abhidhan.records.submission_payloads import (
    DefinitionData,
    IdeaData,
    ProverbData,
    ProverbSubmission,
    WordData,
    WordSubmission,
)
from abhidhan.records.uploads import UploadedFile
from tests.support.contributions import PASSWORD, photo_bytes
from tests.support.generated_recordings import encode_recording
from tests.support.server import copy_starter

program = typer.Typer()
people.register(program)
review.register(program)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a dictionary with an editor, a contributor, a proverb, a photo and a recording that wait."""
    monkeypatch.setenv("ABHIDHAN_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    copy_starter(tmp_path)
    with open_command_services() as services:
        _submit(services)
    return tmp_path


def _submit(services: CommandServices) -> None:
    services.run(services.accounts.administration.create_account(NewAccount("anil", PASSWORD), Role.EDITOR))
    bina = services.run(services.accounts.administration.create_account(NewAccount("bina", PASSWORD), Role.CONTRIBUTOR))
    data = ProverbData(text="নতুন ফকৰা [b]এটা", category="Other")
    services.run(services.submissions.submit(bina, ProverbSubmission(data)))
    services.run(services.photos.submit(bina, UploadedFile({"ideaID": "1", "photoCredit": "[red]Bina"}, photo_bytes())))
    said = UploadedFile({"wordID": "1", "speaker": "[red]Bina", "consent": "yes"}, encode_recording())
    services.run(services.recordings.submit(bina, said))


def run(*arguments: str, status: int = 0) -> str:
    """Run a command; give its output, or raise its error."""
    result = CliRunner().invoke(program, [*arguments])
    if isinstance(result.exception, AbhidhanError):
        raise result.exception
    assert result.exit_code == status, result.output
    return result.stdout


def test_pending_submissions_are_listed_as_they_were_written() -> None:
    assert "নতুন ফকৰা [b]এটা" in run("review", "list")
    assert run("review", "list", "--status", "approved").endswith("0 in all.\n")
    with pytest.raises(InputError, match="must be one of"):
        run("review", "list", "--status", "nonsense")


def test_the_language_of_a_field_is_listed_in_brackets() -> None:
    meaning = IdeaData(pos="Common Noun", definitions=(DefinitionData("en", "A shrub."),))
    with open_command_services() as services:
        bina = services.find_person("bina")
        data = WordData(language="as", word="নতুন শব্দ", meaning=meaning)
        services.run(services.submissions.submit(bina, WordSubmission(data)))

    assert "    definitions (English): A shrub.\n" in run("review", "list")


def test_submissions_are_approved_once_and_rejected_with_a_reason() -> None:
    assert run("review", "approve", "1", "--by", "anil").startswith("Submission 1 is approved: phrase:")
    with pytest.raises(ConflictError):
        run("review", "reject", "1", "--by", "anil", "--reason", "because")
    with pytest.raises(ForbiddenError):
        run("review", "approve", "1", "--by", "bina")


def test_values_of_lists_are_approved_before_the_records_that_need_them() -> None:
    value = ListItemRecord("CTX", 900, "Fishing")
    idea = IdeaRecord("abhidhan", "net", None, (WordRecord("as", "জালখন"),), contexts=("Fishing",))
    with open_dictionary(load_settings()) as database:
        submit_for_review(database, [LocatedRecord("file", 1, value), LocatedRecord("file", 2, idea)], now=0)

    assert "    record: list_value\n" in run("review", "list")
    with pytest.raises(ConflictError, match="needs the context “Fishing”"):
        run("review", "approve", "3", "--by", "anil")
    assert "list_item:CTX-" in run("review", "approve", "2", "--by", "anil")
    assert "idea:" in run("review", "approve", "3", "--by", "anil")


@pytest.mark.parametrize(("options", "count"), [((), 1), (("--remove-recordings",), 0)])
def test_a_deleted_account_leaves_its_approved_recordings_unless_they_are_removed_too(
    home: Path, options: tuple[str, ...], count: int
) -> None:
    with open_command_services() as services:
        services.run(services.recordings.approve(services.find_person("anil"), 1))

    run("people", "remove", "bina", "--yes", *options)

    assert len([*(home / "recordings").rglob("*.mp3")]) == count


def test_a_check_reports_lost_files_and_rejects_their_records(home: Path) -> None:
    of_recordings = "1 file, 0 without a recording, 0 recordings without a file.\n"
    assert run("review", "check") == f"2 files, 0 without a photo, 0 photos without a file.\n{of_recordings}"
    next((home / "photos").rglob("*.jpg")).unlink()
    next((home / "recordings").rglob("*.mp3")).unlink()

    assert run("review", "check", status=1).startswith("Photo 1: its file is lost.\n")
    mended = run("review", "check", "--mend")
    assert "Photo 1: its file is lost; rejected.\n" in mended
    assert "Recording 1: its file is lost; rejected.\n" in mended
    assert run("review", "check").startswith("0 files")


def test_the_services_of_a_command_run_coroutines() -> None:
    with open_command_services() as services:
        assert services.run(asyncio.sleep(0, "done")) == "done"
