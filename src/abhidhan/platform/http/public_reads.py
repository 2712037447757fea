"""Public reads: routes that depend only on the dictionary, and whose handlers the edge calls without the framework.

A handler is declared with `@public_read(path, ...)`. The edge parses the parameters in its signature, calls it, and
encodes and caches the response. The framework's routing, parsing and encoding would take as long as a look-up itself.
The framework still describes these routes in OpenAPI, and answers methods other than GET and HEAD.
"""

from collections.abc import Awaitable, Callable, Iterable
from enum import EnumType
from functools import partial
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec
from litestar import get
from litestar.enums import ParamType
from litestar.handlers import HTTPRouteHandler
from litestar.params import ParameterKwarg
from litestar.response import Response
from litestar.routes import BaseRoute, HTTPRoute
from litestar.typing import FieldDefinition

from abhidhan.platform.http.json_codec import encode_json, is_cacheable
from abhidhan.platform.http.parameter_problems import find_invalid_parameters, iter_parameters
from abhidhan.records.errors import InputError

PUBLIC_READ_OPTION: Final = "public_read"
"""Option of a handler that the edge calls directly."""

public_read = partial(get, opt={PUBLIC_READ_OPTION: True})
"""Decorator for a public read, with the arguments of `litestar.get`."""

DICTIONARY_PARAMETER: Final = "dictionary"
"""The name of the handlers' parameter for the dictionary, the only one besides query parameters."""

CONSTRAINT_NAMES: Final = ("gt", "ge", "lt", "le", "multiple_of", "min_length", "max_length", "pattern")

PLAIN_TYPES: Final = frozenset({str, int, NoneType})


class PublicRead:
    """A route that depends only on the dictionary, called without the framework."""

    def __init__(self, handler: HTTPRouteHandler, template: str, dictionary: object) -> None:
        """Analyse the handler's signature. Raises TypeError if it takes more than plain query parameters."""
        if not has_plain_signature(handler):
            raise TypeError(f"{template} takes more than the dictionary and plain parameters, or returns a Response.")
        self.template = template
        self._handle: Callable[..., Awaitable[object]] = handler.fn
        self._dictionary = dictionary
        self._parameters = dict(iter_parameters(handler))
        fields = _get_query_fields(handler)
        self._types = {name: _build_constrained_type(field) for name, field in fields.items()}
        self._arguments_type = msgspec.defstruct(
            "Arguments",
            [_build_member(field, name, self._types[name]) for name, field in fields.items()],
            rename={name: public for name, (public, _) in self._parameters.items()},
            kw_only=True,
        )
        # Build the decoder, so that an invalid parameter definition fails at the start, not at the first request.
        msgspec.json.Decoder(self._arguments_type)

    async def answer(self, pairs: Iterable[tuple[str, str]]) -> tuple[bytes, bool]:
        """Answer a normalised query; return the JSON, and whether it may be cached.

        Raises InputError for missing or invalid parameters, and the errors of the handler.
        """
        values = dict(pairs)
        try:
            arguments = msgspec.convert(values, self._arguments_type, strict=False)
        except msgspec.ValidationError:
            raise InputError(*find_invalid_parameters(self._parameters, self._types, values)) from None
        value = await self._handle(**{DICTIONARY_PARAMETER: self._dictionary}, **msgspec.structs.asdict(arguments))
        return encode_json(value), is_cacheable(value)


def collect_public_reads(routes: Iterable[BaseRoute], dictionary: object) -> dict[str, PublicRead]:
    """Return the public reads among the routes of an application, by path."""
    return {
        route.path: PublicRead(handler, route.path_format, dictionary)
        for route in routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        if handler.opt.get(PUBLIC_READ_OPTION)
    }


def has_plain_signature(handler: HTTPRouteHandler) -> bool:
    """Return whether a handler takes only the dictionary and plain query parameters, and returns a plain value."""
    fields = dict(handler.parsed_fn_signature.parameters)
    return_type = handler.parsed_fn_signature.return_type
    return (
        fields.pop(DICTIONARY_PARAMETER, None) is not None
        and not return_type.is_subclass_of(Response)
        and all(_is_plain_parameter(field) for field in fields.values())
    )


def _get_query_fields(handler: HTTPRouteHandler) -> dict[str, FieldDefinition]:
    parameters = handler.parsed_fn_signature.parameters
    return {name: field for name, field in parameters.items() if name != DICTIONARY_PARAMETER}


def _is_plain_parameter(field: FieldDefinition) -> bool:
    parameter = field.kwarg_definition
    return (
        isinstance(parameter, ParameterKwarg)
        and parameter.param_type is ParamType.QUERY
        and _is_plain_type(field.annotation)
    )


def _is_plain_type(annotation: object) -> bool:
    if get_origin(annotation) in {Union, UnionType}:
        return all(_is_plain_type(member) for member in get_args(annotation))
    return annotation in PLAIN_TYPES or get_origin(annotation) is Literal or isinstance(annotation, EnumType)


def _build_constrained_type(field: FieldDefinition) -> Any:  # noqa: ANN401  # a type built at run time
    """Return the type of a parameter with its constraints."""
    limits = {limit: getattr(field.kwarg_definition, limit) for limit in CONSTRAINT_NAMES}
    constraints = {limit: value for limit, value in limits.items() if value is not None}
    return _constrain(field.annotation, msgspec.Meta(**constraints)) if constraints else field.annotation


def _build_member(field: FieldDefinition, name: str, member_type: Any) -> tuple[str, Any] | tuple[str, Any, Any]:  # noqa: ANN401
    """Convert a parameter to a field definition for `msgspec.defstruct`."""
    return (name, member_type, field.default) if field.has_default else (name, member_type)


def _constrain(annotation: Any, limits: msgspec.Meta) -> Any:  # noqa: ANN401  # a type built at run time
    """Add constraints to a type; for a union such as `str | None`, to all its members except None."""
    if get_origin(annotation) in {Union, UnionType}:
        members = (member if member is NoneType else Annotated[member, limits] for member in get_args(annotation))
        return Union[tuple(members)]  # noqa: UP007
    return Annotated[annotation, limits]
