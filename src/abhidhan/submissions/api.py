"""The request body for the rejection of a contribution of any kind."""

from typing import Annotated

import msgspec

from abhidhan.platform.http.parameters import NON_BLANK_TEXT_PATTERN
from abhidhan.records.submissions import MAX_REASON_LENGTH


class Rejection(msgspec.Struct, frozen=True):
    """The reason for a rejection, which the sender of the contribution can read."""

    reason: Annotated[
        str,
        msgspec.Meta(
            min_length=1,
            max_length=4 * MAX_REASON_LENGTH,
            extra_json_schema={"pattern": NON_BLANK_TEXT_PATTERN, "maxLength": MAX_REASON_LENGTH},
        ),
    ]
