"""SQL statements of photos and recordings."""
