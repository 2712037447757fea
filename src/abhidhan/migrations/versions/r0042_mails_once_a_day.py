"""Send e-mails about decisions daily, and stop the digests of pending contributions."""

import logging

import sqlalchemy as sa
from alembic import op

from abhidhan.migrations import REVISIONS

revision = "0042"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]

_log = logging.getLogger(__name__)


def upgrade() -> None:
    """Delete the subscriptions to digests, and set those to decisions to daily.

    E-mails that are already due are still sent at their time.
    """
    connection = op.get_bind()
    topic, often = sa.column("topic", sa.Text), sa.column("often", sa.Text)
    choice = sa.table("mail_choice", topic, often)
    count_query = sa.select(sa.func.count()).select_from(choice).where(topic == "digest", often != "never")
    count = connection.execute(count_query).scalar_one()
    if count:
        _log.warning(
            "Digests of what waits for review are not sent any more; people who had agreed to them: %d. "
            "The pages at /review show what waits.",
            count,
        )
    connection.execute(sa.delete(choice).where(topic == "digest"))
    connection.execute(sa.update(choice).where(topic == "decisions", often == "at_once").values(often="daily"))
