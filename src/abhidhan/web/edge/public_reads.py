"""Public reads that the edge answers itself: the framework's handlers, called without the framework round them.

Each is described once, by its handler; what it takes is read from there. Whatever is not plain (a parameter that is
missing or wrong) is left to the framework, which says what would be right. Its routing, reading of parameters and
writing of answers are as dear as a look-up.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from enum import EnumType
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec
from litestar.enums import ParamType
from litestar.handlers import HTTPRouteHandler
from litestar.params import ParameterKwarg
from litestar.response import Response
from litestar.routes import BaseRoute, HTTPRoute
from litestar.typing import FieldDefinition

from abhidhan.web.answers import may_be_kept, written
from abhidhan.web.edge.policies import policy_of

DICTIONARY: Final = "dictionary"
"""What a handler reads from, the only thing that it may take beside parameters of the query."""

CONSTRAINTS: Final = ("gt", "ge", "lt", "le", "multiple_of", "min_length", "max_length", "pattern")

PLAIN_TYPES: Final = frozenset({str, int, NoneType})


class PublicRead:
    """One address that is answered from the dictionary alone."""

    def __init__(self, handler: HTTPRouteHandler, template: str, dictionary: object) -> None:
        """Read from the handler's signature what it takes."""
        self.template = template
        self._handle: Callable[..., Awaitable[object]] = handler.fn
        self._dictionary = dictionary
        fields = _query_fields(handler)
        self._arguments = msgspec.defstruct(
            "Arguments",
            [_member(name, field) for name, field in fields.items()],
            rename={name: _public_name(name, field) for name, field in fields.items()},
            kw_only=True,
        )
        # What is wrong about the description of a parameter shows here, and not in front of the first who asks.
        self.arguments(())

    def arguments(self, pairs: Iterable[tuple[str, str]]) -> Mapping[str, Any] | None:
        """Read the parameters of a query that has been cleaned; None where one is missing or wrong."""
        try:
            read = msgspec.convert(dict(pairs), self._arguments, strict=False)
        except msgspec.ValidationError:
            return None
        return msgspec.structs.asdict(read)

    async def answer(self, arguments: Mapping[str, Any]) -> tuple[bytes, bool]:
        """Let the handler answer, write its answer as the framework would, and tell whether it may be kept.

        Raises what the handler raises.
        """
        value = await self._handle(**{DICTIONARY: self._dictionary}, **arguments)
        return written(value), may_be_kept(value)


def public_reads(routes: Iterable[BaseRoute], dictionary: object) -> dict[str, PublicRead]:
    """Find the addresses that can be answered so and whose answers may be kept, by their paths."""
    return {
        route.path: PublicRead(handler, route.path_format, dictionary)
        for route in routes
        if isinstance(route, HTTPRoute) and not route.path_parameters and policy_of(route.path).kept
        for handler in route.route_handlers
        if is_plain(handler)
    }


def is_plain(handler: HTTPRouteHandler) -> bool:
    """Return whether a handler takes the dictionary and plain parameters of the query only, and gives a plain value."""
    fields = dict(handler.parsed_fn_signature.parameters)
    gives = handler.parsed_fn_signature.return_type
    return (
        "GET" in handler.http_methods
        and fields.pop(DICTIONARY, None) is not None
        and not gives.is_subclass_of(Response)
        and all(_is_plain_parameter(field) for field in fields.values())
    )


def _query_fields(handler: HTTPRouteHandler) -> dict[str, FieldDefinition]:
    parameters = handler.parsed_fn_signature.parameters
    return {name: field for name, field in parameters.items() if name != DICTIONARY}


def _is_plain_parameter(field: FieldDefinition) -> bool:
    given = field.kwarg_definition
    return (
        isinstance(given, ParameterKwarg) and given.param_type is ParamType.QUERY and _is_plain_type(field.annotation)
    )


def _is_plain_type(annotation: object) -> bool:
    if get_origin(annotation) in {Union, UnionType}:
        return all(_is_plain_type(each) for each in get_args(annotation))
    return annotation in PLAIN_TYPES or get_origin(annotation) is Literal or isinstance(annotation, EnumType)


def _member(name: str, field: FieldDefinition) -> tuple[str, Any] | tuple[str, Any, Any]:
    """Describe a parameter as a member of a struct, with its limits."""
    limits = {limit: getattr(field.kwarg_definition, limit) for limit in CONSTRAINTS}
    given = {limit: value for limit, value in limits.items() if value is not None}
    annotation = _limited(field.annotation, msgspec.Meta(**given)) if given else field.annotation
    return (name, annotation, field.default) if field.has_default else (name, annotation)


def _limited(annotation: Any, limits: msgspec.Meta) -> Any:  # noqa: ANN401  # a type, made while the program runs
    """Set limits to the values of a type; those of `str | None` are limits of the text."""
    if get_origin(annotation) in {Union, UnionType}:
        return Union[tuple(each if each is NoneType else Annotated[each, limits] for each in get_args(annotation))]  # noqa: UP007
    return Annotated[annotation, limits]


def _public_name(name: str, field: FieldDefinition) -> str:
    given = field.kwarg_definition
    return (given.name if isinstance(given, ParameterKwarg) else None) or name
