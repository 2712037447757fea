"""Trace requests through the program: `python -m tools.trace_requests [DATA_FOLDER]`.

For each of several requests, counts the project's functions and files that are entered, all calls, the SQL statements,
and the functions that only call another one. Without a data folder, the starter dictionary is loaded into a temporary
one, which takes half a minute. `--functions NAME` lists the functions of one request in the order of entry.
"""

import argparse
import ast
import asyncio
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Final, NamedTuple

from litestar.types import ASGIApp

from abhidhan.app.asgi import create_application
from abhidhan.app.database import open_dictionary, open_for_serving
from abhidhan.platform.database.compiled_queries import CompiledQuery
from abhidhan.records.settings import Settings
from tests.support.asgi import ask_async

ROOT: Final = Path(__file__).parents[1]
SOURCE_FOLDERS: Final = (str(ROOT / "src"), str(ROOT / "packages"))

REQUESTS: Final[Mapping[str, tuple[str, str]]] = {
    "first hit": ("/api/dic.php", "w=ঘৰ&l=as"),
    "first hit, any language": ("/api/dic.php", "w=ঘৰ"),
    "misspelled": ("/api/dic.php", "w=প্ৰিথিবি"),
    "suggest": ("/api/suggest", "q=gha"),
    "search": ("/api/search", "q=hati"),
    "page": ("/dic/পানী", ""),
}
"""Requests to trace, once each, after the warm-up requests."""

WARM_UP_REQUESTS: Final = (
    ("/api/dic.php", "w=গছ&l=as"),
    ("/api/dic.php", "w=গছ"),
    ("/api/dic.php", "w=পৃথিবি"),
    ("/api/dic.php", "w=বিশ্ববিদালয়"),
    ("/api/suggest", "q=pan"),
    ("/api/search", "q=ghor"),
    ("/dic/ঘৰ", ""),
    ("/dic/ফুল", ""),
)


class Trace(NamedTuple):
    """The project's functions that a request entered, in order, with the number of all calls and SQL statements."""

    functions: tuple[CodeType, ...]
    calls: int
    statements: int

    @property
    def file_count(self) -> int:
        """The number of files that contain the functions."""
        return len({function.co_filename for function in self.functions})

    @property
    def forwarding_count(self) -> int:
        """The number of functions that only call another function."""
        return sum(_only_forwards(function) for function in self.functions)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="data folder of a dictionary")
    parser.add_argument("--functions", choices=REQUESTS, help="list what this request enters")
    options = parser.parse_args()
    traces = trace_requests(options.folder)
    if options.functions:
        for function in traces[options.functions].functions:
            path = Path(function.co_filename).relative_to(ROOT)
            print(f"{path}:{function.co_firstlineno} {function.co_qualname}")
        return
    print("| request | functions | files | passing on | calls | statements |\n|---|---|---|---|---|---|")
    for name, trace in traces.items():
        counts = (len(trace.functions), trace.file_count, trace.forwarding_count, trace.calls, trace.statements)
        print(f"| {name} | " + " | ".join(f"{count:,}" for count in counts) + " |")


def trace_requests(folder: Path | None = None) -> dict[str, Trace]:
    """Trace all requests with the dictionary of a data folder, or with the starter dictionary."""
    with tempfile.TemporaryDirectory() as temporary:
        settings = Settings(home=folder or Path(temporary), log_level="warning", rate_limit="")
        settings.run_folder.mkdir(parents=True, exist_ok=True)
        with open_dictionary(settings, with_lists=True):
            pass
        return asyncio.run(_trace_all(settings))


async def _trace_all(settings: Settings) -> dict[str, Trace]:
    recorder = _CallRecorder()
    # Set before the database starts its threads, so that they inherit it.
    threading.setprofile(recorder.record_event)
    with open_for_serving(settings) as database:
        # As in a server: the data version is read only after a commit.
        database.watch_commits()
        application = create_application(settings, database)
        for path, query in WARM_UP_REQUESTS:
            await _send_request(application, path, query)
        traces = {}
        for name, (path, query) in REQUESTS.items():
            with recorder.recording():
                await _send_request(application, path, query)
            traces[name] = recorder.trace()
    threading.setprofile(None)
    return traces


async def _send_request(application: ASGIApp, path: str, query: str) -> None:
    answer = await ask_async(application, path, query)
    if answer.status != 200:  # noqa: PLR2004
        raise RuntimeError(f"{path}?{query} answered {answer.status}")


class _CallRecorder:
    """Records the functions entered in all threads while recording is on."""

    def __init__(self) -> None:
        self._is_on = False
        self._entered: dict[CodeType, None] = {}
        self._calls = 0
        self._statements = 0

    def record_event(self, frame: FrameType, event: str, _: object) -> None:
        """Record an event of the interpreter (a profile function)."""
        if not self._is_on or event not in {"call", "c_call"}:
            return
        self._calls += 1
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(SOURCE_FOLDERS) and path.endswith(".py"):
            self._entered[frame.f_code] = None
            self._statements += frame.f_code is CompiledQuery.rows.__code__

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Discard earlier records, and record within the block."""
        self._entered, self._calls, self._statements = {}, 0, 0
        self._is_on = True
        sys.setprofile(self.record_event)
        try:
            yield
        finally:
            sys.setprofile(None)
            self._is_on = False

    def trace(self) -> Trace:
        """Return the recorded trace, without lambdas and comprehensions, which count as parts of functions."""
        functions = [code for code in self._entered if not code.co_name.startswith("<")]
        return Trace(tuple(functions), self._calls, self._statements)


def _only_forwards(function: CodeType) -> bool:
    """Return whether the body of a function is a single call with plain arguments."""
    definition = _parse_definitions(function.co_filename).get(function.co_firstlineno)
    if definition is None:
        return False
    body = _without_docstring(definition.body)
    if len(body) != 1 or not isinstance(body[0], ast.Return | ast.Expr):
        return False
    call = body[0].value
    while isinstance(call, ast.Await):
        call = call.value
    return isinstance(call, ast.Call) and all(
        _is_plain(argument) for argument in (*call.args, *(k.value for k in call.keywords))
    )


def _without_docstring(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    first = body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if is_docstring else body


def _is_plain(argument: ast.expr) -> bool:
    """Return whether an argument is a name, an attribute of a name, or a constant."""
    while isinstance(argument, ast.Attribute | ast.Starred):
        argument = argument.value
    return isinstance(argument, ast.Name | ast.Constant)


@cache
def _parse_definitions(path: str) -> dict[int, ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the functions of a file by the line of their first decorator or, without one, of `def`."""
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]): node for node in functions}


if __name__ == "__main__":
    main()
