"""The body of a request that rejects a submission, of whatever kind."""

from typing import Annotated

import msgspec

from abhidhan.platform.http.parameters import SOME_TEXT
from abhidhan.records.submissions import LONGEST_REASON


class Rejection(msgspec.Struct, frozen=True):
    """Why something is rejected; the person who sent it can read this."""

    reason: Annotated[
        str,
        msgspec.Meta(
            min_length=1,
            max_length=4 * LONGEST_REASON,
            extra_json_schema={"pattern": SOME_TEXT, "maxLength": LONGEST_REASON},
        ),
    ]
