"""What `make bench` is made of, without a server: what it asks, what it reads of others, and the copy on PostgreSQL."""

import os
from itertools import islice
from math import isnan
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import func, select

from abhidhan.dictionary.service.lookup import look_up
from abhidhan.platform.database.database import Database
from abhidhan.schema import metadata
from bench import operating
from bench.load import LoadMeasurement, RequestPaths, parse_result
from bench.options import SIZES, read_options
from bench.peers import DEFAULT_PATH, Peer, fill_path
from bench.postgresql import copy_rows
from bench.questions import REQUEST_GENERATORS, SampleTexts, list_costly_requests, look_up_several_words
from bench.servers import Server, parse_status_kib
from bench.speed import WORD_COUNTS, SeveralWords, compare_with_hello, compute_ratios
from bench.tables import UNKNOWN, format_heading, format_row
from tests.support.databases import PostgresqlDatabases, SqliteDatabases, load_sample

TEXTS = SampleTexts(2, ["পানী", "জল", "ice cream/1"], ["অতি দৰ্পে হত লঙ্কা"], ["water", "dog"])


def take(name: str, count: int = 4) -> list[str]:
    return [*islice(REQUEST_GENERATORS[name](TEXTS), count)]


def test_words_are_queried_in_their_language_and_in_all() -> None:
    limited, unlimited = (take(f"dic.php, never asked before, `l` {how}") for how in ("given", "omitted"))

    assert all(path.endswith("&l=2") for path in limited)
    assert [path.removesuffix("&l=2") for path in limited] == unlimited


def test_no_query_is_repeated(subtests: pytest.Subtests) -> None:
    for name in REQUEST_GENERATORS:
        if "again" not in name:
            with subtests.test(name):
                queries = [*REQUEST_GENERATORS[name](TEXTS)]

                assert queries
                assert len({*queries}) == len(queries)
    for count in WORD_COUNTS:
        with subtests.test("several words", count=count):
            queries = [*look_up_several_words(SampleTexts(2, ["পানী", "জল", "মাছ"], [], []), count)]
            words = [parse_qs(urlsplit(path).query)["w"][0].split() for path in queries]

            assert {len(each) for each in words} == {count}
            assert len({*queries}) == len(queries)


def test_the_costly_requests_are_the_same_at_every_limit() -> None:
    usual, greatest = (
        list_costly_requests(TEXTS, list_limit=least, short_limit=10, search_limit=20) for least in (50, 1000)
    )

    assert usual.keys() == greatest.keys()


def test_a_peer_gets_requests_for_the_same_words() -> None:
    peer = Peer("http://127.0.0.1:9000", ("/{word}.json?x={word}", DEFAULT_PATH))

    questions = dict(peer.questions(TEXTS.words))

    assert [*questions] == ["http://127.0.0.1:9000/{word}.json?x={word}", f"http://127.0.0.1:9000{DEFAULT_PATH}"]
    assert questions[f"http://127.0.0.1:9000{DEFAULT_PATH}"][-1] == "/api/dictionary/english/english/ice%20cream%2F1"
    assert fill_path("/{word}.json?x={word}", "जल") == "/%E0%A4%9C%E0%A4%B2.json?x=%E0%A4%9C%E0%A4%B2"
    assert peer.server == Server("http://127.0.0.1:9000", None, peer.server.start_seconds)


def test_an_invalid_peer_is_rejected_with_a_message() -> None:
    for address, path in (("127.0.0.1:9000", DEFAULT_PATH), ("http://x", "/words"), ("http://x", "{word}")):
        with pytest.raises(SystemExit, match="--peer"):
            Peer(address, (path,))


def test_options_of_the_command_line_select_the_measurements() -> None:
    plain = read_options([])
    assert (plain.sizes, plain.homes, plain.postgresql, plain.peer) == (SIZES, (), None, None)
    assert plain.imports_wordnet

    quick = read_options(["--quick", "--sizes", "20,10", "--seconds", "9"])
    assert (quick.sizes, quick.seconds, quick.imports_wordnet) == ((10,), 1, False)

    homes = read_options(["--home", "one", "--home", "two", "--postgresql", "postgresql://x/y"])
    assert (homes.sizes, homes.homes, homes.postgresql) == ((), (Path("one"), Path("two")), "postgresql://x/y")
    assert not homes.imports_wordnet

    peer = read_options(["--peer", "http://x:1/", "--peer-path", "/a/{word}", "--peer-path", "/b?q={word}"]).peer
    assert peer == Peer("http://x:1", ("/a/{word}", "/b?q={word}"))
    assert read_options(["--peer", "http://x:1", "--peer-process", "7"]).peer == Peer("http://x:1", (DEFAULT_PATH,), 7)


def test_the_result_of_the_load_generator_is_parsed() -> None:
    output = "Running\nRESULT 500 2000000 1500 9000 3\nmore"

    assert parse_result(output, 0.25) == (500, LoadMeasurement(250.0, 1.5, 9.0, 500.0, 3))
    assert isnan(parse_result(output, UNKNOWN)[1].processor)


def test_the_paths_are_written_to_a_file(tmp_path: Path) -> None:
    addresses = RequestPaths(tmp_path / "paths.txt", ["/a", "/b"])

    assert (tmp_path / "paths.txt").read_text() == "/a\n/b\n"
    assert not addresses.has_repeated


def test_a_server_is_compared_with_hello_by_time_and_processor_time() -> None:
    bare = [LoadMeasurement(1000.0, 1, 2, 100.0, 0)] * 3
    runs = [LoadMeasurement(rate, 4, 8, 200.0, 0) for rate in (100.0, 250.0, 300.0)]
    alone = [LoadMeasurement(50.0, p50, 9.0, 0, 0) for p50 in (3.0, 1.0, 2.0)]

    assert compare_with_hello(runs, alone, bare) == (250.0, 0.25, 0.5, 200.0, 2.0, 9.0)
    unknown = compare_with_hello([LoadMeasurement(100.0, 4, 8, UNKNOWN, 0)], alone, bare)
    assert unknown.hello_ratio == 0.1
    assert isnan(unknown.hello_processor_ratio)
    assert compare_with_hello([LoadMeasurement(100.0, 4, 8, 0.0, 0)], alone, bare).hello_processor_ratio == 0.0


def test_requests_for_several_words_are_compared_with_those_for_one() -> None:
    assert compute_ratios([(100, 200, 300, 500), (110, 220, 440, 550), (90, 180, 999, 450)]) == SeveralWords(
        2.0, 4.4, 5.0
    )
    assert all(map(isnan, compute_ratios([(0.0, 1.0, 1.0, 1.0)])))


def test_memory_and_processor_time_are_read_from_the_kernel() -> None:
    server = Server("http://127.0.0.1:1", os.getpid())

    assert parse_status_kib("Name:\tpython\nVmHWM:\t  2048 kB\nRss:  12 kB\nThreads:\t3") == {"VmHWM": 2048, "Rss": 12}
    assert server.processor_seconds() > 0
    assert server.memory().peak >= server.memory().resident * 0.9 >= server.memory().own * 0.5 > 0
    unknown = Server("http://127.0.0.1:1", None)
    assert isnan(unknown.processor_seconds())
    assert all(map(isnan, unknown.memory()))


def test_unknown_values_in_a_table_are_dashes() -> None:
    assert format_heading("Speed", ("a", "b")) == "\n## Speed\n\n| a | b |\n|---|---|"
    assert format_row("x", 1234.5, 0.12345, 7, UNKNOWN) == "| x | 1,234 | 0.123 | 7 | – |"


@pytest.mark.thorough
def test_a_copy_on_postgresql_has_the_same_rows_and_answers(
    sqlite_databases: SqliteDatabases, postgresql_databases: PostgresqlDatabases
) -> None:
    source_url, target_url = sqlite_databases.copy(load_sample), postgresql_databases.absent()

    copy_rows(source_url, target_url)

    with Database(source_url) as source, Database(target_url) as target:
        with source.engine.connect() as one, target.engine.connect() as other:
            for table in metadata.sorted_tables:
                counted = select(func.count()).select_from(table)
                assert one.execute(counted).scalar() == other.execute(counted).scalar(), table.name
        answers = [database.read_now(lambda reader: look_up(reader, "pani water")) for database in (source, target)]
        assert answers[0] == answers[1]
    sqlite_databases.remove(source_url)
    postgresql_databases.remove(target_url)


def test_words_and_size_of_a_dictionary_are_read(sqlite_databases: SqliteDatabases, tmp_path: Path) -> None:
    file = Path(sqlite_databases.copy(load_sample).removeprefix("sqlite:///"))
    file.rename(tmp_path / "dictionary.sqlite3")

    count, words = operating.read_words(tmp_path)

    assert (count, "পানী" in words) == (len(words), True)
    assert operating.measure_size(tmp_path) == operating.measure_size(tmp_path / "dictionary.sqlite3") > 0.1
