"""The SQLite or PostgreSQL database: connections, readers, the writer, leases and migrations."""
