"""Real MediaWiki servers: running ones, or new ones if the packages are installed; otherwise one skipped test."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.support.mediawiki import INSTALL_COMMAND, is_installed, read_wiki_addresses, running_mediawiki

FOLDER = Path(__file__).parent
SKIP_REASON = f"tests against a real MediaWiki are left out; to run them: {INSTALL_COMMAND}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect all tests but one if there are no wikis, so that the reason is reported once."""
    if read_wiki_addresses() or is_installed():
        return
    left_out = [item for item in items if item.path.is_relative_to(FOLDER)][1:]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def mediawiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """Yield the URL of the api.php of each language."""
    running = read_wiki_addresses()
    if running:
        yield running
        return
    if not is_installed():
        if os.environ.get("ABHIDHAN_CI"):
            pytest.fail(SKIP_REASON)
        pytest.skip(SKIP_REASON)
    with running_mediawiki(tmp_path_factory.mktemp("mediawiki")) as addresses:
        yield addresses
