"""DSL in and out. What is written is read by our importer, and by a small reader after the format's description."""

import gzip
import os
import re
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abhidhan.domain.incoming import Fault, Placed
from abhidhan.domain.records import ExampleRecord, IdeaRecord, SourceRecord
from abhidhan.errors import InputError
from abhidhan.formats import dsl_files
from abhidhan.formats.dsl_markup import MOST_OPTIONAL, Opened, pieces_of, spellings_of
from abhidhan.formats.files import open_contents
from abhidhan.formats.importers import IMPORTERS
from abhidhan.formats.reading import Found, Options
from abhidhan.formats.writing.dsl import escaped_text
from abhidhan.services.exchange.exporting import book_of, export
from abhidhan.storage.dump import Choice
from abhidhan.storage.engine.database import Database
from tests.support.databases import SqliteDatabases, with_sample
from tests.support.importing import SOURCE, ideas, read, words
from tests.support.programs import data_folder, program

BARE = Options(source=SOURCE)
HEAD = '#NAME "A dictionary"\n#INDEX_LANGUAGE "English"\n#CONTENTS_LANGUAGE "Assamese"\n\n'


@pytest.fixture(scope="module")
def sample(sqlite_databases: SqliteDatabases) -> Database:
    """Open the sample for all tests of this file."""
    return Database(sqlite_databases.copy(with_sample))


def cards(folder: Path, text: str, options: Options = BARE) -> list[Found]:
    """Read a file with a head of its own."""
    return read(folder, "dsl", {"a.dsl": HEAD + text}, options)


def one(folder: Path, text: str) -> IdeaRecord:
    """Read the only idea of a file."""
    (idea,) = ideas(cards(folder, text))
    return idea


def faults(found: list[Found]) -> list[tuple[int, str]]:
    """Take what is wrong: the line, and the beginning of the sentence."""
    return [(each.line, each.detail[:30]) for each in found if isinstance(each, Fault)]


# --- in -----------------------------------------------------------------------------------------------------------


def test_a_card_becomes_ideas_with_what_its_tags_say(tmp_path: Path) -> None:
    text = (
        "fish\n"
        "\t\\[[t]fɪʃ[/t]\\] [p]n[/p]\n"
        "\t[m1]1) [trn]মাছ, মীন[/trn] [com](in water)[/com][/m]\n"
        "\t[m2][*][ex][lang id=1033]He caught a fish[/lang] — তেওঁ মাছ এটা ধৰিলে[/ex][/*][/m]\n"
        "\t[m1]2) [p]m[/p] [trn]পানীত থকা আৰু সাঁতুৰি ফুৰা এবিধ প্ৰাণী যাৰ পাখি থাকে[/trn][/m]\n"
        "\t[s]fish.wav[/s] See [ref]shark[/ref]\n"
    )
    first, second = ideas(cards(tmp_path, text))

    assert words(first) == [("en", "fish"), ("as", "মাছ"), ("as", "মীন")]
    assert (first.pos, first.words[0].ipa, first.words[0].note) == ("Common Noun", "fɪʃ", "in water")
    assert first.examples == (ExampleRecord("en", "He caught a fish", "তেওঁ মাছ এটা ধৰিলে"),)
    assert (second.gender, second.pos, len(second.definitions)) == ("Masculine", "Common Noun", 1)
    assert second.definitions[0].language == "as"


def test_signs_behind_a_backslash_are_text_and_a_tilde_is_the_headword(tmp_path: Path) -> None:
    idea = one(tmp_path, "a\\[b\\]\n\t[trn]\\~ ~ ^~ \\(x\\) [foo] \\\\[/trn]\n")

    assert idea.words[0].text == "a[b]"
    assert [each.text for each in idea.definitions] or words(idea)[1] == ("as", "~ a[b] A[b] (x) [foo] \\")


@pytest.mark.parametrize(
    ("line", "spellings"),
    [
        ("colo(u)r", ["colour", "color"]),
        ("{to }go", ["go"]),
        ("{[b]}bold{[/b]}", ["bold"]),
        ("a\\(b\\)", ["a(b)"]),
        ("(a)(b)", ["ab"]),
        ("a(b)c(d)", ["abcd", "abc", "acd", "ac"]),
        ("x(1)" * (MOST_OPTIONAL + 20), ["x1" * (MOST_OPTIONAL + 20), "x" * (MOST_OPTIONAL + 20)]),
        ("(((((", []),
        ("}}})))a", ["a"]),
    ],
)
def test_a_headword_has_the_spellings_that_its_parts_make(line: str, spellings: list[str]) -> None:
    assert spellings_of(line) == spellings


def test_several_headwords_share_a_card_and_cards_stand_within_cards(tmp_path: Path) -> None:
    text = "grey\ngray\n\t[trn]ছাই বৰণীয়া[/trn]\n\t@ ~ matter\n\t[trn]মগজু[/trn]\n\t@\n\t[trn]ধূসৰ[/trn]\n"
    found = ideas(cards(tmp_path, text))

    assert [words(idea) for idea in found] == [
        [("en", "grey matter"), ("as", "মগজু")],
        [("en", "grey"), ("as", "ছাই বৰণীয়া")],
        [("en", "grey"), ("as", "ধূসৰ")],
    ]
    assert found[1].words[0].forms == ("gray",)


def test_abbreviations_say_what_labels_mean_and_contexts_are_mapped(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.dsl": HEAD + "fish\n\t[p]ik.[/p] [p]zoo.[/p] [trn]মাছ[/trn]\n",
        "a_abrv.dsl": HEAD + "ik.\n\tnoun\nzoo.\n\t[i]Animals[/i]\n",
    }
    options = Options(source=SOURCE, values={"context": {"Animals": "Animal"}})
    (idea,) = ideas(read(tmp_path, "dsl", files, options))

    assert (idea.pos, idea.contexts, idea.words[0].note) == ("Common Noun", ("Animal",), None)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_any_unicode_is_read_packed_or_not(tmp_path: Path, encoding: str) -> None:
    raw = (HEAD + "fish\n\t[trn]মাছ[/trn]\n").replace("\n", "\r\n").encode(encoding)
    (tmp_path / "a").mkdir()
    (plain,) = ideas(read(tmp_path / "a", "dsl", {"a.dsl": raw}, BARE))
    (tmp_path / "b").mkdir()
    (packed,) = ideas(read(tmp_path / "b", "dsl", {"a.dsl.dz": gzip.compress(raw)}, BARE))

    assert plain == packed
    assert words(plain) == [("en", "fish"), ("as", "মাছ")]


def test_languages_that_a_file_does_not_say_are_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--language"):
        read(tmp_path, "dsl", {"a.dsl": "fish\n\tমাছ\n"}, BARE)
    with pytest.raises(InputError, match=r"NAME\.dsl"):
        read(tmp_path / "none", "dsl", {"x_abrv.dsl": "n\n\tnoun\n"}, BARE)


def test_comments_are_no_text_and_one_that_is_never_closed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dsl_files, "MOST_COMMENTED", 2)
    text = "fish{{a}}\n\t[trn]মাছ[/trn]{{b\nc\n}}\nbird\n\t[trn]চৰাই[/trn]\n{{\n1\n2\nstone\n\t[trn]শিল[/trn]\n"
    found = cards(tmp_path, text)

    assert faults(found) == [(11, "The comment that opens here wi")]
    texts = [
        each.record.words[0].text for each in found if isinstance(each, Placed) and isinstance(each.record, IdeaRecord)
    ]
    assert texts == ["fish", "bird", "stone"]


def test_comments_behind_one_that_is_never_closed_are_no_text_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dsl_files, "MOST_COMMENTED", 2)
    text = "{{\n1\n2\nstone\n\t[trn]শিল[/trn]{{b\nbird\n}}\nfish\n\t[trn]মাছ[/trn]\n"
    found = cards(tmp_path, text)

    assert len(faults(found)) == 1
    assert [words(idea)[0] for idea in ideas([each for each in found if isinstance(each, Placed)])] == [
        ("en", "stone"),
        ("en", "fish"),
    ]


def test_a_language_that_nobody_knows_by_its_name_is_told_and_can_be_mapped(tmp_path: Path) -> None:
    text = (
        "fish\n"
        '\t[m1]1) [trn]মাছ[/trn] [ex][lang name="Elvish"]hal[/lang] — মাছ এটা[/ex][/m]\n'
        '\t[m1]2) [trn][lang name="Elvish"]lingwi[/lang][/trn][/m]\n'
        "\t[m1]3) [trn]মীন[/trn][/m]\n"
        "water\n"
        '\t[trn][lang name="Elvish"]nen[/lang][/trn]\n'
    )
    found = cards(tmp_path, text)

    assert faults(found) == [(5, "What is in the language 'Elvis"), (9, "What is in the language 'Elvis")]
    kept = ideas([each for each in found if not isinstance(each, Fault)])
    assert [words(idea) for idea in kept] == [[("en", "fish"), ("as", "মাছ")], [("en", "fish"), ("as", "মীন")]]
    assert not kept[0].examples

    mapped = ideas(cards(tmp_path, text, Options(source=SOURCE, values={"language": {"Elvish": "qaa"}})))
    assert [[one.language for one in idea.definitions] for idea in mapped] == [[], ["qaa"], [], ["qaa"]]
    assert mapped[0].examples[0].language == "qaa"


def test_what_is_no_card_is_told_by_its_line(tmp_path: Path) -> None:
    text = "\tno headword\nempty\n\nsee\n\t[trn][/trn] \nfish\n\t[trn]মাছ[/trn]\nlast\n"

    assert faults(cards(tmp_path, text)) == [
        (5, "The line begins with a tab or "),
        (6, "The headword has no text. Writ"),
        (8, "The article has no meaning of "),
        (12, "The headword has no text. Writ"),
    ]


def test_a_card_without_end_costs_no_more_than_its_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dsl_files, "MOST_LINES", 50)
    monkeypatch.setattr(dsl_files, "MOST_SPELLINGS", 5)
    long = "long\n" + "\t[m1]1) [trn]x[/trn]\n" * 100
    many = "".join(f"h{number}\n" for number in range(9)) + "\t[trn]এটা[/trn]\n"
    nested = "nested\n\t" + "[b]" * 500 + "[trn]দুটা[/trn]\n"
    found = cards(tmp_path, long + many + nested + "fish\n\t[trn]মাছ[/trn]\n")

    assert {sentence for _, sentence in faults(found)} == {
        "The card is longer than 5,000 ",
        "The card has more than 200 hea",
    }
    read_words = [
        each.record.words[0].text for each in found if isinstance(each, Placed) and isinstance(each.record, IdeaRecord)
    ]
    assert read_words == ["h0", "nested", "fish"]


@given(st.text(alphabet="ab[]{}()\\~^@#<>/*!mtrnp \t\n1.", max_size=120))
def test_no_text_makes_the_reader_fail(text: str) -> None:
    opened = Opened()
    for line in text.splitlines():
        assert len(spellings_of(line)) <= 2**MOST_OPTIONAL
        list(pieces_of(line, "head", opened))


@given(st.text(max_size=60))
def test_a_text_that_is_escaped_comes_back(text: str) -> None:
    wanted = " ".join(text.split())

    assert "".join(piece.text for piece in pieces_of(escaped_text(text), "head", Opened())) == wanted
    assert spellings_of(escaped_text(text)) == ([wanted] if wanted else [])


def test_a_real_dictionary_is_read_with_its_romanizations_and_genders(tmp_path: Path) -> None:
    given_file = data_folder("wiktionary_en_hi") / "en-hi-enwiktionary.dsl.utf8.txt"
    (tmp_path / "en-hi.dsl").write_bytes(given_file.read_bytes())
    found = list(IMPORTERS["dsl"].read(open_contents([tmp_path]), BARE))

    assert faults(found) == [(3409, "The article has no meaning of "), (22609, "The article has no meaning of ")]
    read_ideas = [each.record for each in found if isinstance(each, Placed) and isinstance(each.record, IdeaRecord)]
    bucket = next(idea for idea in read_ideas if idea.words[0].text == "bucket")
    assert (bucket.pos, bucket.gender, bucket.words[0].note) == ("Common Noun", "Feminine", "container")
    assert (bucket.words[1].text, bucket.words[1].roman) == ("बाल्टी", "bālṭī")
    assert len(read_ideas) > 5900


# --- out ----------------------------------------------------------------------------------------------------------


def unpacked(database: Database, folder: Path) -> Path:
    """Export the dictionaries, and unpack them."""
    export(database, "dsl", folder / "a.zip")
    with zipfile.ZipFile(folder / "a.zip") as packed:
        packed.extractall(folder)
    (folder / "a.zip").unlink()
    return folder


def cards_by_headword(file: Path) -> Iterator[tuple[str, list[str]]]:
    """Read a file as GoldenDict does: UTF-16, lines at their beginnings are headwords of the text below them."""
    headwords: list[str] = []
    body: list[str] = []
    for line in [*file.read_text("utf-16").splitlines(), "end"]:
        if line.startswith("#") or not line:
            continue
        if line.startswith("\t"):
            body.append(re.sub(r"(?<!\\)\[[^\]]*\]", "", line.strip()))
            continue
        if body:
            yield from ((headword, body) for headword in headwords)
            headwords, body = [], []
        headwords.append(re.sub(r"\\(.)", r"\1", line))


@pytest.mark.parametrize("asked", ["পানী", "pa.ni", "pani"])
def test_a_word_is_found_by_its_spelling_and_what_people_type(sample: Database, tmp_path: Path, asked: str) -> None:
    found = dict(cards_by_headword(unpacked(sample, tmp_path) / "abhidhan-as.dsl"))

    text = "\n".join(found[asked])
    assert "English: water" in text
    assert "1. mat. n." in text


GOLDENDICT: Final = """<config><paths><path recursive="1">{folder}/dictionaries</path></paths><preferences>
<checkForNewReleases>0</checkForNewReleases><enableScanPopup>0</enableScanPopup><enableTrayIcon>0</enableTrayIcon>
<fullTextSearch><enabled>0</enabled></fullTextSearch></preferences></config>"""


def test_goldendict_takes_the_dictionary_of_each_language(sample: Database, tmp_path: Path) -> None:
    goldendict = program("goldendict", "goldendict")
    (tmp_path / "dictionaries").mkdir()
    files = [file for file in unpacked(sample, tmp_path / "dictionaries").glob("*.dsl") if "_abrv" not in file.name]
    (tmp_path / ".goldendict").mkdir(mode=0o700)
    (tmp_path / ".goldendict/config").write_text(GOLDENDICT.format(folder=tmp_path))
    told = tmp_path / "told"
    home = {"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path / ".goldendict"), "QT_QPA_PLATFORM": "offscreen"}

    with told.open("w") as log:
        process = subprocess.Popen([goldendict], env=os.environ | home, stdout=log, stderr=log)  # noqa: S603
        try:
            wait_until(lambda: told.read_text().count("Building the index") == len(files))
        finally:
            process.kill()
            process.wait()

    for file in files:
        name = re.findall('#NAME "(.*)"', file.read_text("utf-16"))[0]
        assert f"Dsl: Building the index for dictionary: {name}\n" in told.read_text()
    assert "Warning" not in told.read_text()


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for another program, for a minute at most."""
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.1)
    pytest.fail("it has not happened within a minute")


def test_tags_are_closed_in_their_line_in_the_order_in_which_they_open(sample: Database, tmp_path: Path) -> None:
    files = sorted(unpacked(sample, tmp_path).glob("*.dsl"))

    assert {"abhidhan-as.dsl", "abhidhan-as_abrv.dsl", "abhidhan-en.dsl"} <= {file.name for file in files}
    for line in "\n".join(file.read_text("utf-16") for file in files).splitlines():
        opened: list[str] = []
        for slash, name in re.findall(r"(?<!\\)\[(/?)([a-z*']+)[^\]]*\]", line):
            if slash:
                assert opened.pop() == name, line
            else:
                opened.append(name)
        assert opened == [], line


def test_what_goes_out_comes_back_with_meanings_labels_and_examples(sample: Database, tmp_path: Path) -> None:
    folder = unpacked(sample, tmp_path)
    for file in folder.glob("*"):
        if not file.name.startswith("abhidhan-as"):
            file.unlink()
    options = Options(source=SourceRecord("s", "S", "CC0-1.0"))
    found = list(IMPORTERS["dsl"].read(open_contents([folder]), options))

    assert faults(found) == []
    back = {
        (each.record.words[0].text, frozenset(words(each.record)), each.record.pos, each.record.definitions)
        for each in found
        if isinstance(each, Placed) and isinstance(each.record, IdeaRecord)
    }
    with sample.snapshot() as reader:
        there = {
            (word.text, frozenset(words(idea)), idea.pos, idea.definitions)
            for idea in book_of(reader, Choice()).ideas()
            for word in idea.words
            if word.language == "as"
        }
    assert len(there) > 50
    assert back == there
