"""TODO platform/database."""
