"""TODO platform/sandbox."""
