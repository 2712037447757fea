"""SQL statements of user accounts."""
