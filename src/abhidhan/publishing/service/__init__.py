"""TODO publishing/service."""
