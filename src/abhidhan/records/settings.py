"""All settings in one typed table, read from the environment (`ABHIDHAN_...`) and from a TOML file.

The table is not split, so that all settings are documented in one place. `settings_reading.py` loads them, and
`setting_values.py` has the types of their values.
"""

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import Field, PrivateAttr, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from abhidhan.records.encyclopedia_articles import ArticleSourceSettings, CacheLifetimes, EncyclopediaSettings
from abhidhan.records.languages import ASSAMESE, BENGALI, ENGLISH
from abhidhan.records.setting_values import (
    ArticleOrder,
    Contact,
    DatabaseAddress,
    FormatNames,
    Host,
    LanguageCodes,
    LanguagePairs,
    LicenceText,
    MailServerAddress,
    Networks,
    PostgresqlAddress,
    RateText,
    Sender,
    SiteAddress,
    StoreAddress,
    WikiAddress,
    WikiContact,
    hide_password,
    split_list,
)
from abhidhan.records.sources import DEFAULT_LICENCE
from abhidhan.records.timestamps import DAY_SECONDS, HOUR_SECONDS

CONFIG_FILE_NAME = "abhidhan.toml"
"""The name of the settings file in the data folder; ABHIDHAN_CONFIG names another file."""


LogFormat = Literal["console", "json"]
SignUp = Literal["open", "invitation", "closed"]
TwoFactor = Literal["off", "optional", "required"]
LogLevel = Literal["debug", "info", "warning", "error"]


class SettingSource(StrEnum):
    """The place from which the value of a setting was read."""

    DEFAULT = "default"
    FILE = "settings file"
    ENVIRONMENT = "environment"
    OPTION = "option"


class Settings(BaseSettings):
    """The operator's settings. A test compares `docs/settings.md` with the descriptions of the fields."""

    model_config = SettingsConfigDict(env_prefix="ABHIDHAN_", frozen=True, extra="forbid", env_ignore_empty=True)

    _sources: dict[str, SettingSource] = PrivateAttr(default_factory=dict)

    home: Path = Field(
        default=Path("var"), description="The data folder: database, photos, backups and the settings file live here."
    )
    database: DatabaseAddress = Field(
        default="",
        description="The database URL: sqlite:////path/to/file or postgresql://user:password@host/name, also with "
        "several hosts (first,second). With the URL of a standby, the server is a read-only node. Left out: the file "
        "dictionary.sqlite3 in the data folder.",
    )
    database_direct: PostgresqlAddress = Field(
        default="",
        description="The URL of the PostgreSQL server itself, if database is the URL of a pooler such as "
        "PgBouncer. Commands and starting servers use it; import, copy, reindex and restore do not "
        "accept a pooler. Left out: the same as database.",
    )
    database_connections: int = Field(
        default=3,
        ge=2,
        le=100,
        description="The maximum number of PostgreSQL connections of one worker: half of them (rounded down) for "
        "short reads, the others for long searches and for writing. SQLite needs none.",
    )
    host: Host = Field(default="127.0.0.1", description="The network address to listen on; 0.0.0.0 for all.")
    port: int = Field(default=8080, ge=1, le=65_535, description="The port to listen on.")
    workers: int = Field(default=1, ge=1, le=256, description="The number of processes that handle requests.")
    drain_seconds: float = Field(
        default=1.5,
        ge=0,
        le=3_600,
        description="The number of seconds for which a stopping server still accepts new connections; "
        "/health/ready returns 503, so that a load balancer sends requests elsewhere. The server then "
        "finishes its running requests.",
    )
    base_url: SiteAddress = Field(
        default="",
        description="The public URL of this server, such as https://abhidhan.example.org. Left out: the URL of "
        "each request.",
    )
    https_only_seconds: int = Field(
        default=86_400,
        ge=0,
        le=63_072_000,
        description="The number of seconds for which browsers must use https after a visit "
        "(Strict-Transport-Security). Sent only over https, and only if ABHIDHAN_BASE_URL begins with "
        "https; 0 turns it off.",
    )
    log_level: LogLevel = Field(default="info", description="The log level: debug, info, warning or error.")
    log_format: LogFormat = Field(
        default="console",
        description=("The log format: console (for people) or json (for programs that collect logs)."),
    )
    rate_limit: RateText = Field(
        default="",
        description="The request limit of one client, such as 600/minute; with PostgreSQL, it covers all servers "
        "that share the database. Left out: no limit.",
    )
    trusted_proxies: Networks = Field(
        default=(),
        description="The proxies in front of this server, as addresses or networks separated by commas (127.0.0.1, "
        "10.0.0.0/8). Only their X-Forwarded-For and X-Forwarded-Proto headers are trusted.",
    )
    metrics_allowed: Networks = Field(
        default=(),
        description="The networks that may read /metrics, separated by commas. This machine is always allowed.",
    )

    # Limits per client.
    connections: int = Field(
        default=16_384,
        ge=16,
        le=1_000_000,
        description="The maximum number of open connections of one worker; fewer if the system allows fewer open "
        "files. Further connections wait until others are closed.",
    )
    connection_idle_seconds: float = Field(
        default=30,
        ge=0.1,
        le=3_600,
        description="The number of seconds after which a connection is closed if no complete request has arrived, "
        "or if the client does not read its response. A proxy in front should close its own "
        "connections sooner.",
    )
    body_idle_seconds: float = Field(
        default=10,
        ge=0.1,
        le=3_600,
        description="The number of seconds without further data of its body after which a request is refused "
        "(408). Photos have their own limits: 20 seconds, and 300 in total.",
    )
    body_seconds: float = Field(
        default=60,
        ge=0.1,
        le=3_600,
        description=("The maximum number of seconds for receiving the whole body of a request."),
    )
    unfinished_requests: int = Field(
        default=64,
        ge=1,
        le=10_000,
        description="The maximum number of unfinished requests of one client in each worker; more are refused "
        "(429). A client is an IPv4 address or an IPv6 network (/64).",
    )

    downloads_hours: float = Field(
        default=24,
        ge=0,
        le=8_760,
        description="The interval, in hours, at which the files at /downloads and the packs for phones are created "
        "again if the dictionary has changed. An interval of a day or more waits for the night (1 to 5 o'clock, server "
        "time); abhidhan downloads make creates them immediately. 0: only that command creates them.",
    )

    downloads: StoreAddress = Field(
        default="",
        description="Where the files at /downloads and the packs for phones are stored: as for ABHIDHAN_PHOTOS. Left "
        "out: the folders downloads and packs in the data folder.",
    )

    page_languages: LanguageCodes = Field(
        default="as, en",
        description="The languages that pages show first, after the language of the interface, as codes separated by "
        "commas. A reader who chooses languages sees those instead.",
    )

    downloads_formats: FormatNames = Field(
        default="jsonl, csv, stardict, yomitan, anki",
        description="The formats of the files at /downloads, as names of abhidhan export (except pdf and recordings) "
        "separated by commas. all: all of them. none: no files. Recordings, if there are any, are added to every "
        "choice but none.",
    )

    downloads_languages: LanguageCodes = Field(
        default="as, en",
        description="The languages that get smaller files of their own at /downloads, as codes separated by "
        "commas (jsonl, csv, stardict and yomitan, if ABHIDHAN_DOWNLOADS_FORMATS names them). Each file also includes "
        "the words of the other languages in this list. none: no such files.",
    )

    packs: LanguagePairs = Field(
        default="as-en, en-as",
        description="The language pairs that readers can download to a phone at /take-along, as codes separated by "
        "commas: as-en has the Assamese words with their meanings in English. They are created with "
        "the files at /downloads. none: no pairs.",
    )

    # Accounts, photos and contributions.
    sign_up: SignUp = Field(
        default="invitation",
        description="Who can create an account: open (anyone), invitation (people with an invitation) or closed "
        "(no one; an administrator uses abhidhan people add).",
    )
    two_factor: TwoFactor = Field(
        default="optional",
        description="Two-factor sign-in, with a code from an app as well as a password: off, optional (for "
        "everyone) or required (editors and administrators must set it up before they can do anything "
        "else).",
    )
    session_idle_days: int = Field(
        default=14, ge=1, le=3650, description="The number of days without a visit after which a user is signed out."
    )
    session_days: int = Field(
        default=90, ge=1, le=3650, description="The maximum number of days after which a user must sign in again."
    )
    photos: StoreAddress = Field(
        default="",
        description="Where photos are stored: a folder, or s3://bucket/path, az://container/path, "
        "gs://bucket/path (keys are read from the environment, as that cloud's own tools do). Left "
        "out: the folder photos in the data folder.",
    )
    rejected_photo_days: int = Field(
        default=30,
        ge=0,
        le=3650,
        description="The number of days after which the files of a rejected photo or recording are deleted.",
    )
    recordings: StoreAddress = Field(
        default="",
        description="Where recordings are stored: as for ABHIDHAN_PHOTOS. Left out: the folder recordings in the "
        "data folder.",
    )
    photo_memory_mb: int = Field(
        default=1_200,
        ge=1_100,
        le=1_048_576,
        description="The maximum memory for processing photos, in MB, over all workers; further photos wait. The "
        "largest photo takes up to 1,100 MB; one of 12 megapixels takes at most 230 MB, unless it is a "
        "WebP.",
    )
    pending_photos: int = Field(
        default=50,
        ge=1,
        le=1_000_000,
        description="The maximum number of one user's photos waiting for review; more are refused (429). Editors "
        "and administrators have no such limit.",
    )
    pending_recordings: int = Field(default=100, ge=1, le=1_000_000, description="The same for one user's recordings.")
    pending_submissions: int = Field(
        default=200,
        ge=1,
        le=1_000_000,
        description="The same for one user's words, corrections, proverbs, examples, flashcards and reports.",
    )
    pending_reports: int = Field(
        default=1_000,
        ge=0,
        le=1_000_000,
        description="The maximum number of waiting reports and corrections from people without an account, in "
        "total. 0: none are accepted.",
    )
    missing_words: bool = Field(
        default=False,
        description="Whether words that users look up without a result are counted for editors: 1 or 0. Only "
        "single words of letters are counted, and only those looked up on five different days are "
        "shown; nothing about the users is stored.",
    )
    offline: bool = Field(
        default=True,
        description="Whether browsers store visited pages, the home page and flashcards for offline use: 1 or 0. "
        "With 0, they delete them at the next visit.",
    )
    embed: bool = Field(
        default=True,
        description="Whether other sites may load /embed.js, which looks up the words of their pages: 1 or 0. The "
        "API is open to every site in either case; ABHIDHAN_RATE_LIMIT limits its use.",
    )
    contact: Contact = Field(
        default="",
        description="The contact for people who need an invitation to create an account: an e-mail address, a URL, "
        "or a few words.",
    )
    contribution_licence: LicenceText = Field(
        default=DEFAULT_LICENCE,
        description="The licence for contributions: words, corrections, proverbs, photos and reports. It is shown "
        "above the button, stored with each contribution and shown with the resulting record. Earlier "
        "contributions keep their licence.",
    )
    smtp: MailServerAddress = Field(
        default="",
        description="The mail server for password reset links, and for the e-mails to which users subscribe (which "
        "also need base_url): smtps://user:password@host:465 or smtp://host:587. Left out: no e-mail "
        "is sent, and administrators reset passwords with abhidhan people reset.",
    )
    mail_from: Sender = Field(
        default="",
        description="The sender of e-mails, such as Abhidhan <abhidhan@example.org>. Required if smtp is set.",
    )

    wiki_en: WikiAddress = Field(
        default="https://en.wikipedia.org/w/api.php",
        description="The wiki for English articles: the URL of its api.php. The wiki needs the TextExtracts extension.",
    )
    wiki_as: WikiAddress = Field(
        default="https://as.wikipedia.org/w/api.php", description="The same for Assamese articles."
    )
    wiki_bn: WikiAddress = Field(
        default="https://bn.wikipedia.org/w/api.php", description="The same for Bengali articles."
    )
    wiki_contact: WikiContact = Field(
        default="",
        description="Your contact for the operators of the wikis: an e-mail address or a web page, in ASCII. It is "
        "sent with every request, as Wikimedia requires. Left out: at most one request a second is "
        "sent.",
    )
    zim_en: str = Field(
        default="",
        description="A ZIM file with English articles, for use without a network. It needs the optional package "
        "zim (docs/installing.md).",
    )
    zim_as: str = Field(default="", description="The same for Assamese articles.")
    zim_bn: str = Field(default="", description="The same for Bengali articles.")
    articles_en: ArticleOrder = Field(
        default="zim, wiki",
        description="The sources of English articles, in order: zim, wiki. With zim alone, nothing is requested "
        "over the network.",
    )
    articles_as: ArticleOrder = Field(default="zim, wiki", description="The same for Assamese articles.")
    articles_bn: ArticleOrder = Field(default="zim, wiki", description="The same for Bengali articles.")
    article_days: float = Field(
        default=7,
        gt=0,
        le=3_650,
        description="The number of days for which an article is considered fresh. An older one is still shown, and "
        "updated in the background.",
    )
    article_missing_hours: float = Field(
        default=6,
        gt=0,
        le=8_760,
        description=("The number of hours for which the server remembers that an article does not exist."),
    )
    article_length: int = Field(
        default=1_200,
        ge=50,
        le=100_000,
        description="The maximum length of an extract, in characters; it is cut at the end of a sentence.",
    )
    wiki_connect_seconds: float = Field(
        default=2, gt=0, le=60, description="The timeout for connecting to a wiki, in seconds."
    )
    wiki_total_seconds: float = Field(
        default=5, gt=0, le=60, description="The timeout for the whole response of a wiki, in seconds."
    )

    @property
    def page_language_codes(self) -> tuple[str, ...]:
        """The codes of the languages that pages show first, without repeats."""
        return split_list(self.page_languages)

    @property
    def download_format_names(self) -> tuple[str, ...]:
        """The formats of the download files, without repeats; `all` stands for every format."""
        return split_list(self.downloads_formats)

    @property
    def download_language_codes(self) -> tuple[str, ...]:
        """The codes of the languages with their own download files, without repeats."""
        return split_list(self.downloads_languages)

    @property
    def pack_pairs(self) -> tuple[str, ...]:
        """The language pairs of offline packs, without repeats."""
        return split_list(self.packs)

    @property
    def encyclopedia(self) -> EncyclopediaSettings:
        """The settings for encyclopedia articles."""
        sources = (
            (ENGLISH, self.articles_en, self.wiki_en, self.zim_en),
            (ASSAMESE, self.articles_as, self.wiki_as, self.zim_as),
            (BENGALI, self.articles_bn, self.wiki_bn, self.zim_bn),
        )
        return EncyclopediaSettings(
            sources=tuple(
                ArticleSourceSettings(
                    language_id=language_id, source_kinds=tuple(order.replace(" ", "").split(",")), wiki=wiki, zim=zim
                )
                for language_id, order, wiki, zim in sources
            ),
            contact=self.wiki_contact,
            lifetimes=CacheLifetimes(
                int(self.article_days * DAY_SECONDS), int(self.article_missing_hours * HOUR_SECONDS)
            ),
            connect_seconds=self.wiki_connect_seconds,
            total_seconds=self.wiki_total_seconds,
            max_extract_length=self.article_length,
        )

    @model_validator(mode="before")
    @classmethod
    def _drop_removed_settings(cls, values: dict[str, object]) -> dict[str, object]:
        """Drop removed settings of earlier versions."""
        return {name: value for name, value in values.items() if name not in REMOVED_SETTINGS}

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Order the sources: arguments take precedence over the environment, and that over the file."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, find_settings_file())

    def set_sources(self, sources: Mapping[str, SettingSource]) -> None:
        """Store the origin of each value that is not the default."""
        self._sources.update(sources)

    def get_source(self, name: str) -> SettingSource:
        """Return the origin of a setting's value."""
        return self._sources.get(name, SettingSource.DEFAULT)

    def get_display_name(self, name: str) -> str:
        """Return the name of a setting as the operator wrote it: an option, a line of the file or a variable."""
        return format_setting_name(name, self.get_source(name))

    @property
    def database_url(self) -> str:
        """The URL of the database: that of the setting, or else that of the SQLite file in the data folder."""
        return self.database or f"sqlite:///{self.home.absolute() / 'dictionary.sqlite3'}"

    @property
    def direct_url(self) -> str:
        """The URL of the database server without a pooler."""
        return self.database_direct or self.database_url

    @property
    def database_display_url(self) -> str:
        """The URL of the database for display, without its password."""
        return hide_password(self.database_url)

    @property
    def site_url(self) -> str:
        """The URL to open in a browser."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.base_url or f"http://{host}:{self.port}"

    @property
    def run_folder(self) -> Path:
        """The folder of temporary files that running workers share, such as counters."""
        return self.home / "run"

    @property
    def metrics_folder(self) -> Path:
        """The folder of files through which workers share their metrics."""
        return self.run_folder / "metrics"

    @property
    def photo_folder(self) -> Path:
        """The default folder of photos."""
        return self.home / "photos"

    @property
    def recording_folder(self) -> Path:
        """The default folder of recordings."""
        return self.home / "recordings"

    @property
    def upload_folders(self) -> tuple[Path, ...]:
        """The local folders of photos and recordings, without those in an object store."""
        locations = ((self.photos, self.photo_folder), (self.recordings, self.recording_folder))
        return tuple(Path(address) if address else folder for address, folder in locations if "://" not in address)

    @property
    def download_location(self) -> str | Path:
        """The location of the download files: a folder, or a URL in an object store."""
        return self._output_location("downloads")

    @property
    def pack_location(self) -> str | Path:
        """The location of the offline packs: a folder, or a URL in an object store."""
        return self._output_location("packs")

    def _output_location(self, name: str) -> str | Path:
        if "://" in self.downloads:
            return f"{self.downloads.rstrip('/')}/{name}"
        return (Path(self.downloads) if self.downloads else self.home) / name

    @property
    def backup_folder(self) -> Path:
        """The folder of the backups that are created before the database is upgraded."""
        return self.home / "backups"


VARIABLE_PREFIX = "ABHIDHAN_"

REMOVED_SETTINGS = {
    "downloads_kept": (
        "Dated editions of the downloads were removed: to cite one, deposit its files (docs/exporting.md)."
    ),
    "database_read": "Run a read-only node at each standby instead (docs/operating.md).",
    "database_lag_seconds": "The delay of a read-only node is the lag of its standby, which PostgreSQL reports.",
}
"""Settings of earlier versions that were removed, with a message that names the alternative."""

NON_SETTING_VARIABLES = {"ABHIDHAN_CONFIG", "ABHIDHAN_CI", "ABHIDHAN_SHARED_DATA"}
"""Environment variables with the prefix that are not settings: the path of the settings file, and test parameters."""

VALID_VARIABLES = {
    VARIABLE_PREFIX + name.upper() for name in (*Settings.model_fields, *REMOVED_SETTINGS)
} | NON_SETTING_VARIABLES
"""All valid environment variables with the prefix; any other one is reported as a misspelled setting."""


def find_settings_file() -> Path:
    """Return the path of the settings file, which need not exist unless ABHIDHAN_CONFIG names it."""
    path = os.environ.get("ABHIDHAN_CONFIG")
    return Path(path) if path else Path(os.environ.get("ABHIDHAN_HOME") or "var") / CONFIG_FILE_NAME


def format_setting_name(name: str, source: SettingSource) -> str:
    """Return the name of a setting in its source: the option, the line of the file or the variable."""
    if source is SettingSource.OPTION:
        return f"--{name.replace('_', '-')}"
    if source is SettingSource.FILE:
        return f"{name} in {find_settings_file()}"
    return f"{VARIABLE_PREFIX}{name.upper()}"
