"""Measure how many faults the tests notice: change one place of the code, run the tests that cover it, and repeat.

    python -m pytest -n auto -m "not thorough and not nightly" --cov --cov-context=test --cov-report=
    python -m tools.mutation choose --seed 57 > var/mutants.json
    python -m tools.mutation run var/mutants.json var/mutation.jsonl

`run` changes files of the checkout it runs in, one at a time, and restores them; use a checkout of its own
(`git worktree add`), and a second one in parallel with `--part 2/2`. Results are appended line by line, so a stopped
run goes on where it was. The list of mutants is that of one commit. A mutant is timed out if no test fails within 60
seconds.
"""

import ast
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
from coverage import CoverageData

ROOT = Path(__file__).parents[1]
TIME_LIMIT_SECONDS = 60
MAX_TESTS = 400
"""Tests of one mutant, those that cover the fewest lines first. More do not end within the time limit."""

_COMPARISONS = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
_ARITHMETIC = {ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.FloorDiv: "*", ast.Div: "*"}


class Mutant(NamedTuple):
    """A change of one place.

    `start` and `end` are offsets in the encoded file, which the commit that chose the mutant has; `original` is checked
    before the change.
    """

    path: str
    line: int
    start: int
    end: int
    original: str
    replacement: str


@click.group()
def cli() -> None:
    """Measure how many faults the tests notice."""


@cli.command()
@click.option("--seed", default=57, show_default=True)
@click.option("--count", default=150, show_default=True)
def choose(seed: int, count: int) -> None:
    """Print a random choice of mutants of services, models and the language engine."""
    mutants = [mutant for path in _source_files() for mutant in find_mutants(path)]
    chosen = random.Random(seed).sample(mutants, count)  # noqa: S311
    json.dump([mutant._asdict() for mutant in sorted(chosen)], sys.stdout, indent=1, ensure_ascii=False)
    print()


@cli.command()
@click.argument("mutants", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("results", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--coverage", "coverage_file", default=".coverage", show_default=True, help="Coverage with contexts.")
@click.option("--part", default="1/1", show_default=True, help="Run a part of the mutants only: PART/PARTS.")
def run(mutants: Path, results: Path, coverage_file: str, part: str) -> None:
    """Run the tests that cover each of MUTANTS, and append an object for each to RESULTS."""
    coverage = CoverageData(coverage_file)
    coverage.read()
    sizes = _count_lines(coverage)
    number, parts = (int(value) for value in part.split("/"))
    done = {tuple(json.loads(line)["mutant"].values()) for line in _read_lines(results)}
    for index, values in enumerate(json.loads(mutants.read_text(encoding="utf-8"))):
        mutant = Mutant(**values)
        if index % parts != number - 1 or tuple(mutant) in done:
            continue
        outcome = _run_tests(mutant, tests_of(coverage, mutant, sizes))
        with results.open("a", encoding="utf-8") as file:
            print(json.dumps({"mutant": values, "outcome": outcome}, ensure_ascii=False), file=file)
        print(f"{outcome:12} {mutant.path}:{mutant.line}  {mutant.original} -> {mutant.replacement}", flush=True)
    outcomes = Counter(json.loads(line)["outcome"] for line in _read_lines(results))
    print(f"killed {outcomes['killed'] / max(1, outcomes.total()):.1%}", dict(outcomes))


def _source_files() -> list[Path]:
    source = ROOT / "src/abhidhan"
    layers = [
        *(path for layer in ("service", "model") for path in source.rglob(f"{layer}/**/*.py")),
        *(path for layer in ("service", "model") for path in source.rglob(f"{layer}.py")),
        *(source / "records").rglob("*.py"),
        *(ROOT / "packages/assamese/src").rglob("*.py"),
    ]
    return sorted(set(layers))


def find_mutants(path: Path) -> Iterator[Mutant]:
    """Yield a change for each comparison, operator, condition, number and returned value in the functions of a file."""
    source = path.read_bytes()
    lines = source.splitlines(keepends=True)
    line_starts = [0, *itertools.accumulate(len(line) for line in lines)]

    def start(node: ast.expr) -> int:
        return line_starts[node.lineno - 1] + node.col_offset

    def end(node: ast.expr) -> int:
        return line_starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)

    def mutant(start: int, end: int, replacement: str) -> Mutant:
        line = source.count(b"\n", 0, start) + 1
        return Mutant(str(path.relative_to(ROOT)), line, start, end, source[start:end].decode(), replacement)

    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    mutants: dict[Mutant, None] = {}
    for node in (inner for function in functions for statement in function.body for inner in ast.walk(statement)):
        if operator := _change_operator(node):
            left, right, replacement = operator
            # A parenthesis next to an operator belongs to an operand.
            if not set("()") & set(source[end(left) : start(right)].decode()):
                mutants[mutant(end(left), start(right), f" {replacement} ")] = None
        if value := _change_value(node):
            old, template = value
            text = source[start(old) : end(old)].decode()
            mutants[mutant(start(old), end(old), template.format(text))] = None
    yield from mutants


def _change_operator(node: ast.AST) -> tuple[ast.expr, ast.expr, str] | None:
    """Return both operands of a comparison or an operation, and another operator."""
    match node:
        case ast.Compare(left, [operator], [right]):
            return left, right, _COMPARISONS[type(operator)]
        case ast.BoolOp(operator, [left, right]):
            return left, right, "or" if isinstance(operator, ast.And) else "and"
        case ast.BinOp(left, operator, right) if type(operator) in _ARITHMETIC:
            return left, right, _ARITHMETIC[type(operator)]
    return None


def _change_value(node: ast.AST) -> tuple[ast.expr, str] | None:
    """Return an expression and what replaces it, in which `{}` is the expression."""
    match node:
        case ast.UnaryOp(ast.Not(), operand):
            return node, "bool(" + ast.unparse(operand).replace("{", "{{").replace("}", "}}") + ")"
        case ast.If(test) | ast.IfExp(test):
            return test, "not ({})"
        case ast.Constant(bool() as value):
            return node, str(not value)
        case ast.Constant(int() as value):
            return node, str(value + 1)
        case ast.Return(ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            return value, "None"
    return None


def _count_lines(coverage: CoverageData) -> Counter[str]:
    """Count the lines that each test covers."""
    sizes: Counter[str] = Counter()
    for file in coverage.measured_files():
        for contexts in coverage.contexts_by_lineno(file).values():
            sizes.update(contexts)
    return sizes


def tests_of(coverage: CoverageData, mutant: Mutant, sizes: Counter[str]) -> list[str]:
    """Return at most `MAX_TESTS` tests that cover the line of a mutant, those that cover the fewest lines first."""
    file = next((name for name in coverage.measured_files() if name.endswith(f"/{mutant.path}")), None)
    contexts = coverage.contexts_by_lineno(file).get(mutant.line, []) if file else []
    tests = {context.rpartition("|")[0]: sizes[context] for context in contexts if "|" in context}
    return sorted(tests, key=lambda test: (tests[test], test))[:MAX_TESTS]


def _run_tests(mutant: Mutant, tests: list[str]) -> str:
    """Return `killed`, `survived`, `timed out` (no test has failed yet), or `not covered`."""
    if not tests:
        return "not covered"
    path = ROOT / mutant.path
    source = path.read_bytes()
    # After a SIGTERM the file is restored too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if source[mutant.start : mutant.end].decode() != mutant.original:
        msg = f"{mutant.path}:{mutant.line} has changed since the mutants were chosen"
        raise click.ClickException(msg)
    path.write_bytes(source[: mutant.start] + mutant.replacement.encode() + source[mutant.end :])
    options = ["-n0", "-x", "-q", "-p", "no:cacheprovider", "--no-header"]
    try:
        started = time.monotonic()
        completed = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "pytest", *options, *tests],
            cwd=ROOT,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            check=False,
            capture_output=True,
            timeout=TIME_LIMIT_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return "timed out"
    finally:
        path.write_bytes(source)
    # Exit codes of pytest: 1, a test failed; 2 to 4, a module or conftest.py cannot be imported.
    if completed.returncode > 4 or b"not found:" in completed.stderr:  # noqa: PLR2004
        msg = f"pytest ended with {completed.returncode} after {time.monotonic() - started:.0f} s"
        raise click.ClickException(f"{msg}\n{completed.stdout.decode()[-2000:]}")
    return "killed" if completed.returncode else "survived"


def _read_lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


if __name__ == "__main__":
    cli()
