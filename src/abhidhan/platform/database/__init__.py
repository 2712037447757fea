"""The database of SQLite or PostgreSQL: connections, readers, one writer, leases, the runner of migrations."""
