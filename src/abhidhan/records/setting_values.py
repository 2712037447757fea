"""Types and validators of setting values. Error messages state the rule and never contain the value."""

import re
from collections.abc import Sequence
from email.utils import parseaddr
from functools import partial
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Annotated, Final
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, BeforeValidator
from pydantic_settings import NoDecode

from abhidhan.records.errors import quoted
from abhidhan.records.sources import MAX_LICENCE_LENGTH

DATABASE_URL_FORMATS: Final = "sqlite:////path/to/file or postgresql://user:password@host/name"
OBJECT_STORE_SCHEMES: Final = ("s3", "az", "gs", "s3a", "azure", "abfs", "abfss", "adl")
"""URL schemes of object stores, the documented ones first; the others are used by the providers' own tools."""

MAX_CONTACT_LENGTH: Final = 200
"""Maximum number of characters of a contact."""


def split_list(text: str) -> tuple[str, ...]:
    """Split a comma-separated list, without repeats; `none` is dropped."""
    return tuple(dict.fromkeys(each for each in text.replace(" ", "").split(",") if each != "none"))


def hide_password(address: str) -> str:
    """Replace the password in a URL by an ellipsis for display, both before the host and in the query."""
    scheme, mark, rest = address.partition("://") if "://" in address else ("", "", address)
    user, colon, secret = rest.partition(":")
    if colon and "@" in secret and not {"@", "/"} & set(user):
        rest = f"{user}:…@{secret.rpartition('@')[2]}"
    return re.sub(r"(password)=[^&]*", r"\1=…", f"{scheme}{mark}{rest}", flags=re.IGNORECASE)


def check_database_url(address: str) -> str:
    """Validate a database URL and return it unchanged; "" means the default. Raises ValueError."""
    scheme, mark, rest = address.partition("://")
    if address and (not mark or scheme.partition("+")[0] not in {"sqlite", "postgresql", "postgres"}):
        raise ValueError(f"must be {DATABASE_URL_FORMATS}")
    if scheme.startswith("sqlite"):
        if rest.partition("?")[0] in {"", "/", "/:memory:", ":memory:"} or not rest.startswith("/"):
            raise ValueError("must name a file, as in sqlite:////path/to/file")
    elif address:
        _check_server_location(rest.partition("?")[0])
    return address


def _check_server_location(rest: str) -> None:
    """Check that the user, hosts and ports of a PostgreSQL URL are unambiguous. Raises ValueError."""
    login, _, hosts = rest.rpartition("@")
    if "@" in login:
        raise ValueError("must have %40 in place of each @ in the user name and the password")
    if "," in hosts.partition("/")[0] and "/" in login:
        raise ValueError("must have %2F in place of each / in the user name and the password")
    ports = re.findall(r"(?:^|,)(?:\[[^\]]*\]|[^:,/]*):([^,/]*)", hosts.partition("/")[0])
    if any(not port.isdecimal() for port in ports):
        raise ValueError("must have a number as its port, as in postgresql://user:password@host:5432/name")


def check_postgresql_url(address: str) -> str:
    """Validate the URL of a PostgreSQL server and return it unchanged. Raises ValueError."""
    if address and not address.startswith("postgres"):
        raise ValueError("must be postgresql://user:password@host/name")
    return check_database_url(address)


def _check_host(host: str) -> str:
    try:
        ip_address(host)
    except ValueError:
        if not re.fullmatch(r"[A-Za-z0-9_.-]+", host):
            raise ValueError("must be an address such as 127.0.0.1 or ::1, without a scheme and a port") from None
    return host


def _check_base_url(address: str) -> str:
    rule = "must be a URL that begins with http:// or https://, such as https://abhidhan.example.org"
    if not address:
        return ""
    parts = _split_url(address, rule)
    if parts.scheme not in {"http", "https"} or not parts.hostname or re.search(r"\s", address):
        raise ValueError(rule)
    if parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError(f"{rule}, without a user, ? and #")
    return address.rstrip("/")


def _check_wiki(address: str) -> str:
    rule = "must be a URL that begins with http:// or https:// and ends with /api.php"
    parts = _split_url(address, rule)
    if parts.scheme not in {"http", "https"} or not parts.hostname or not parts.path.endswith("/api.php"):
        raise ValueError(rule)
    return address


def _check_mail_server(address: str) -> str:
    rule = (
        "must be smtps://user:password@host:465 or smtp://host:587; write / ? # @ : in the password as "
        "%2F %3F %23 %40 %3A"
    )
    parts = _split_url(address, rule)
    if address and (parts.scheme not in {"smtp", "smtps"} or not parts.hostname or parts.path.strip("/")):
        raise ValueError(rule)
    return address


def _split_url(address: str, rule: str) -> SplitResult:
    """Split a URL. Raises ValueError with `rule` as its message if the URL or its port is invalid."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        raise ValueError(rule) from None
    return parts


def _check_sender(sender: str) -> str:
    if sender and not re.fullmatch(r"[^@\s]+@[^@\s]+", parseaddr(sender)[1]):
        raise ValueError("must have an e-mail address, such as Abhidhan <abhidhan@example.org>")
    return sender


def _check_store(address: str) -> str:
    match = re.match(r"""["']?([A-Za-z][A-Za-z0-9+.-]*):(/*)([^/]*)""", address)
    if match and (match[1] not in OBJECT_STORE_SCHEMES or len(match[2]) != len("//") or not match[3]):
        raise ValueError("must be a folder, or s3://bucket/path, az://container/path or gs://bucket/path")
    return address


def _check_pairs(pairs: str) -> str:
    if any(source == target for source, _, target in (pair.partition("-") for pair in split_list(pairs))):
        raise ValueError("must name two languages in each pair")
    return pairs


def _parse_networks(value: object) -> object:
    """Parse addresses and networks from comma-separated text or a list. Raises ValueError."""
    if not isinstance(value, str | list | tuple):
        return value
    parts = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
    return tuple(_parse_network(part) for part in parts if part != "")


def _parse_network(part: object) -> IPv4Network | IPv6Network:
    rule = "must be addresses or networks separated by commas, such as 127.0.0.1, 10.0.0.0/8"
    if isinstance(part, IPv4Network | IPv6Network):
        return part
    if not isinstance(part, str):
        raise ValueError(rule)  # noqa: TRY004  # pydantic reports ValueError alone
    try:
        return ip_network(part)
    except ValueError:
        raise ValueError(f"{rule}; {quoted(part)} is neither{_suggest_network(part)}") from None


def _suggest_network(part: str) -> str:
    try:
        return f", and {ip_network(part, strict=False)} may be meant"
    except ValueError:
        return ""


def _join_list(value: object) -> object:
    """Join a list in the settings file with commas, as in an environment variable."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return value


def _check_pattern(text: str, *, pattern: str, rule: str) -> str:
    if not re.fullmatch(pattern, text):
        raise ValueError(rule)
    return text


def _pattern_validator(pattern: str, rule: str) -> AfterValidator:
    return AfterValidator(partial(_check_pattern, pattern=pattern, rule=rule))


_LANGUAGE_CODE: Final = r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*"
_LANGUAGE_PAIR: Final = r"[a-z]{2,3}-[a-z]{2,3}"
_VISIBLE_CHARACTERS: Final = r"[^\x00-\x20\x7f-\x9f]+"

Host = Annotated[str, AfterValidator(_check_host)]
DatabaseAddress = Annotated[str, AfterValidator(check_database_url)]
PostgresqlAddress = Annotated[str, AfterValidator(check_postgresql_url)]
SiteAddress = Annotated[str, AfterValidator(_check_base_url)]
WikiAddress = Annotated[str, AfterValidator(_check_wiki)]
MailServerAddress = Annotated[str, AfterValidator(_check_mail_server)]
Sender = Annotated[str, AfterValidator(_check_sender)]
StoreAddress = Annotated[str, AfterValidator(_check_store)]
Networks = Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode, BeforeValidator(_parse_networks)]
RateText = Annotated[
    str,
    _pattern_validator(
        r"|[1-9][0-9]{0,8}/(second|minute|hour|day)",
        "must be a number and second, minute, hour or day, such as 600/minute",
    ),
]
LanguageCodes = Annotated[
    str,
    BeforeValidator(_join_list),
    _pattern_validator(
        rf"none|{_LANGUAGE_CODE}(?: *, *{_LANGUAGE_CODE}){{0,19}}",
        "must be at most 20 codes of languages separated by commas, such as as, en; or none",
    ),
]
"""At most twenty language codes, because files are created for each of them."""

FormatNames = Annotated[
    str,
    BeforeValidator(_join_list),
    _pattern_validator(
        r"[a-z0-9-]+(?: *, *[a-z0-9-]+)*",
        "must be names of formats separated by commas, such as jsonl, csv; or all; or none",
    ),
]

LanguagePairs = Annotated[
    str,
    BeforeValidator(_join_list),
    _pattern_validator(
        rf"none|{_LANGUAGE_PAIR}(?: *, *{_LANGUAGE_PAIR}){{0,19}}",
        "must be at most 20 pairs of language codes separated by commas, such as as-en, en-as; or none",
    ),
    AfterValidator(_check_pairs),
]
"""At most twenty pairs of language codes, because files are created for each of them."""

ArticleOrder = Annotated[
    str,
    BeforeValidator(_join_list),
    _pattern_validator(r"(?:zim|wiki)(?: *, *(?:zim|wiki))?", "must be zim, wiki, or both"),
]
Contact = Annotated[
    str,
    _pattern_validator(
        rf"[^\x00-\x1f<>]{{0,{MAX_CONTACT_LENGTH}}}",
        f"must be one line of at most {MAX_CONTACT_LENGTH} characters without < and >",
    ),
]
WikiContact = Annotated[
    str,
    _pattern_validator(
        rf"(?=.{{0,{MAX_CONTACT_LENGTH}}}$)(?:[!-'*-~]+(?: [!-'*-~]+)*)?",
        f"must be an e-mail address or a URL, of at most {MAX_CONTACT_LENGTH} ASCII characters without ( and )",
    ),
]
LicenceText = Annotated[
    str,
    _pattern_validator(
        rf"(?=.{{1,{MAX_LICENCE_LENGTH}}}$){_VISIBLE_CHARACTERS}(?: {_VISIBLE_CHARACTERS})*",
        f"must be the name of a licence, such as CC BY-SA 4.0, of at most {MAX_LICENCE_LENGTH} characters",
    ),
]


def format_choices(choices: Sequence[str]) -> str:
    """Format choices as text: `a, b or c`."""
    return " or ".join(filter(None, (", ".join(choices[:-1]), choices[-1])))
