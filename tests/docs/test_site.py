"""The documents become a site whose links work and that loads nothing from another host."""

import os
import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.support.programs import skip_or_fail

ROOT: Final = Path(__file__).parents[2]
LOADED: Final = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=["']?((?:https?:)?//[^"'\s>]+)""")
IMPORTED: Final = re.compile(r"""(?:@import|url\()\s*["']?((?:https?:)?//[^"')]+)""")

pytestmark = pytest.mark.thorough


def test_the_site_is_built_without_warnings_and_loads_nothing_from_another_host(tmp_path: Path) -> None:
    python = os.environ.get("DOCS_PYTHON") or skip_or_fail("DOCS_PYTHON names no Python that has MkDocs")
    environment = {"PATH": "/usr/bin:/bin", "NO_MKDOCS_2_WARNING": "1"}
    completed = subprocess.run(  # noqa: S603
        [python, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert completed.returncode == 0, completed.stderr
    pages = [*tmp_path.rglob("*.html")]
    assert {page.name for page in (ROOT / "docs").glob("*.md")} <= {f"{page.stem}.md" for page in pages}
    assert [address for page in pages for address in LOADED.findall(page.read_text(encoding="utf-8"))] == []
    styles = [style.read_text(encoding="utf-8") for style in tmp_path.rglob("*.css")]
    assert [address for style in styles for address in IMPORTED.findall(style)] == []
