"""The SQLite or PostgreSQL database: connections for reading and writing, leases and migrations."""
