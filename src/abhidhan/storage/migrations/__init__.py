"""The steps by which a database gets its tables: one file a step, run by Alembic, the newest one last in REVISIONS."""

REVISIONS = (
    "0001",
    "0002",
    "0003",
    "0004",
    "0005",
    "0006",
    "0007",
    "0008",
    "0009",
    "0010",
    "0011",
    "0012",
    "0013",
    "0014",
    "0015",
    "0016",
    "0017",
    "0018",
    "0019",
    "0020",
    "0021",
    "0022",
    "0023",
    "0025",
)
"""Every step this program knows, oldest first. A database that names another one was written by a newer version."""
