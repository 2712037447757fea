"""Registry of the services that handlers call, by class."""

from typing import Any, TypeVar

from litestar.connection import ASGIConnection

from abhidhan.records.language_preferences import DEFAULT_LANGUAGES

S = TypeVar("S")

Connection = ASGIConnection[Any, Any, Any, Any]


class ServiceRegistry:
    """All services of one application except the dictionary, which handlers receive as a parameter.

    `base_url` is the public URL of the site as configured, or empty. Cached responses must not use the host of the
    request instead: one client's `Host` would reach all users. `page_languages` are the codes of the languages
    that pages show first, after the interface language.
    """

    def __init__(
        self, *services: object, base_url: str = "", page_languages: tuple[str, ...] = DEFAULT_LANGUAGES
    ) -> None:
        """Register services, one of each class."""
        self._by_class: dict[type, Any] = {type(service): service for service in services}
        self.base_url = base_url
        self.page_languages = page_languages

    def find(self, service_class: type[S]) -> S:
        """Return the service of a class."""
        service: S = self._by_class[service_class]
        return service


def get_service(connection: Connection, service_class: type[S]) -> S:
    """Return the service of a class from the application of a request."""
    services: ServiceRegistry = connection.app.state.services
    return services.find(service_class)


def get_base_url(connection: Connection) -> str:
    """Return the configured public URL of the site, or an empty string."""
    services: ServiceRegistry = connection.app.state.services
    return services.base_url


def get_page_languages(connection: Connection) -> tuple[str, ...]:
    """Return the configured codes of the languages that pages show first."""
    services: ServiceRegistry = connection.app.state.services
    return services.page_languages
