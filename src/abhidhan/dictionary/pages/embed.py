"""Embedding of look-ups in other sites: the script `/embed.js`, and the page that explains its use."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec
from litestar import Response, get

from abhidhan.platform.http.labels import Wording
from abhidhan.platform.http.preferences import INTERFACE_LANGUAGES, translate_message
from abhidhan.platform.http.rendering import PageRequest, Pages, PagesDep
from abhidhan.records.errors import NotFoundError, Sentence, sentence
from abhidhan.records.lookup_lists import ListName

SCRIPT_PATH: Final = "/embed.js"
CROSS_ORIGIN_HEADERS: Final = {"Cross-Origin-Resource-Policy": "cross-origin"}

SHORT_CODE_LENGTH: Final = 2

_MESSAGES_PLACEHOLDER: Final = "{/* said */}"
_STYLE_PLACEHOLDER: Final = '"/* style */"'

SCRIPT_MESSAGES: Final[Mapping[str, Sentence]] = {
    "title": sentence("Dictionary"),
    "close": sentence("Close"),
    "search": sentence("Look up"),
    "lookUp": sentence("Look up a word"),
    "whole": sentence("Open in the dictionary"),
    "waiting": sentence("Looking up “%(word)s” …", word="{}"),
    "loose": sentence("Showing a different spelling of “%(word)s”.", word="{}"),
    "phonetic": sentence("Words that sound like “%(word)s”:", word="{}"),
    "inflected": sentence("“%(word)s” is a form of:", word="{}"),
    "compound": sentence("“%(word)s” is not in the dictionary yet. It consists of:", word="{}"),
    "none": sentence("“%(word)s” is not in the dictionary yet.", word="{}"),
    "meant": sentence("Did you mean:"),
    "busy": sentence("The dictionary is busy. Try again in a minute."),
    "unreachable": sentence("The dictionary cannot be reached. Try again later, or open it:"),
    "forbidden": sentence("This site blocks requests to the dictionary. You can open the word there:"),
}
"""Messages of the script by name; `{}` is replaced by the word. Four names are match classes of responses."""


def require_embedding(pages: Pages) -> None:
    """Raise NotFoundError if the operator does not allow embedding."""
    if not pages.allows_embedding:
        raise NotFoundError(sentence("Embedding is turned off for this dictionary."))


@get(SCRIPT_PATH, include_in_schema=False)
async def read_embedded_script(pages: PagesDep) -> Response[bytes]:
    """Return the script that other sites load."""
    require_embedding(pages)
    return Response(build_script(), media_type="text/javascript", headers=CROSS_ORIGIN_HEADERS)


@get("/embed", include_in_schema=False)
async def show_embedding(request: PageRequest, pages: PagesDep) -> Response[str]:
    """Show how to embed look-ups in a site, with a demo."""
    require_embedding(pages)
    return pages.show(request, "embed.html", {"script": SCRIPT_PATH})


@cache
def build_script() -> bytes:
    """Build the script, with its style and its texts in all interface languages."""
    folder = files("abhidhan.dictionary.pages") / "embed_assets"
    style = minify_style((folder / "embed.css").read_text(encoding="utf-8"))
    messages = {language: translate_script_messages(language) for language in INTERFACE_LANGUAGES}
    script = (folder / "embed.js").read_text(encoding="utf-8")
    for placeholder, value in ((_MESSAGES_PLACEHOLDER, messages), (_STYLE_PLACEHOLDER, style)):
        script = script.replace(placeholder, msgspec.json.encode(value).decode())
    return strip_comments(script).encode()


def translate_script_messages(language: str) -> dict[str, object]:
    """Return the script's messages in an interface language, and translations of English names in responses."""
    return {name: translate_message(language, text) for name, text in SCRIPT_MESSAGES.items()} | {
        "names": translate_names(language)
    }


def translate_names(language: str) -> dict[str, str]:
    """Return the translations of parts of speech and of the largest languages that differ from the names in responses.

    They are sent to every page, so only languages with a two-letter code are included.
    """
    name_of = Wording(language).translate_grammar
    pos_list = ListName.PARTS_OF_SPEECH.value
    parts = [record["value"] for record in _load_records("lists.jsonl") if record.get("list") == pos_list]
    languages = [
        record["name"]
        for record in _load_records("languages.jsonl")
        if len(record.get("code", "")) == SHORT_CODE_LENGTH
    ]
    translations = {name: name_of(name) for name in (*parts, *languages)}
    return {name: text for name, text in translations.items() if text != name}


def _load_records(name: str) -> list[dict[str, str]]:
    lines = (files("abhidhan.data") / name).read_bytes().splitlines()
    return [msgspec.json.decode(line) for line in lines]


def strip_comments(source: str) -> str:
    """Strip comments and indentation from a script."""
    lines = (re.sub(r" /\*.*?\*/ ", "", line.strip()) for line in source.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def minify_style(style: str) -> str:
    """Strip insignificant spaces from a style sheet."""
    return re.sub(r"\s*([{};,])\s*|(?<=:) | (?=!)", r"\1", style).replace(";}", "}").strip()
