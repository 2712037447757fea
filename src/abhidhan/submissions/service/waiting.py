"""List the items that wait for an editor, of every kind."""

from abhidhan.platform.database.reader import Reader
from abhidhan.records.people import Permission, Person, require
from abhidhan.records.submissions import Waiting
from abhidhan.submissions.store import submissions as stored


def count_waiting(reader: Reader, person: Person) -> Waiting:
    """Count what waits for an editor. Raises ForbiddenError."""
    require(person, Permission.REVIEW)
    return stored.count_waiting(reader)
