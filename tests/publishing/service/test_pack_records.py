"""Packs hold what the dictionary has, and changes bring them where it is now."""

import asyncio
import gzip
import hashlib
from collections.abc import Iterator
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from abhidhan.editing.service.editing import Editing
from abhidhan.platform.database.database import Database
from abhidhan.platform.sandbox.artifact_store import ArtifactStore
from abhidhan.publishing.service.pack_records import load_pack_changes
from abhidhan.publishing.service.packs import PackFile, PackFiles, generate_packs, is_up_to_date, read_packs
from abhidhan.records.change_feed import FeedPosition, encode_token
from abhidhan.records.errors import AbhidhanError, GoneError, InputError, NotFoundError
from abhidhan.records.history import RecordRef
from abhidhan.records.input_validation import RecordChanges
from abhidhan.records.submission_payloads import DefinitionData, IdeaChanges, IdeaData, PhraseChanges, WordData
from assamese.keys import all_keys
from tests.support.arbitrary_edits import EDITOR
from tests.support.databases import SqliteDatabases, load_sample, open_database
from tests.support.disk import limit_file_size
from tests.support.published_downloads import list_generated_folders
from tests.support.sample import NOW

PAIRS = ("as-en", "en-as")
IDEA = RecordRef("idea", "1")


@pytest.fixture
def sample(sqlite_databases: SqliteDatabases) -> Iterator[Database]:
    """Open the sample for a test that changes it."""
    with open_database(sqlite_databases, load_sample) as database:
        yield database


def edit(database: Database, record: RecordRef, changes: RecordChanges) -> None:
    editing = Editing(database, clock=lambda: NOW + 1)
    version = asyncio.run(editing.read(EDITOR, record)).version
    asyncio.run(editing.change(EDITOR, record, version, changes))


def read(folder: Path, pair: str, name: str) -> Any:  # noqa: ANN401  # JSON
    return msgspec.json.decode(gzip.decompress(file_of(folder, pair, name).content))


def file_of(folder: Path, pair: str, name: str) -> PackFile:
    return asyncio.run(PackFiles(ArtifactStore(folder)).open(pair, name))


def entries(chunk: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """Name the entries of a chunk by their IDs, with their keys."""
    found = {}
    columns = [name for name in chunk if name not in {"kind", "id"}]
    for place, number in enumerate(accumulate(chunk["id"])):
        one = {name: chunk[name][place] for name in columns}
        for key, before in (("exact", "word"), ("loose", "exact"), ("sound", "loose")):
            one[key] = one[key] or one[before]
        found[number] = one
    return found


def read_pack(folder: Path, pair: str) -> dict[str, dict[int, dict[str, Any]]]:
    """Read all entries of a pack by kind."""
    found: dict[str, dict[int, dict[str, Any]]] = {"word": {}, "proverb": {}}
    for chunk in read(folder, pair, "manifest.json")["chunks"]:
        found[chunk["kind"]] |= entries(read(folder, pair, f"{chunk['sha256']}.json"))
    return found


def test_a_pack_has_every_word_that_means_something_with_the_keys_of_the_server(
    dictionary: Database, tmp_path: Path
) -> None:
    made = generate_packs(dictionary, ArtifactStore(tmp_path), now=NOW, pairs=PAIRS)

    packed = read_pack(tmp_path, "as-en")
    assert [each.pair for each in made.packs] == [*PAIRS]
    assert made.packs[0].words == len(packed["word"])
    assert made.packs[0].proverbs == len(packed["proverb"]) > 0
    by_text = {one["word"]: one for one in packed["word"].values()}
    assert by_text["পানী"]["senses"][0][1][0] == "water"
    assert by_text["পানী"]["roman"] == "pa.ni"
    for one in by_text.values():
        assert (one["exact"], one["loose"], one["sound"]) == all_keys(one["word"], "as")
    assert {one["word"] for one in read_pack(tmp_path, "en-as")["word"].values()} >= {"water"}


def test_pack_files_match_their_hashes_and_the_manifest_lists_licences(sample: Database, tmp_path: Path) -> None:
    generate_packs(sample, ArtifactStore(tmp_path), now=NOW, pairs=("as-en",), translate_name=lambda name: f"<{name}>")

    manifest = read(tmp_path, "as-en", "manifest.json")
    for named in (manifest["rules"], *manifest["chunks"]):
        file = file_of(tmp_path, "as-en", f"{named['sha256']}.json")
        assert hashlib.sha256(gzip.decompress(file.content)).hexdigest() == named["sha256"]
        assert len(file.content) == named["bytes"]
        assert file.is_immutable
    assert manifest["sources"][0]["licence"]
    assert manifest["parts_of_speech"]["1"] == {"en": "Common Noun", "as": "<Common Noun>"}
    assert not file_of(tmp_path, "as-en", "manifest.json").is_immutable


def test_packs_are_made_once_for_each_state_of_the_data_and_an_edit_changes_one_chunk(
    sample: Database, tmp_path: Path
) -> None:
    first = generate_packs(sample, ArtifactStore(tmp_path), now=NOW, pairs=("as-en",))
    names = {each["sha256"] for each in read(tmp_path, "as-en", "manifest.json")["chunks"]}
    assert generate_packs(sample, ArtifactStore(tmp_path), now=NOW + 1, pairs=("as-en",)) == first

    edit(sample, IDEA, IdeaChanges(definitions=()))
    again = generate_packs(sample, ArtifactStore(tmp_path), now=NOW + 2, pairs=("as-en",))

    assert again.made == NOW + 2
    assert len(names ^ {each["sha256"] for each in read(tmp_path, "as-en", "manifest.json")["chunks"]}) == 2
    assert len(list_generated_folders(tmp_path)) == 1


def test_a_pair_whose_language_is_not_there_gets_no_pack(sample: Database, tmp_path: Path) -> None:
    made = generate_packs(sample, ArtifactStore(tmp_path), now=NOW, pairs=("zza-en", "as-en"))

    assert [each.pair for each in made.packs] == ["as-en"]
    assert read_packs(ArtifactStore(tmp_path)) == made
    assert is_up_to_date(made, ("zza-en", "as-en"))
    assert not is_up_to_date(made, ("as-en",))
    assert not is_up_to_date(replace(made, packs=(replace(made.packs[0], rules="other rules"),)), made.pairs)


def test_only_files_of_packs_can_be_opened(sample: Database, tmp_path: Path) -> None:
    generate_packs(sample, ArtifactStore(tmp_path), now=NOW, pairs=("as-en",))

    for pair, name in (
        ("as-en", "packs.json"),
        ("as-en", "../packs.json"),
        ("..", "manifest.json"),
        ("as-en", ""),
        ("as-hi", "manifest.json"),
    ):
        with pytest.raises(NotFoundError):
            file_of(tmp_path, pair, name)


def test_a_full_disk_is_reported_and_keeps_the_older_packs(sample: Database, tmp_path: Path) -> None:
    older = generate_packs(sample, ArtifactStore(tmp_path), now=NOW, pairs=("as-en",))

    with limit_file_size(1_000), pytest.raises(AbhidhanError, match=r"^.+\.$"):
        generate_packs(sample, ArtifactStore(tmp_path), now=NOW + 1, pairs=PAIRS)

    assert read_packs(ArtifactStore(tmp_path)) == older
    assert read_pack(tmp_path, "as-en")["word"]


def test_changes_bring_a_pack_where_one_that_is_made_now_is(dictionary: Database, tmp_path: Path) -> None:
    generate_packs(dictionary, ArtifactStore(tmp_path), now=NOW, pairs=("as-en",))
    packed, token = read_pack(tmp_path, "as-en"), read(tmp_path, "as-en", "manifest.json")["changes"]
    before = {kind: dict(of_kind) for kind, of_kind in packed.items()}
    editing = Editing(dictionary, clock=lambda: NOW + 1)
    meaning = IdeaData("Common Noun", definitions=(DefinitionData("en", "quite new"),))

    asyncio.run(editing.add_word(EDITOR, WordData("as", "নতুনশব্দ", 1)))
    asyncio.run(editing.add_word(EDITOR, WordData("as", "বেলেগ", None, meaning)))
    edit(dictionary, IDEA, IdeaChanges(definitions=(DefinitionData("en", "quite another"),)))
    edit(dictionary, RecordRef("phrase", str(next(iter(packed["proverb"])))), PhraseChanges(meaning="meant otherwise"))
    asyncio.run(editing.delete(EDITOR, RecordRef("word", str(max(packed["word"])))))
    _follow(dictionary, packed, token)
    generate_packs(dictionary, ArtifactStore(tmp_path), now=NOW + 2, pairs=("as-en",))

    assert packed == read_pack(tmp_path, "as-en")
    assert len({*before["word"]} ^ {*packed["word"]}) == 3
    assert before["proverb"] != packed["proverb"]


def _follow(database: Database, packed: dict[str, dict[int, dict[str, Any]]], token: str) -> None:
    """Change a pack as whoever holds it does, a few changes at a time."""
    more = True
    while more:
        told = msgspec.to_builtins(database.read_now(partial(load_pack_changes, name="as-en", since=token, limit=2)))
        for kind in ("word", "proverb"):
            for number in told["gone"][f"{kind}s"]:
                packed[kind].pop(number, None)
            changed = msgspec.json.decode(msgspec.json.encode(told[f"{kind}s"]))
            packed[kind] |= entries(changed)
        token, more = told["next"], told["more"]


def test_wrong_requests_for_changes_are_rejected(shared_dictionary: Database, tmp_path: Path) -> None:
    generate_packs(shared_dictionary, ArtifactStore(tmp_path), now=NOW, pairs=("as-en",))
    token = read(tmp_path, "as-en", "manifest.json")["changes"]

    for pair, since, error in (("as-zz", token, NotFoundError), ("as-en", "x", InputError), ("as-en", OLD, GoneError)):
        with pytest.raises(error):
            shared_dictionary.read_now(partial(load_pack_changes, name=pair, since=since, limit=9))


OLD = encode_token(FeedPosition(1, 1, 1, 1))
"""A token of another dictionary."""
