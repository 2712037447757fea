"""The database itself: opening it, reading and writing, on SQLite and on PostgreSQL."""
