"""Static assets (styles, scripts, fonts, pictures), their folders, and their fingerprinted URLs."""

import re
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Final, Literal

from litestar import Response, get
from litestar.params import PathParameter

from abhidhan.records.errors import NotFoundError, sentence

PACKAGE_FOLDER: Final = Path(__file__).parents[2]


def find_page_folders(kind: Literal["templates", "static"]) -> list[Path]:
    """Return the folders of one kind in all packages. File names are unique across them."""
    return sorted(PACKAGE_FOLDER.glob(f"*/*/{kind}"))


IMMUTABLE_CACHE_CONTROL: Final = "public, max-age=31536000, immutable"
SHORT_CACHE_CONTROL: Final = "public, max-age=60"

MEDIA_TYPES: Final = {
    "css": "text/css",
    "js": "text/javascript",
    "woff2": "font/woff2",
    "svg": "image/svg+xml",
    "png": "image/png",
    "txt": "text/plain",
}

CSS_COMMENT: Final = re.compile(rb"/\*.*?\*/\n?", re.DOTALL)


@cache
def load_assets() -> dict[str, bytes]:
    """Read all assets, by name. The comments of stylesheets are removed: they are a tenth of a first visit's styles."""
    paths = (file for folder in find_page_folders("static") for file in folder.iterdir())
    bodies = {file.name: file.read_bytes() for file in paths if file.suffix[1:] in MEDIA_TYPES}
    return bodies | {name: CSS_COMMENT.sub(b"", body) for name, body in bodies.items() if name.endswith(".css")}


@cache
def compute_fingerprint() -> str:
    """Return a short hash of all assets."""
    parts = (part for name, body in sorted(load_assets().items()) for part in (name.encode(), body))
    return blake2b(b"\0".join(parts), digest_size=6).hexdigest()


def asset_address(name: str) -> str:
    """Return the path of an asset, with the fingerprint."""
    return f"/assets/{compute_fingerprint()}/{name}"


@get("/assets/{mark:str}/{name:str}", include_in_schema=False)
async def read_asset(mark: Annotated[str, PathParameter()], name: Annotated[str, PathParameter()]) -> Response[bytes]:
    """Return an asset. An outdated fingerprint is accepted for pages that are still open, but cached only briefly."""
    body = load_assets().get(name)
    if body is None:
        raise NotFoundError(sentence("There is no such file."))
    lifetime = IMMUTABLE_CACHE_CONTROL if mark == compute_fingerprint() else SHORT_CACHE_CONTROL
    return Response(body, media_type=MEDIA_TYPES[name.rpartition(".")[2]], headers={"Cache-Control": lifetime})
