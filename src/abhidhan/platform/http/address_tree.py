"""The routes of an application as a tree: the policy, parameters and methods of each path.

It follows the framework's routing rules. The edge uses it first, so that unknown parameters cause neither errors nor
separate cache entries.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from litestar.enums import ParamType
from litestar.handlers import HTTPRouteHandler
from litestar.params import ParameterKwarg
from litestar.routes import BaseRoute, HTTPRoute
from litestar.typing import FieldDefinition

from abhidhan.platform.http.policies import OLD_PREFIX, Policy, policy_of
from abhidhan.platform.http.query import Kind, Kinds

EVERY_PARAMETER: Final = "every_parameter"
"""Option of a handler that accepts parameters of any name."""

PAGE_PARAMETERS: Final[Kinds] = {"interface": Kind.TEXT}
"""Parameters of all pages: the interface language, for links to a page in that language."""

_BELOW_OLD_PREFIX: Final = re.compile(rf"{OLD_PREFIX}(/api/[^/]+\.php)")

MAX_CACHED_PATH: Final = 256
"""Maximum length of a path whose properties are cached."""

LINES: Final = frozenset({"pa"})
"""Parameters with significant line ends."""


class Address(NamedTuple):
    """The properties of a path that all requests to it share.

    `plain` is the path without redundant slashes. `kinds` are the known parameters and their normalisation; None if
    all parameters are accepted.
    """

    plain: str
    policy: Policy
    kinds: Kinds | None
    takes_slashes: bool
    methods: frozenset[str]


class Node:
    """A node of the tree: its children and, if a route ends here, the route's parameters and methods."""

    __slots__ = ("children", "ends", "kinds", "methods", "named", "takes_slashes", "template")

    def __init__(self, template: str = "") -> None:
        """Create a node without children."""
        self.template = template
        self.children: dict[str, Node] = {}
        self.named: Node | None = None
        self.ends = False
        self.takes_slashes = False
        self.kinds: dict[str, Kind] | None = {}
        self.methods: set[str] = set()

    def child(self, part: str, template: str) -> "Node":
        """Return the child for a path segment, created if missing; an empty segment is a path parameter."""
        if part:
            return self.children.setdefault(part, Node(template))
        self.named = self.named or Node(template)
        return self.named

    def add(self, route: HTTPRoute) -> None:
        """Add a route that ends here. Routes that differ only in the names of path parameters are merged."""
        self.ends = True
        self.methods |= {str(method) for method in route.methods}
        for handler in route.route_handlers:
            known = kinds_of(handler)
            self.kinds = None if known is None or self.kinds is None else {**self.kinds, **known}


class AddressTree:
    """All routes of an application in a tree, looked up with one step per path segment."""

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        """Build the tree."""
        self._root = Node("/")
        for route in routes:
            if isinstance(route, HTTPRoute):
                self._plant(route)
        self._cached = lru_cache(maxsize=512)(self._describe)

    def address(self, path: str) -> Address:
        """Return the properties of a path. Long paths are not cached, since clients choose their length."""
        return self._cached(path) if len(path) <= MAX_CACHED_PATH else self._describe(path)

    def __iter__(self) -> Iterator[Node]:
        """Yield the nodes of all routes."""
        waiting = [self._root]
        while waiting:
            place = waiting.pop()
            waiting += [*place.children.values(), *([place.named] if place.named else [])]
            if place.ends:
                yield place

    def find(self, path: str) -> Node | None:
        """Return the node of the route that matches a path, ignoring redundant slashes; None if there is none."""
        place = self._root
        for part in path.split("/"):
            if not part:
                continue
            child = place.children.get(part) or place.named
            if child is None:
                return None
            place = child
            if place.takes_slashes:
                break
        return place if place.ends else None

    def _describe(self, path: str) -> Address:
        found = self.find(path)
        return Address(
            plain=plain_path(path),
            policy=policy_of(path),
            kinds={} if found is None else found.kinds,
            takes_slashes=found is not None and found.takes_slashes,
            methods=frozenset(() if found is None else found.methods),
        )

    def _plant(self, route: HTTPRoute) -> None:
        place = self._root
        for component in route.path_components:
            place = place.child(component if isinstance(component, str) else "", route.path_format)
            place.takes_slashes |= not isinstance(component, str) and component.type is Path
        place.template = route.path_format
        place.add(route)


def any_address(path: str) -> Address:
    """Return the properties of a path if the routes are unknown: every path exists and accepts all parameters."""
    return Address(plain_path(path), policy_of(path), None, takes_slashes=True, methods=frozenset())


def kinds_of(handler: HTTPRouteHandler) -> Mapping[str, Kind] | None:
    """Return the query parameters of a handler, with their normalisation; None if it accepts all."""
    if handler.opt.get(EVERY_PARAMETER):
        return None
    if "GET" not in handler.http_methods:
        return {}
    own = dict(_query_kinds(handler))
    return own if handler.include_in_schema else {**PAGE_PARAMETERS, **own}


def _query_kinds(handler: HTTPRouteHandler) -> Iterator[tuple[str, Kind]]:
    for name, field in handler.parsed_fn_signature.parameters.items():
        given = field.kwarg_definition
        if isinstance(given, ParameterKwarg) and given.param_type is ParamType.QUERY:
            public = given.name or name
            yield public, Kind.LINES if public in LINES else kind_of(field)


def kind_of(field: FieldDefinition) -> Kind:
    """Return the normalisation of a parameter's value, by its type."""
    types = [inner.annotation for inner in field.inner_types] or [field.annotation]
    return Kind.NUMBER if int in types else Kind.TEXT


def plain_path(path: str) -> str:
    """Remove redundant slashes from a path, so that it has one cache entry."""
    if "//" not in path and not path.endswith("/"):
        return path
    return "/" + "/".join(part for part in path.split("/") if part)


def canonical_path(path: str) -> str:
    """Return a path without the old prefix of the `.php` paths; other paths are returned unchanged."""
    found = _BELOW_OLD_PREFIX.fullmatch(plain_path(path))
    return found[1] if found else path
