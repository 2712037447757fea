"""TODO platform/database/copying."""
