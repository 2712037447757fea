"""The licence of what somebody has given here: how files tell it. Nobody edits it."""

from typing import Final

from abhidhan.domain.licences import LONGEST_LICENCE
from abhidhan.domain.records.field_kinds import Line
from abhidhan.domain.records.fields import Field

LICENCE: Final = Field("licence", Line(LONGEST_LICENCE))
