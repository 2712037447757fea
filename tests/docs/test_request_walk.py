"""`docs/architecture.md` names the functions that a look-up enters, from the socket to the SQL and back."""

import re
import sys
from pathlib import Path
from types import FrameType

import abhidhan
import assamese
from tests.support.application import open_application
from tests.support.databases import SqliteDatabases, load_sample, open_database

ROOT = Path(__file__).parents[2]
SOURCES = (Path(abhidhan.__file__).parent, Path(assamese.__file__).parents[1])
STEP = re.compile(r"^\| `([\w/]+\.py)` \| `([\w.]+)` \|", re.MULTILINE)


def test_a_first_look_up_enters_the_functions_that_the_architecture_names_in_their_order(
    sqlite_databases: SqliteDatabases, tmp_path: Path
) -> None:
    steps = STEP.findall((ROOT / "docs/architecture.md").read_text(encoding="utf-8"))
    named = [(path, name) for path, name in steps]
    entered: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        path = Path(code.co_filename)
        source = next((each for each in SOURCES if path.is_relative_to(each)), None)
        if event == "call" and source is not None:
            step = (str(path.relative_to(source)), getattr(code, "co_qualname", code.co_name))
            if step in named and step not in entered:
                entered.append(step)

    with open_database(sqlite_databases, load_sample) as database, open_application(database, tmp_path) as ask:
        ask("/api/dic.php", {"w": "water", "l": "en"})
        sys.setprofile(note)
        try:
            answer = ask("/api/dic.php", {"w": "পানী", "l": "as"})
        finally:
            sys.setprofile(None)

    assert answer.status == 200
    assert len(named) > 10
    assert entered == named
