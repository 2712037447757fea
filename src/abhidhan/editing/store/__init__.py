"""SQL statements of editing."""
