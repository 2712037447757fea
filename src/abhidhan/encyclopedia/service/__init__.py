"""TODO encyclopedia/service."""
