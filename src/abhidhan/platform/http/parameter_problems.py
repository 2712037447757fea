"""Problems of parameters and bodies: messages of Litestar and msgspec, rewritten for API clients."""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, EnumType
from typing import Final, cast

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.di import Dependency
from litestar.enums import ParamType
from litestar.exceptions import ValidationException
from litestar.handlers import BaseRouteHandler
from litestar.params import ParameterKwarg
from litestar.typing import FieldDefinition

from abhidhan.records.errors import Problem, sentence

BODY_PARAMETER: Final = "data"
"""The name that all handlers give to the parameter with the request body."""


def find_parameter_problems(request: Request[object, object, State], error: Exception) -> tuple[Problem, ...]:
    """Return all problems of the parameters and the body in a validation error of Litestar."""
    if not isinstance(error, ValidationException) or "route_handler" not in request.scope:
        return ()
    handler = request.route_handler
    fields = dict(iter_parameters(handler))
    if not isinstance(error.extra, list):
        types = {field.name: field.type for field in msgspec.structs.fields(handler.signature_model)}
        return tuple(find_invalid_parameters(fields, types, request.query_params))
    return tuple(_translate_messages(fields, cast("list[dict[str, str]]", error.extra)))


def describe_requirement(field: FieldDefinition, name: str) -> str:
    """Describe the valid values of a parameter in one sentence."""
    limits = field.kwarg_definition
    kinds = [inner.annotation for inner in field.inner_types if not inner.is_none_type] or [field.annotation]
    if bool in kinds:
        return sentence("`%(parameter)s` must be true, 1, false or 0.", parameter=name)
    if int in kinds:
        return _describe_whole_number(name, limits)
    if isinstance(limits, ParameterKwarg) and limits.max_length is not None:
        return _describe_text(name, limits.min_length, limits.max_length)
    if values := _list_allowed_values(kinds):
        return sentence("`%(parameter)s` must be one of %(values)s.", parameter=name, values=", ".join(values))
    if isinstance(limits, ParameterKwarg) and limits.description:
        return f"`{name}`: {limits.description}"
    return sentence("`%(parameter)s` has an invalid value.", parameter=name)


def _list_allowed_values(kinds: Iterable[object]) -> list[str]:
    """Return the values of enumerations and literals."""
    values: list[str] = []
    for kind in kinds:
        if isinstance(kind, EnumType):
            values += [str(member.value) for member in cast("Iterable[Enum]", kind)]
        elif isinstance(kind, str):
            values.append(kind)
    return values


def _describe_text(name: str, min_length: int | None, max_length: int) -> str:
    max_text = f"{max_length:,}"
    if not min_length:
        return sentence("`%(parameter)s` must have at most %(most)s characters.", parameter=name, most=max_text)
    return sentence(
        "`%(parameter)s` must have from %(least)s to %(most)s characters.",
        parameter=name,
        least=min_length,
        most=max_text,
    )


def _describe_whole_number(name: str, limits: object) -> str:
    if not isinstance(limits, ParameterKwarg) or limits.ge is None:
        return sentence("`%(parameter)s` must be a whole number.", parameter=name)
    minimum = f"{limits.ge:,}"
    if limits.le is None:
        return sentence("`%(parameter)s` must be a whole number of at least %(least)s.", parameter=name, least=minimum)
    maximum = f"{limits.le:,}"
    return sentence(
        "`%(parameter)s` must be a whole number from %(least)s to %(most)s.",
        parameter=name,
        least=minimum,
        most=maximum,
    )


def iter_parameters(handler: BaseRouteHandler) -> Iterator[tuple[str, tuple[str, FieldDefinition]]]:
    """Yield a handler's query and path parameters: the name in Python, the public name, the definition."""
    for name, field in handler.parsed_fn_signature.parameters.items():
        limits = field.kwarg_definition
        if any(isinstance(note, Dependency) for note in field.metadata):
            continue
        if isinstance(limits, ParameterKwarg) and limits.param_type in {ParamType.QUERY, ParamType.PATH}:
            yield name, (limits.name or name, field)


def _is_in_path(field: FieldDefinition) -> bool:
    """Return whether a parameter is part of the path, and so can never be missing."""
    limits = field.kwarg_definition
    return isinstance(limits, ParameterKwarg) and limits.param_type is ParamType.PATH


def find_invalid_parameters(
    fields: Mapping[str, tuple[str, FieldDefinition]], types: Mapping[str, object], values: Mapping[str, str]
) -> Iterator[Problem]:
    """Yield a problem for each missing or invalid parameter: Litestar and msgspec stop at the first missing one."""
    for name, (public, field) in fields.items():
        if public in values:
            try:
                msgspec.convert(values[public], types[name], strict=False)
            except msgspec.ValidationError:
                yield Problem(public, describe_requirement(field, public))
        elif field.is_required and not field.is_optional and not _is_in_path(field):
            requirement = describe_requirement(field, public)
            missing = sentence("`%(parameter)s` is missing. %(needed)s", parameter=public, needed=requirement)
            yield Problem(public, missing)


def _translate_messages(
    fields: Mapping[str, tuple[str, FieldDefinition]], messages: Iterable[Mapping[str, str]]
) -> Iterator[Problem]:
    for message in messages:
        key = message.get("key", BODY_PARAMETER)
        if key in fields and message.get("source") != "body":
            public, field = fields[key]
            yield Problem(public, describe_requirement(field, public))
        else:
            yield build_body_problem(key, message.get("message", ""))


_BODY_MESSAGES: Final = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (r"Object missing required field `(.+?)`", "`{0}` is missing."),
        (r"Expected `array` of length >= (\d+)", "`{key}` must be a list of at least {0}."),
        (r"Expected `array` of length <= (\d+)", "`{key}` must be a list of at most {0}."),
        (r"Expected `str` matching regex", "`{key}` must be text that is not blank and has no control characters."),
        (r"Expected `str` of length >= (\d+)", "`{key}` must have at least {0} characters."),
        (r"Expected `str` of length <= (\d+)", "`{key}` must have at most {0} characters."),
        (r"Expected `int.*?` >= (\d+)", "`{key}` must be a whole number of at least {0}."),
        (r"Expected `int.*?` <= (\d+)", "`{key}` must be a whole number of at most {0}."),
        (r"Expected `int|Integer value out of range", "`{key}` must be a whole number."),
        (r"Expected `str", "`{key}` must be text."),
        (r"Expected `bool", "`{key}` must be true or false."),
        (r"Expected `array", "`{key}` must be a list."),
        (r"Expected `object`", "`{key}` must be an object."),
        (r"Object contains unknown field `(.+?)`", "`{0}` is not a known field."),
        (r"Invalid enum value", "`{key}` is not one of the known values."),
    )
)
"""Patterns of msgspec's messages about a body, and their replacements."""


_NOT_AN_OBJECT: Final = re.compile(r"Expected `object.*?`, got `(\w+)`|^'data'$")
"""For an empty body the framework's message is only the name of the handler's parameter."""

_JSON_TYPE_NAMES: Final = {
    "array": "an array",
    "str": "a string",
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
}


def build_body_problem(key: str, message: str) -> Problem:
    """Convert one message of msgspec about the body of a request; `key` is the field."""
    if key == BODY_PARAMETER and (match := _NOT_AN_OBJECT.search(message)):
        kind = _JSON_TYPE_NAMES.get(match[1] or "", "empty or null")
        return Problem("body", f"The body must be a JSON object, not {kind}.")
    for pattern, template in _BODY_MESSAGES:
        if match := pattern.search(message):
            field = match[1] if template.startswith("`{0}`") else key
            return Problem(field, template.format(*match.groups(), key=key))
    return Problem(key, f"`{key}` has an invalid value.")
