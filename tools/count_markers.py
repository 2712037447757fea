"""Count stilted phrases ("markers") per 10,000 words of prose: `python -m tools.count_markers [--list]`.

It reads docstrings and comments, the documents and the English messages. `--list` prints each place. The aim is at most
8 in each (Django and Starlette have 0 to 7).
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ("src", "packages", "tools", "bench")
CATALOGUE = ROOT / "src/abhidhan/platform/http/locale/as/LC_MESSAGES/messages.po"

_MARKERS = re.compile(
    r"""\b(?:
        who(?:m|so)?ever | somebody | nobody | anew | meanwhile | (?<![-"`])beside | thereby
        | (?:is|are|was|were|be|been)\ told | tells?\ whether | says?\ whether | let\ \w+\ be
        | so\ (?:many|much)\ (?!\w+\ (?:that|as)) | what\ is\ there | as\ (?:it|they)\ (?:is|are|came|stands?|stood)
        | (?:is|are)\ no\ more | no\ more\ than\ once | goes?\ on\ with | of\ its\ own\ accord | at\ once | lately | ere
        | (?:has|have)\ nothing\ to\ say | stands?\ (?:under|for\ itself|there) | keeps?\ house | be\ it | who\ asks?
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NOUN_CLAUSE = re.compile(r"^(?:What|Which|How|Where|Who)\b[^?]*$", re.DOTALL)
"""A text that begins with a noun clause, such as "What a client sends"; not a question."""


def main() -> None:
    """Print the number of markers per 10,000 words of each kind of prose."""
    for name, texts in (
        ("docstrings and comments", _iter_code_texts()),
        ("documents", _iter_documents()),
        ("messages", _iter_messages()),
    ):
        words = markers = 0
        for place, text in texts:
            words += len(text.split())
            found = _MARKERS.findall(text)
            if name == "docstrings and comments" and _NOUN_CLAUSE.match(text):
                found.append(text.split("\n")[0])
            markers += len(found)
            if found and "--list" in sys.argv:
                print(f"{place}: {', '.join(found)}")
        print(f"{name}: {words:,} words, {markers / words * 10_000:.1f} markers per 10,000")


def _iter_code_texts() -> Iterator[tuple[str, str]]:
    for file in sorted(path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                yield f"{file.relative_to(ROOT)}:{node.lineno}", str(node.value.value)
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield f"{file.relative_to(ROOT)}:{token.start[0]}", token.string.lstrip("# ")


def _iter_documents() -> Iterator[tuple[str, str]]:
    for file in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            yield f"{file.relative_to(ROOT)}:{number}", line


def _iter_messages() -> Iterator[tuple[str, str]]:
    text = re.sub(r'"\n"', "", CATALOGUE.read_text(encoding="utf-8"))
    for message in re.findall(r'^msgid(?:_plural)? "(.*)"$', text, re.MULTILINE):
        yield "message", message


if __name__ == "__main__":
    main()
