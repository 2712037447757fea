"""The data version: one number that every transaction raises when it changes what a public answer shows."""

from sqlalchemy import Connection, update

from abhidhan import schema


def raise_data_version(connection: Connection) -> None:
    """Signal every worker, by one number, that answers made before this transaction may be out of date.

    What it has noted as changed gets this number. Nobody else raises it until it has ended: so whoever sees what one
    has noted sees what all before it have noted.
    """
    state, noted = schema.state, schema.record_change
    raised = update(state).where(state.c.id == 1).values(data_version=state.c.data_version + 1)
    version = connection.execute(raised.returning(state.c.data_version)).scalar_one()
    connection.execute(update(noted).where(noted.c.version.is_(None)).values(version=version))


def write_the_same(connection: Connection) -> None:
    """Write what is there already, to find out whether anything can be written."""
    connection.execute(update(schema.state).where(schema.state.c.id == 1).values(id=1))
