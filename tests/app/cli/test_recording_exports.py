import csv
import io
import zipfile
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from abhidhan.app.cli import exports, imports
from abhidhan.app.cli.people import open_command_services
from abhidhan.people.service.administration import NewAccount
from abhidhan.records.errors import AbhidhanError, InputError
from abhidhan.records.people import Role
from abhidhan.records.submissions import Status
from tests.support.contributions import PASSWORD
from tests.support.generated_recordings import encode_recording, make_voice
from tests.support.object_store import ACCESS_VARIABLES, running_s3
from tests.support.server import copy_starter

program = typer.Typer()
imports.register(program)
exports.register(program)

LIST = """file,what,word,idea_id,phrase_id,speaker,licence,language
one.wav,word,পানী,,,=Anil,CC-BY-4.0,as
two.wav,,,,5,,CC0-1.0,
three.wav,word,water,,,,CC0-1.0,en
four.wav,word,পানী,,,,CC0-1.0,as
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a dictionary with three approved recordings and one that was rejected."""
    return with_recordings(tmp_path, monkeypatch)


def with_recordings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home, folder = tmp_path / "home", tmp_path / "voices"
    home.mkdir()
    folder.mkdir()
    monkeypatch.setenv("ABHIDHAN_HOME", str(home))
    copy_starter(home)
    for place, name in enumerate(("one", "two", "three", "four")):
        (folder / f"{name}.wav").write_bytes(encode_recording(samples=make_voice(vowels=3.0 + 2 * place)))
    (folder / "list.csv").write_text(LIST, "utf-8")
    with open_command_services() as services:
        services.run(services.accounts.administration.create_account(NewAccount("anil", PASSWORD), Role.EDITOR))
    run("import", "recordings", str(folder), "--by", "anil")
    with open_command_services() as services:
        anil = services.find_person("anil")
        for number in (1, 2, 3):
            services.run(services.recordings.approve(anil, number))
        services.run(services.recordings.reject(anil, 4, "Too quiet"))
    return home


def run(*arguments: str) -> tuple[str, str]:
    result = CliRunner().invoke(program, arguments)
    if isinstance(result.exception, AbhidhanError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def rows_of(archive: Path) -> list[dict[str, str]]:
    with zipfile.ZipFile(archive) as made:
        return list(csv.DictReader(io.StringIO(made.read("recordings.csv").decode(), newline="")))


def test_approved_recordings_are_exported_with_a_list_and_reproducibly(home: Path, tmp_path: Path) -> None:
    archive, again = tmp_path / "a.zip", tmp_path / "abhidhan-recordings.zip"
    output, _ = run("export", "recordings", "-o", str(archive))
    run("export", "recordings", "-o", str(tmp_path))

    assert archive.read_bytes() == again.read_bytes()
    assert "3 recordings" in output
    assert "Licences: CC-BY-4.0; CC0-1.0." in output
    with zipfile.ZipFile(archive) as made:
        names = [f"recordings/{number}.mp3" for number in (1, 2, 3)]
        assert made.namelist() == [*names, "recordings.csv"]
        assert {each.compress_type for each in made.infolist()} == {zipfile.ZIP_STORED}
        assert {made.read(name) for name in names} <= {file.read_bytes() for file in home.rglob("*.mp3")}
    first, second, _ = rows_of(archive)
    assert int(first.pop("milliseconds")) > 400
    assert len(first.pop("recorded")) == len("2026-01-01")
    assert int(first.pop("word_id")) > 0
    assert first == {
        "file": "recordings/1.mp3",
        "language": "as",
        "what": "word",
        "spoken": "পানী",
        "phrase_id": "",
        "idea_id": "",
        "speaker": "'=Anil",
        "place": "",
        "licence": "CC-BY-4.0",
    }
    assert (second["what"], second["phrase_id"], second["word_id"]) == ("proverb", "5", "")


def test_exported_recordings_can_be_imported_again(home: Path, tmp_path: Path) -> None:
    run("export", "recordings", "-o", str(tmp_path / "a.zip"))
    with zipfile.ZipFile(tmp_path / "a.zip") as made:
        made.extractall(tmp_path / "unpacked")

    output, errors = run("import", "recordings", str(tmp_path / "unpacked"), "--dry-run", "--by", "anil")

    assert output.startswith("3 rows; 3 new ones would wait for review"), errors
    assert home.is_dir()


def test_an_export_is_limited_to_one_language_and_reports_lost_files(home: Path, tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    run("export", "recordings", "-o", str(archive), "--language", "en")
    assert [row["spoken"] for row in rows_of(archive)] == ["water"]

    for file in (home / "recordings").rglob("*.mp3"):
        file.unlink()
    _, errors = run("export", "recordings", "-o", str(archive))

    assert errors.startswith("3 are left out because their files are lost: 1, 2, 3.")
    assert rows_of(archive) == []


def test_recordings_in_an_object_store_are_read_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_s3() as address:
        for name, value in {"AWS_ENDPOINT_URL": address, **ACCESS_VARIABLES}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("ABHIDHAN_RECORDINGS", "s3://dictionary/recordings")
        home = with_recordings(tmp_path, monkeypatch)
        run("export", "recordings", "-o", str(tmp_path / "a.zip"))

    with zipfile.ZipFile(tmp_path / "a.zip") as made:
        sizes = [each.file_size for each in made.infolist() if each.filename.endswith(".mp3")]
    assert (len(sizes), min(sizes) > 1000) == (3, True)
    assert not list(home.rglob("*.mp3"))


def test_options_that_do_not_apply_to_recordings_are_refused(home: Path) -> None:
    for arguments in (("--source", "x"), ("-o", "-"), ("--language", "zzz")):
        with pytest.raises(InputError):
            run("export", "recordings", *arguments)
    assert not list(home.glob("*.zip"))


def test_recordings_of_a_cldf_data_set_are_imported_after_its_words(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("export", "cldf", "-o", str(tmp_path / "a.zip"), "--language", "as", "--context", "Water")
    run("export", "cldf", "-o", str(tmp_path / "linked.zip"), "--language", "as", "--sounds", "none")
    other = tmp_path / "other"
    copy_starter(other)
    monkeypatch.setenv("ABHIDHAN_HOME", str(other))
    with open_command_services() as services:
        services.run(services.accounts.administration.create_account(NewAccount("bina", PASSWORD), Role.EDITOR))

    _, dry = run("import", "cldf", str(tmp_path / "a.zip"), "--dry-run", "--by", "bina")
    _, errors = run("import", "cldf", str(tmp_path / "a.zip"))
    assert "1 recording was not imported: import their words first." in dry
    assert "1 recording was not imported: give the account that submits them with --by NAME." in errors
    output, _ = run("import", "cldf", str(tmp_path / "a.zip"), "--by", "bina", "--approve")
    second, _ = run("import", "cldf", str(tmp_path / "a.zip"), "--by", "bina", "--approve")
    without, _ = run("import", "cldf", str(tmp_path / "linked.zip"), "--by", "bina")

    assert "Recordings:\n1 row; 1 new one (1 s); 1 approved; 0 were there before; 0 rejected." in output
    assert "1 row; 0 new ones wait for review (0 s); 1 was there before" in second
    assert "Recordings:" not in without
    with open_command_services() as services:
        (one,) = services.run(services.recordings.list_all(None, 10)).items
    assert (one.spoken, one.speaker, one.place, one.licence) == ("পানী", "=Anil", None, "CC-BY-4.0")
    assert home != other


def test_media_of_a_cldf_data_set_that_are_remote_or_belong_to_no_word_are_reported(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set" / "cldf"
    folder.mkdir(parents=True)
    files = {
        "languages.csv": "ID,Name,ISO639P3code\nx,Assamese,asm\n",
        "parameters.csv": "ID,Name,Concepticon_ID\nwater,WATER,948\n",
        "forms.csv": 'ID,Language_ID,Parameter_ID,Form,Media_IDs\n1,x,water,জুই,"a b"\n2,x,water,পানী,c\n',
        "media.csv": "ID,Media_Type,Download_URL,Path_In_Zip\na,audio/wav,sounds/a%20b.wav,\nb,audio/wav,https://x.example/b.wav,\n"
        "c,audio/wav,more.zip,in/c.wav\nd,audio/wav,d.wav,\ne,image/png,e.png,\nf,audio/wav,../../../etc/hostname,\n",
    }
    for name, content in files.items():
        (folder / name).write_text(content, "utf-8")
    (folder / "sounds").mkdir()
    (folder / "sounds" / "a b.wav").write_bytes(encode_recording(samples=make_voice(vowels=11.0)))
    with zipfile.ZipFile(folder / "more.zip", "w") as packed:
        packed.writestr("in/c.wav", encode_recording(samples=make_voice(vowels=13.0)))

    output, errors = run(
        "import", "cldf", str(folder), "--source", "mine", "--licence", "CC0-1.0", "--by", "anil", "--speaker", "Xewali"
    )

    assert "1 recording is on a server and is not fetched: download it" in errors
    assert "2 recordings are left out: no entry or form refers to them." in errors
    assert "Recordings:\n2 rows; 2 new ones wait for review" in output
    with open_command_services() as services:
        waiting = services.run(services.recordings.list_all(Status.PENDING, 10)).items
    assert {(one.spoken, one.speaker, one.licence) for one in waiting} == {
        ("জুই", "Xewali", "CC0-1.0"),
        ("পানী", "Xewali", "CC0-1.0"),
    }
    assert home.is_dir()
