"""TODO publishing/store."""
