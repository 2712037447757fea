"""The services that the handlers of one application call, found by their class."""

from typing import Any, TypeVar

from litestar.connection import ASGIConnection

S = TypeVar("S")

Connection = ASGIConnection[Any, Any, Any, Any]


class Services:
    """All services of one application except the dictionary, which handlers take as a parameter.

    `base_url` is the public address of the site as the operator has set it, or empty. Cached answers must not use the
    host of a request in its place: all readers would see what one client sent.
    """

    def __init__(self, *services: object, base_url: str = "") -> None:
        """Hold one service of each class."""
        self._by_class: dict[type, Any] = {type(service): service for service in services}
        self.base_url = base_url

    def find(self, kind: type[S]) -> S:
        """Return the service of a class."""
        service: S = self._by_class[kind]
        return service


def service_of(connection: Connection, kind: type[S]) -> S:
    """Return the service of a class, of the application that answers a request."""
    services: Services = connection.app.state.services
    return services.find(kind)


def base_url_of(connection: Connection) -> str:
    """Return the public address of the site as the operator has set it, or nothing."""
    services: Services = connection.app.state.services
    return services.base_url
