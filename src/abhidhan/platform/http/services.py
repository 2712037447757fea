"""The services that the handlers of one application call, in one container."""

from dataclasses import dataclass
from typing import Any

from litestar.connection import ASGIConnection

from abhidhan.app.personal_data_export import PersonalData
from abhidhan.contributions.service.submissions import Submissions
from abhidhan.editing.service.editing import Editing
from abhidhan.exchange.service.card_packages import CardPackages
from abhidhan.exchange.service.list_files import ListFiles
from abhidhan.media.api.uploads import UploadService
from abhidhan.people.service.mails import Mails
from abhidhan.people.service.saved_lists import OwnLists
from abhidhan.people.service.tokens import Tokens
from abhidhan.people.service.two_factor import TwoFactor
from abhidhan.publishing.service.downloads import DownloadFiles
from abhidhan.publishing.service.packs import PackFiles


@dataclass(frozen=True, slots=True)
class Services:
    """All services of one application except the dictionary, which handlers take as a parameter.

    `base_url` is the public address of the site as the operator has set it, or empty. Cached answers must not use the
    host of a request in its place: all readers would see what one client sent.
    """

    accounts: TwoFactor
    tokens: Tokens
    mails: Mails
    own_lists: OwnLists
    personal_data: PersonalData
    submissions: Submissions
    editing: Editing
    uploads: UploadService
    downloads: DownloadFiles
    packs: PackFiles
    card_packages: CardPackages
    list_files: ListFiles
    base_url: str = ""


def services_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Services:
    """Return the services of the application that answers a request."""
    services: Services = connection.app.state.services
    return services
