"""A real MediaWiki with TextExtracts, from Debian's packages, on SQLite: one wiki per language, started for tests.

`python3 -m tests.support.mediawiki FOLDER` starts the wikis by hand: it prints their URLs on one line, and serves until
it is stopped. It needs only Python and the packages.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from xml.sax.saxutils import escape

from tests.mediawiki.pages import PAGES
from tests.support.ports import free_port

INSTALL_FOLDER = Path("/var/lib/mediawiki")
"""The folder in which Debian's package installs MediaWiki."""

INSTALL_COMMAND = "RUNLEVEL=1 apt-get install -y --no-install-recommends mediawiki php-sqlite3 php-cli"
ADDRESSES_VARIABLE = "TEST_MEDIAWIKI"
"""The environment variable with the URLs of running wikis: `en=http://... as=http://... bn=http://...`."""

START_TIMEOUT_SECONDS = 180

EXTRA_SETTINGS = """
wfLoadExtension( 'TextExtracts' );
wfLoadExtension( 'Cite' );
$wgRightsText = 'CC BY-SA 4.0';
"""


def is_installed() -> bool:
    """Return whether the packages are installed."""
    return shutil.which("php") is not None and (INSTALL_FOLDER / "maintenance/install.php").exists()


def read_wiki_addresses() -> dict[str, str]:
    """Return the URLs of running wikis, by language."""
    pairs = (part.partition("=") for part in os.environ.get(ADDRESSES_VARIABLE, "").split())
    return {language: address for language, _, address in pairs}


@contextmanager
def running_mediawiki(folder: Path) -> Iterator[Mapping[str, str]]:
    """Install the wikis in an empty folder and serve them; yield the URL of each language's api.php."""
    with ExitStack() as servers:
        yield {language: servers.enter_context(_run_wiki(folder / language, language)) for language in PAGES}


@contextmanager
def _run_wiki(folder: Path, language: str) -> Iterator[str]:
    port = free_port()
    environment = _install(folder, language, port)
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(  # noqa: S603  # our own command
            [_php(), "-S", f"127.0.0.1:{port}", "-t", str(INSTALL_FOLDER)],
            cwd=folder,
            stdout=log,
            stderr=log,
            env=environment | {"PHP_CLI_SERVER_WORKERS": "2"},
            start_new_session=True,
        )
    address = f"http://127.0.0.1:{port}/api.php"
    try:
        _wait_for(address)
        yield address
    finally:
        # Its workers are separate processes in its group.
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(START_TIMEOUT_SECONDS)


def _install(folder: Path, language: str, port: int) -> dict[str, str]:
    """Create a wiki that uses the package's files, with its own settings and database."""
    (folder / "db").mkdir(parents=True)
    options = {
        "dbtype": "sqlite",
        "dbname": "w",
        "dbpath": str(folder / "db"),
        "server": f"http://127.0.0.1:{port}",
        "scriptpath": "",
        "lang": language,
        "pass": "LocalTest-12345",
        "confpath": str(folder),
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
    environment = os.environ | {"MW_INSTALL_PATH": str(INSTALL_FOLDER)}
    _run(environment, "install", *arguments, f"Test wiki ({language})", "Admin")
    settings = folder / "LocalSettings.php"
    with settings.open("a") as written:
        written.write(EXTRA_SETTINGS)
    environment["MW_CONFIG_FILE"] = str(settings)
    pages = folder / "pages.xml"
    pages.write_text(_dump(PAGES[language]))
    _run(environment, "importDump", str(pages))
    return environment


def _dump(pages: Mapping[str, str]) -> str:
    """Format pages like a MediaWiki export."""
    written = (
        f"<page><title>{escape(title)}</title><revision><timestamp>2026-01-01T00:00:00Z</timestamp>"
        f'<model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">{escape(text)}</text>'
        "</revision></page>"
        for title, text in pages.items()
    )
    return f"<mediawiki>{''.join(written)}</mediawiki>"


def _run(environment: Mapping[str, str], script: str, *arguments: str) -> None:
    done = subprocess.run(  # noqa: S603  # our own command
        [_php(), str(INSTALL_FOLDER / f"maintenance/{script}.php"), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"maintenance/{script}.php failed: {done.stdout}{done.stderr}")


def _php() -> str:
    return shutil.which("php") or "php"


def _wait_for(address: str) -> None:
    give_up = time.monotonic() + START_TIMEOUT_SECONDS
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while True:
        try:
            with opener.open(f"{address}?action=query&format=json", timeout=START_TIMEOUT_SECONDS):
                return
        except urllib.error.URLError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.05)


def main() -> None:
    """Print the URLs, and serve until stopped."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with running_mediawiki(Path(sys.argv[1])) as addresses:
        print(*(f"{language}={address}" for language, address in addresses.items()), flush=True)  # noqa: T201
        signal.pause()


if __name__ == "__main__":
    main()
