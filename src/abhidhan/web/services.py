"""The services that the handlers of one application call, in one container."""

from dataclasses import dataclass
from typing import Any

from litestar.connection import ASGIConnection

from abhidhan.services.accounts.mails import Mails
from abhidhan.services.accounts.own_lists import OwnLists
from abhidhan.services.accounts.personal_data import PersonalData
from abhidhan.services.accounts.tokens import Tokens
from abhidhan.services.accounts.two_factor import TwoFactor
from abhidhan.services.contributions.submissions import Submissions
from abhidhan.services.editing import Editing
from abhidhan.services.exchange.card_packages import CardPackages
from abhidhan.services.exchange.downloads import DownloadFiles
from abhidhan.services.exchange.list_files import ListFiles
from abhidhan.services.exchange.packs import PackFiles
from abhidhan.web.uploads import UploadService


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
