"""Lead the addresses at which entries and days had pictures of their own to the one picture of the site."""

from typing import Final

from litestar import Response, get

from abhidhan.platform.http.assets import asset_address
from abhidhan.platform.http.rendering import lead_to

SITE_PICTURE: Final = "preview.png"
"""What sites and apps show where a page without a photo is shared: 1200 × 630 pixels."""

FOR_A_MONTH: Final = {"Cache-Control": "public, max-age=2592000"}


@get(
    ["/preview/{name:path}", "/today.png", "/today/{name:str}", "/today/{name:str}/proverb.png"],
    include_in_schema=False,
)
async def go_to_site_picture() -> Response[str]:
    """Lead to the picture of the site: messages and feeds that were sent long ago still name these addresses."""
    return lead_to(asset_address(SITE_PICTURE), 301, headers=FOR_A_MONTH)
