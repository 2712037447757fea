"""Contents of the API's documentation page, and of guides, which are rendered from Markdown."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from litestar.openapi.spec import Example, OpenAPI, OpenAPIType, Operation, Parameter, Schema
from markupsafe import Markup

from abhidhan.app.documentation.openapi import get_parameters, iter_operations
from abhidhan.platform.http.preferences import InterfacePreferences
from abhidhan.platform.http.problem_kinds import PROBLEM_KINDS
from abhidhan.platform.http.rendering import render

DOCUMENT_PATH: Final = "/api/openapi.json"
STYLE_PATH: Final = "/api/docs/docs.css"
SCRIPT_PATH: Final = "/api/docs/docs.js"
GUIDE_PATH: Final = "/api/docs/build-an-app"
TRY_PATH: Final = "/api/docs/try"

SCRIPT_LANGUAGES: Final = (("as", re.compile("[\u0980-\u09ff]")), ("hi", re.compile("[\u0900-\u097f]")))
PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")
"""Pattern of a path parameter, such as `{word_id}`."""


@dataclass(frozen=True, slots=True)
class DocumentedField:
    """A parameter on the page, with the initial value of its form field."""

    name: str
    place: str
    required: bool
    description: str
    requirement: str
    default: str
    examples: tuple[str, ...]

    @property
    def prefilled(self) -> str:
        """The initial value of the form field: an example if it is required, otherwise blank."""
        return self.examples[0] if self.required and self.examples else ""


@dataclass(frozen=True, slots=True)
class DocumentedOperation:
    """An operation on the page."""

    anchor: str
    method: str
    path: str
    summary: str
    description: str
    tag: str
    fields: tuple[DocumentedField, ...]
    statuses: tuple[int, ...]

    @property
    def action(self) -> str:
        """The target of the form: the path itself, or the handler that fills in path parameters."""
        return TRY_PATH if PLACEHOLDER.search(self.path) else self.path

    @property
    def tryable(self) -> bool:
        """True if a plain form can send the request."""
        return self.method == "GET"


def list_documented_operations(document: OpenAPI) -> list[DocumentedOperation]:
    """Convert the operations of the OpenAPI document for the page, in the same order."""
    return [_document_operation(path, method, operation) for path, method, operation in iter_operations(document)]


def _document_operation(path: str, method: str, operation: Operation) -> DocumentedOperation:
    statuses = (int(status) for status in operation.responses or {} if status.isdigit())
    return DocumentedOperation(
        anchor=re.sub(r"[^a-z0-9]+", "-", f"{method}{path}".lower()).strip("-"),
        method=method,
        path=path,
        summary=operation.summary or path,
        description=operation.description or "",
        tag=(operation.tags or ["Other"])[0],
        # The description of an operation mentions its request headers.
        fields=tuple(
            _document_parameter(parameter) for parameter in get_parameters(operation) if parameter.param_in != "header"
        ),
        statuses=tuple(sorted(statuses)),
    )


def _document_parameter(parameter: Parameter) -> DocumentedField:
    schema = parameter.schema if isinstance(parameter.schema, Schema) else Schema()
    examples = (parameter.examples or {}).values()
    return DocumentedField(
        name=parameter.name,
        place=str(parameter.param_in),
        required=parameter.required,
        description=parameter.description or "",
        requirement=_format_requirement(schema),
        default="" if schema.default is None else str(schema.default).replace("True", "true").replace("False", "false"),
        examples=tuple(str(example.value) for example in examples if isinstance(example, Example)),
    )


def _format_requirement(schema: Schema) -> str:
    if schema.enum:
        return "one of " + ", ".join(str(value) for value in schema.enum)
    if schema.type == OpenAPIType.INTEGER:
        return "a whole number" + (f" of at least {schema.minimum:g}" if schema.minimum is not None else "")
    if schema.type == OpenAPIType.BOOLEAN:
        return "true, 1, false or 0"
    return f"text of at most {schema.max_length:,} characters" if schema.max_length else ""


def detect_language(text: str) -> str:
    """Return the `lang` of an example by its script; empty for Latin, which needs none."""
    return next((language for language, letters in SCRIPT_LANGUAGES if letters.search(text)), "")


def format_code(text: str) -> Markup:
    """Format text between backticks as code, and escape everything."""
    pieces = text.split("`")
    return Markup().join(Markup("<code>{}</code>").format(each) if at % 2 else each for at, each in enumerate(pieces))


def build_operation_values(document: OpenAPI) -> Mapping[str, object]:
    """Build the template values of the list of operations, the same for every interface language."""
    documented = list_documented_operations(document)
    return {
        "sections": {
            tag: [each for each in documented if each.tag == tag]
            for tag in dict.fromkeys(each.tag for each in documented)
        },
        "problems": PROBLEM_KINDS,
        "code": format_code,
        "language_of": detect_language,
    }


def render_operations(operation_values: Mapping[str, object], language: str) -> Markup:
    """Render the list of operations in an interface language."""
    return Markup(render(InterfacePreferences(language), "api-addresses.html", operation_values))  # noqa: S704 (a template escapes)


EXAMPLE_BASE_URL: Final = "http://127.0.0.1:8080"
"""The URL in the examples, which is replaced with the site's own if it is configured."""

LINK_TARGETS: Final[Mapping[str, str]] = {"api.md": "/api/docs"}
"""Targets on the site of links to other Markdown documents, by file name."""

_CODE_BLOCK: Final = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
_INLINE_MARKUP: Final = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)")


class Heading(NamedTuple):
    """A heading of the second level, for the table of contents."""

    anchor: str
    text: str


class Guide(NamedTuple):
    """A rendered guide."""

    title: str
    contents: tuple[Heading, ...]
    body: Markup


def render_guide(source: str, base_url: str = "") -> Guide:
    """Render a guide from Markdown; its examples use `base_url` if it is not empty."""
    if base_url:
        source = source.replace(EXAMPLE_BASE_URL, base_url)
    title = re.search(r"^# (.+)$", source, re.MULTILINE)
    return Guide(
        title[1] if title else "",
        tuple(Heading(build_anchor(text), text) for text in re.findall(r"^## (.+)$", source, re.MULTILINE)),
        Markup("\n").join(_render_blocks(source)),
    )


def build_anchor(heading: str) -> str:
    """Return the anchor of a heading."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def find_code_blocks(source: str) -> list[tuple[str, str]]:
    """Return the code blocks of a guide, each with its language."""
    return _CODE_BLOCK.findall(source)


def _render_blocks(source: str) -> Iterator[Markup]:
    """Render the blocks of a document: code blocks and texts."""
    done = 0
    for fenced in _CODE_BLOCK.finditer(source):
        yield from _render_texts(source[done : fenced.start()])
        # Focusable, so that it can be scrolled with the keyboard.
        yield Markup('<pre tabindex="0"><code>{}</code></pre>').format(fenced[2])
        done = fenced.end()
    yield from _render_texts(source[done:])


def _render_texts(source: str) -> Iterator[Markup]:
    for block in filter(None, (each.strip() for each in source.split("\n\n"))):
        marks, _, text = block.partition(" ")
        if marks == "##":
            yield Markup('<h2 id="{}">{}</h2>').format(build_anchor(text), _render_inline(text))
        elif marks == "-":
            lines = re.split(r"\n- ", text)
            yield Markup("<ul>{}</ul>").format(
                Markup().join(Markup("<li>{}</li>").format(_render_inline(each)) for each in lines)
            )
        elif marks != "#":
            yield Markup("<p>{}</p>").format(_render_inline(block))


def _render_inline(text: str) -> Markup:
    """Render a text with code, emphasis and links, and mark other scripts with their language."""
    html, done = Markup(), 0
    for match in _INLINE_MARKUP.finditer(text):
        html += _mark_assamese(text[done : match.start()]) + _render_inline_match(match)
        done = match.end()
    return html + _mark_assamese(text[done:])


def _render_inline_match(match: re.Match[str]) -> Markup:
    code, strong, label, address = match.groups()
    if code is not None:
        language = detect_language(code)
        return (
            Markup('<code lang="{}">{}</code>').format(language, code)
            if language
            else Markup("<code>{}</code>").format(code)
        )
    if strong is not None:
        return Markup("<strong>{}</strong>").format(strong)
    return Markup('<a href="{}">{}</a>').format(LINK_TARGETS.get(address, address), label)


def _mark_assamese(text: str) -> Markup:
    """Mark words in Assamese script with their language."""
    pieces = re.split(r"([\u0980-\u09ff]+)", text)
    return Markup().join(
        Markup('<span lang="as">{}</span>').format(each) if at % 2 else Markup("{}").format(each)
        for at, each in enumerate(pieces)
    )
