"""The routes of an application as a tree: the policy, parameters and methods of each path.

It follows the framework's routing rules. The edge looks up each request in it first, so that unknown parameters cause
neither errors nor separate cache entries.
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

from abhidhan.platform.http.policies import OLD_PREFIX, ResponsePolicy, get_policy
from abhidhan.platform.http.query import ParameterKind, ParameterKinds

ACCEPTS_ALL_PARAMETERS: Final = "every_parameter"
"""Option of a handler that accepts parameters of any name."""

PAGE_PARAMETERS: Final[ParameterKinds] = {"interface": ParameterKind.TEXT}
"""Parameters of all pages: the interface language, for links to a page in that language."""

_OLD_API_PATH: Final = re.compile(rf"{OLD_PREFIX}(/api/[^/]+\.php)")

MAX_CACHED_PATH_LENGTH: Final = 256
"""Maximum length of a path whose properties are cached."""

MULTILINE_PARAMETERS: Final = frozenset({"pa"})
"""Names of parameters whose line ends are preserved."""


class PathInfo(NamedTuple):
    """Properties of a path that routes and policies determine, the same for all requests to it.

    `normalized_path` is the path without redundant slashes. `parameter_kinds` are the known parameters and their
    normalisation; None if all parameters are accepted.
    """

    normalized_path: str
    policy: ResponsePolicy
    parameter_kinds: ParameterKinds | None
    accepts_slashes: bool
    methods: frozenset[str]


class RouteNode:
    """A node of the tree: its children and, if a route ends here, the route's parameters and methods."""

    __slots__ = ("accepts_slashes", "children", "is_route", "methods", "parameter_child", "parameter_kinds", "template")

    def __init__(self, template: str = "") -> None:
        """Create a node without children."""
        self.template = template
        self.children: dict[str, RouteNode] = {}
        self.parameter_child: RouteNode | None = None
        self.is_route = False
        self.accepts_slashes = False
        self.parameter_kinds: dict[str, ParameterKind] | None = {}
        self.methods: set[str] = set()

    def ensure_child(self, segment: str, template: str) -> "RouteNode":
        """Return the child for a path segment, created if missing; an empty segment is a path parameter."""
        if segment:
            return self.children.setdefault(segment, RouteNode(template))
        self.parameter_child = self.parameter_child or RouteNode(template)
        return self.parameter_child

    def add(self, route: HTTPRoute) -> None:
        """Add a route that ends here. Routes that differ only in the names of path parameters are merged."""
        self.is_route = True
        self.methods |= {str(method) for method in route.methods}
        for handler in route.route_handlers:
            kinds = get_parameter_kinds(handler)
            self.parameter_kinds = (
                None if kinds is None or self.parameter_kinds is None else {**self.parameter_kinds, **kinds}
            )


class RouteTree:
    """All routes of an application in a tree, looked up with one step per path segment."""

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        """Build the tree."""
        self._root = RouteNode("/")
        for route in routes:
            if isinstance(route, HTTPRoute):
                self._add_route(route)
        self._describe_cached = lru_cache(maxsize=512)(self._describe)

    def describe_path(self, path: str) -> PathInfo:
        """Return the properties of a path. Long paths are not cached, since clients choose their length."""
        return self._describe_cached(path) if len(path) <= MAX_CACHED_PATH_LENGTH else self._describe(path)

    def __iter__(self) -> Iterator[RouteNode]:
        """Yield the nodes of all routes."""
        pending = [self._root]
        while pending:
            node = pending.pop()
            pending += [*node.children.values(), *([node.parameter_child] if node.parameter_child else [])]
            if node.is_route:
                yield node

    def find(self, path: str) -> RouteNode | None:
        """Return the node of the route that matches a path, ignoring redundant slashes; None if there is none."""
        node = self._root
        for part in path.split("/"):
            if not part:
                continue
            child = node.children.get(part) or node.parameter_child
            if child is None:
                return None
            node = child
            if node.accepts_slashes:
                break
        return node if node.is_route else None

    def _describe(self, path: str) -> PathInfo:
        node = self.find(path)
        return PathInfo(
            normalized_path=normalize_path(path),
            policy=get_policy(path),
            parameter_kinds={} if node is None else node.parameter_kinds,
            accepts_slashes=node is not None and node.accepts_slashes,
            methods=frozenset(() if node is None else node.methods),
        )

    def _add_route(self, route: HTTPRoute) -> None:
        node = self._root
        for component in route.path_components:
            node = node.ensure_child(component if isinstance(component, str) else "", route.path_format)
            node.accepts_slashes |= not isinstance(component, str) and component.type is Path
        node.template = route.path_format
        node.add(route)


def describe_any_path(path: str) -> PathInfo:
    """Return the properties of a path if the routes are unknown: every path and parameter is accepted."""
    return PathInfo(normalize_path(path), get_policy(path), None, accepts_slashes=True, methods=frozenset())


def get_parameter_kinds(handler: HTTPRouteHandler) -> Mapping[str, ParameterKind] | None:
    """Return the query parameters of a handler, with their normalisation; None if it accepts all."""
    if handler.opt.get(ACCEPTS_ALL_PARAMETERS):
        return None
    if "GET" not in handler.http_methods:
        return {}
    kinds = dict(_iter_parameter_kinds(handler))
    return kinds if handler.include_in_schema else {**PAGE_PARAMETERS, **kinds}


def _iter_parameter_kinds(handler: HTTPRouteHandler) -> Iterator[tuple[str, ParameterKind]]:
    for name, field in handler.parsed_fn_signature.parameters.items():
        parameter = field.kwarg_definition
        if isinstance(parameter, ParameterKwarg) and parameter.param_type is ParamType.QUERY:
            public = parameter.name or name
            yield public, ParameterKind.LINES if public in MULTILINE_PARAMETERS else get_parameter_kind(field)


def get_parameter_kind(field: FieldDefinition) -> ParameterKind:
    """Return the kind of normalisation for the values of a parameter, by its type."""
    types = [inner.annotation for inner in field.inner_types] or [field.annotation]
    return ParameterKind.NUMBER if int in types else ParameterKind.TEXT


def normalize_path(path: str) -> str:
    """Remove redundant slashes from a path, so that it has one cache entry."""
    if "//" not in path and not path.endswith("/"):
        return path
    return "/" + "/".join(part for part in path.split("/") if part)


def strip_old_prefix(path: str) -> str:
    """Return a path without the old prefix of the `.php` paths; other paths are returned unchanged."""
    match = _OLD_API_PATH.fullmatch(normalize_path(path))
    return match[1] if match else path
