"""The licence of what somebody has given here: how files tell it. Nobody edits it."""

from typing import Final

from abhidhan.records.kinds.field_types import Line
from abhidhan.records.kinds.fields import Field
from abhidhan.records.licences import LONGEST_LICENCE

LICENCE: Final = Field("licence", Line(LONGEST_LICENCE))
