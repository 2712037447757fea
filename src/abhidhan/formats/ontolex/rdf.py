"""Nodes of linked data as Turtle, each written by itself: a file of any size needs no graph in memory.

Names are `prefix:local`, or whole addresses.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

TYPE: Final = "rdf:type"


class Text(NamedTuple):
    """A text, in the language or script of a BCP 47 tag; without one it is of no language."""

    text: str
    tag: str = ""


class Typed(NamedTuple):
    """A value of a datatype, such as `xsd:integer`."""

    value: str
    datatype: str


Object = str | Text | Typed
"""What is told of a node: a name, or a value."""


class Node(NamedTuple):
    """A thing, by its name, and what is told of it here: values by the name of their property."""

    name: str
    told: Mapping[str, list[Object]]


_NEXT: Final = " ;\n    "


def described(name: str, told: Mapping[str, list[Object]]) -> Node:
    """Make a node; properties without a value are left out."""
    return Node(name, {property_: objects for property_, objects in told.items() if objects})


Prefixes = Mapping[str, str]

_WEB: Final = ("http://", "https://")
_SHORT: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*(#[A-Za-z0-9_-]+)?")
"""The local names that Turtle takes after a prefix, but for the sign # that needs a backslash before it."""

_ESCAPES: Final = {ord(sign): f"\\{sign}" for sign in '"\\'} | {
    number: f"\\u{number:04X}" for number in (*range(0x20), 0x7F)
}
_LEFT_OUT: Final = re.compile(r'[\x00-\x20<>"{}|^`\\]')
"""What no address may hold; who writes it there anyway has it as %20."""


def turtle_head(prefixes: Prefixes) -> str:
    """Write what stands before all nodes of a Turtle file."""
    return "".join(f"@prefix {prefix}: <{address(begins)}> .\n" for prefix, begins in prefixes.items()) + "\n"


def turtle(node: Node, prefixes: Prefixes) -> str:
    """Write a node as Turtle."""
    parts = [
        f"{'a' if property_ == TYPE else property_} {', '.join([_turtle_object(one, prefixes) for one in objects])}"
        for property_, objects in node.told.items()
    ]
    return f"{_turtle_name(node.name, prefixes)} {_NEXT.join(parts)} .\n"


def address(text: str) -> str:
    """Write an address without the characters that would end it, or mean something else where it is read."""
    return _LEFT_OUT.sub(lambda found: f"%{ord(found[0]):02X}", text)


def _turtle_object(one: Object, prefixes: Prefixes) -> str:
    match one:
        case Text(text, ""):
            return f'"{text.translate(_ESCAPES)}"'
        case Text(text, tag):
            return f'"{text.translate(_ESCAPES)}"@{tag}'
        case Typed(value, datatype):
            return f'"{value.translate(_ESCAPES)}"^^{datatype}'
        case name:
            return _turtle_name(name, prefixes)


def _turtle_name(name: str, prefixes: Prefixes) -> str:
    if name.startswith(_WEB):
        return f"<{address(name)}>"
    prefix, _, local = name.partition(":")
    if _SHORT.fullmatch(local):
        return prefix + ":" + local.replace("#", r"\#")
    return f"<{address(prefixes[prefix] + local)}>"
