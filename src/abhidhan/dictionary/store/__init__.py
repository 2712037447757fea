"""SQL statements of the dictionary; no other package contains any."""
