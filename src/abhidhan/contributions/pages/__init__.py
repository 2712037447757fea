"""Pages of contributions and their review."""
