import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from abhidhan.app.cli import imports
from abhidhan.app.cli.people import CommandServices, open_command_services
from abhidhan.media.service.recordings import RecordingEntry
from abhidhan.media.store import recordings
from abhidhan.media.store.recordings import find_phrase
from abhidhan.people.service.administration import NewAccount
from abhidhan.records.errors import AbhidhanError, ForbiddenError, InputError
from abhidhan.records.people import Role
from abhidhan.records.submissions import Status
from tests.support.contributions import PASSWORD
from tests.support.generated_recordings import encode_recording, make_voice
from tests.support.server import DICTIONARY_FILE, command_environment, copy_starter

program = typer.Typer()
imports.register(program)
program.command("nothing")(lambda: None)  # one command alone would have no name

SAID = ("--language", "as", "--licence", "CC-BY-4.0", "--speaker", "Anil", "--place", "Jorhat")
HEADER = "file,word,word_id,phrase_id,speaker,licence\n"


@pytest.fixture(scope="module")
def sounds() -> dict[str, bytes]:
    """Make the same voice in four formats, and another one."""
    made = {f"pani.{kind.lower()}": encode_recording(kind) for kind in ("WAV", "FLAC", "OGG", "MP3")}
    return made | {"other.wav": encode_recording(samples=make_voice(vowels=9.0, pitch=190.0))}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a dictionary with an editor and a reader."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("ABHIDHAN_HOME", str(home))
    copy_starter(home)
    with open_command_services() as services:
        services.run(services.accounts.administration.create_account(NewAccount("anil", PASSWORD), Role.EDITOR))
        services.run(services.accounts.administration.create_account(NewAccount("bina", PASSWORD), Role.READER))
    return home


@pytest.fixture
def folder(home: Path, tmp_path: Path, sounds: dict[str, bytes]) -> Path:
    """Make a folder of recordings, without a list."""
    folder = tmp_path / "voices"
    (folder / "more").mkdir(parents=True)
    for name, content in sounds.items():
        (folder / name).write_bytes(content)
    assert home.is_dir()
    return folder


def write_list(folder: Path, *rows: str, header: str = HEADER) -> Path:
    (folder / "list.csv").write_text(header + "".join(f"{row}\n" for row in rows), "utf-8")
    return folder


def import_recordings(path: Path, *more: str) -> tuple[str, list[str]]:
    """Import recordings; return the last line of the output, and the lines about rejected rows and other problems."""
    result = CliRunner().invoke(program, ["import", "recordings", str(path), *more])
    if isinstance(result.exception, AbhidhanError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()[-1], result.stderr.splitlines()


def stored_recordings() -> list[RecordingEntry]:
    def list_all(services: CommandServices) -> list[RecordingEntry]:
        return sorted(services.run(services.recordings.list_all(None, 100)).items, key=lambda one: one.submission_id)

    with open_command_services() as services:
        return list_all(services)


def test_recordings_wait_for_review_and_importing_the_same_list_again_changes_nothing(folder: Path) -> None:
    write_list(folder, "pani.wav,পানী,,,,", "more/../other.wav,,,5,Bina,CC0-1.0", "pani.ogg,water,1,,,")
    arguments = (folder, *SAID, "--by", "anil")

    tried, _ = import_recordings(*arguments, "--dry-run")
    assert (tried[: tried.index("(")], stored_recordings()) == ("3 rows; 3 new ones would wait for review ", [])
    first, messages = import_recordings(*arguments)
    again, _ = import_recordings(*arguments)

    assert first.startswith("3 rows; 3 new ones wait for review (3 s); 0 were there before; 0 rejected.")
    assert messages == ["No row names 2 of the recordings in the folder: pani.flac, pani.mp3"]
    assert again == "3 rows; 0 new ones wait for review (0 s); 3 were there before; 0 rejected."
    entries = stored_recordings()
    assert [(one.phrase_id, one.word_id == 1, one.spoken == "পানী") for one in entries] == [
        (None, False, True),
        (5, False, False),
        (None, True, False),
    ]
    assert [(one.speaker, one.place, one.licence, one.status) for one in entries] == [
        ("Anil", "Jorhat", "CC-BY-4.0", Status.PENDING),
        ("Bina", "Jorhat", "CC0-1.0", Status.PENDING),
        ("Anil", "Jorhat", "CC-BY-4.0", Status.PENDING),
    ]


WRONG_ROWS = (
    ("none.wav,পানী,,,,", "none.wav: There is no such file."),
    (",পানী,,,,", "The row names no file."),
    ("pani.wav,নাথাকাশব্দ,,,,", "pani.wav: There is no word 'নাথাকাশব্দ'."),
    ("pani.wav,,,,,", "pani.wav: The row names no word."),
    ("pani.wav,,999999,,,", "pani.wav: There is no word with the ID '999999'."),
    ("pani.wav,,,x,,", "pani.wav: There is no proverb with the ID 'x'."),
    ("pani.wav,,1,5,,", "pani.wav: Give only one of word_id, phrase_id and idea_id."),
    ("pani.wav,জুই,1,,,", "pani.wav: The word_id 1 is 'water' here, not 'জুই'."),
    ("../secret.wav,পানী,,,,", "../secret.wav: The file is outside the folder of the list: it is not read."),
    ("..\\secret.wav,পানী,,,,", "..\\secret.wav: The file is outside the folder of the list: it is not read."),
    ("/etc/hostname,পানী,,,,", "/etc/hostname: The file is outside the folder of the list: it is not read."),
    ("link.wav,পানী,,,,", "link.wav: The file is outside the folder of the list: it is not read."),
    ("a\0b.wav,পানী,,,,", "The name of the file is not valid."),
    ("more,পানী,,,,", "more: There is no such file."),
    ("text.wav,পানী,,,,", "`text.wav` is not a WAV, FLAC, Ogg or MP3 file."),
    ("silent.wav,পানী,,,,", "No sound in `silent.wav`: check the microphone and record again."),
    ("large.wav,পানী,,,,", "`large.wav` is larger than 5 MB (5,242,880 bytes). Make it shorter and send it again."),
    (f"pani.wav,পানী,,,{'x' * 101},", "pani.wav: `speaker` must have at most 100 characters."),
    ("pani.wav,পানী,,,,,,surplus", "The row has 8 cells"),
)
"""Rows of a list, and why each is rejected."""


def test_a_dry_run_rejects_each_wrong_row_with_a_reason_and_stores_nothing(
    folder: Path, home: Path, subtests: pytest.Subtests
) -> None:
    (folder.parent / "secret.wav").write_bytes((folder / "pani.wav").read_bytes())
    (folder / "link.wav").symlink_to(folder.parent / "secret.wav")
    (folder / "text.wav").write_text("not a recording")
    (folder / "silent.wav").write_bytes(encode_recording(samples=make_voice(level=1e-6, noise=1e-7)))
    (folder / "large.wav").write_bytes(b"\0" * (5 * 1_048_576 + 1))
    write_list(folder, "pani.flac,পানী,,,,", *(row for row, _ in WRONG_ROWS))

    summary, messages = import_recordings(folder, *SAID, "--dry-run")

    assert summary.startswith(f"{1 + len(WRONG_ROWS)} rows; 1 new one would wait for review")
    assert summary.endswith(f"{len(WRONG_ROWS)} rejected.")
    for line, (row, reason) in enumerate(WRONG_ROWS, 3):
        with subtests.test(row):
            assert [reason in message for message in messages if message.startswith(f"list.csv:{line}: ")] == [True]
    assert stored_recordings() == []
    assert [each for each in (home / "recordings").rglob("*") if each.is_file()] == []


def test_a_rejected_row_is_reported_with_all_its_errors(folder: Path) -> None:
    write_list(folder, "none.wav,নাথাকাশব্দ,,,,")
    _, messages = import_recordings(folder, "--dry-run", "--language", "as")

    assert messages[0] == (
        "list.csv:2: none.wav: There is no such file. none.wav: There is no word 'নাথাকাশব্দ'. none.wav: Under which "
        "licence is it? Give it in the column licence, or for all, such as: --licence CC-BY-4.0."
    )


def test_a_second_import_adds_rows_that_were_rejected_and_are_corrected(folder: Path) -> None:
    write_list(folder, "pani.wav,পানী,,,,", "other.wav,নাথাকাশব্দ,,,,")
    assert import_recordings(folder, *SAID, "--by", "anil")[0].endswith("; 0 were there before; 1 rejected.")
    write_list(folder, "pani.wav,পানী,,,,", "other.wav,,,5,,")

    assert import_recordings(folder, *SAID, "--by", "anil")[0].startswith("2 rows; 1 new one ")
    assert len(stored_recordings()) == 2


def test_an_editor_approves_imported_recordings_including_those_that_already_wait(folder: Path) -> None:
    write_list(folder, "pani.wav,পানী,,,,")
    import_recordings(folder, *SAID, "--by", "anil")
    write_list(folder, "pani.wav,পানী,,,,", "other.wav,,,5,,")

    summary, _ = import_recordings(folder, *SAID, "--by", "anil", "--approve")

    assert "2 approved; 1 was there before" in summary
    assert [one.status for one in stored_recordings()] == [Status.APPROVED, Status.APPROVED]
    with pytest.raises(ForbiddenError):
        import_recordings(folder, *SAID, "--by", "bina", "--approve")


def test_rejected_and_withdrawn_recordings_are_not_imported_again(folder: Path) -> None:
    write_list(folder, "pani.wav,পানী,,,,", "other.wav,পানী,,,,")
    import_recordings(folder, *SAID, "--by", "anil")
    with open_command_services() as services:
        anil = services.find_person("anil")
        services.run(services.recordings.reject(anil, 1, "Too quiet"))
        services.run(services.recordings.withdraw(anil, 2))

    assert "2 were there before" in import_recordings(folder, *SAID, "--by", "anil", "--approve")[0]
    assert [one.status for one in stored_recordings()] == [Status.REJECTED, Status.WITHDRAWN]


def test_a_repeated_row_is_one_recording_and_the_same_file_for_another_word_a_second_one(folder: Path) -> None:
    write_list(folder, *["pani.wav,পানী,,,,"] * 9, "pani.wav,,,5,,")

    assert "2 new ones" in import_recordings(folder, *SAID, "--by", "anil", "--dry-run")[0]
    assert "2 new ones" in import_recordings(folder, *SAID, "--by", "anil")[0]
    assert len(stored_recordings()) == 2


def test_a_list_names_a_proverb_by_its_text_and_may_be_a_file_of_tabs(folder: Path) -> None:
    with open_command_services() as services:
        found = services.database.read_now(partial(find_phrase, phrase_id=5))
    assert found is not None
    proverb = found.spoken
    file = folder / "voices.tsv"
    file.write_text(f"Filename\tWhat\tText\tLanguage\npani.mp3\tproverb\t{proverb}\tas\n", "utf-8")

    summary, _ = import_recordings(file, "--licence", "CC0-1.0", "--by", "bina")

    assert summary.startswith("1 row; 1 new one waits")
    assert [(one.phrase_id, one.spoken) for one in stored_recordings()] == [(5, proverb)]


def test_a_list_that_cannot_be_imported_at_all_is_refused_with_a_sentence(folder: Path) -> None:
    with pytest.raises(InputError, match="must have one list"):
        import_recordings(folder, "--dry-run")
    with pytest.raises(InputError, match="must name the columns"):
        import_recordings(write_list(folder, header="a,b\n"), "--dry-run")
    with pytest.raises(InputError, match="There is no file"):
        import_recordings(folder / "none", "--dry-run")
    with pytest.raises(InputError, match="is not a list"):
        import_recordings(folder / "pani.wav", "--dry-run")
    with pytest.raises(InputError, match="Recordings have no source"):
        import_recordings(write_list(folder), "--dry-run", "--source", "mine")
    with pytest.raises(InputError, match="--by NAME"):
        import_recordings(write_list(folder, "pani.wav,পানী,,,,"), *SAID)


def test_the_options_of_recordings_are_refused_for_other_formats(folder: Path) -> None:
    result = CliRunner().invoke(program, ["import", "csv", str(folder), "--speaker", "Anil"])

    assert isinstance(result.exception, InputError)


@pytest.mark.thorough
def test_a_killed_import_is_finished_by_the_next_one_without_duplicates_or_losses(folder: Path, home: Path) -> None:
    many = [f"{number}.wav" for number in range(20)]
    for number, name in enumerate(many):
        (folder / name).write_bytes(encode_recording(samples=make_voice(seconds=0.3, silence=0.1, vowels=3.0 + number)))
    write_list(folder, *(f"{name},পানী,,,," for name in many))
    arguments = ["import", "recordings", str(folder), *SAID, "--by", "anil", "--approve"]
    environment = command_environment(home)
    with subprocess.Popen([sys.executable, "-m", "abhidhan", *arguments], env=environment) as process:  # noqa: S603
        with closing(sqlite3.connect(home / DICTIONARY_FILE)) as dictionary:
            while dictionary.execute("SELECT count(*) FROM recording").fetchone()[0] < 3 and process.poll() is None:
                time.sleep(0.005)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    before = len(stored_recordings())
    assert 3 <= before < len(many)

    summary, _ = import_recordings(folder, *SAID, "--by", "anil", "--approve")

    assert summary.startswith(f"20 rows; {len(many) - before} new ones")
    assert f"{before} were there before; 0 rejected." in summary
    assert [one.status for one in stored_recordings()] == [Status.APPROVED] * len(many)
    with open_command_services() as services:
        found = services.run(services.recordings.cleanup.check())
    # What the kill left without a row is young, and is swept later.
    assert (found.lost, len(many) <= found.files <= len(many) + 1) == ((), True)


def test_a_row_whose_word_was_deleted_during_the_import_is_rejected(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_list(folder, "pani.wav,পানী,,,,", "other.wav,,,5,,", "pani.ogg,জুই,,,,")
    monkeypatch.setattr(recordings, "target_exists", lambda _, subject: subject.phrase_id is None)

    summary, messages = import_recordings(folder, *SAID, "--by", "anil")

    assert summary.startswith("3 rows; 2 new ones wait for review")
    reason = "The word, phrase or example in this recording has been deleted or changed."
    assert messages[0] == f"list.csv:3: other.wav: {reason}"
    assert len(stored_recordings()) == 2
