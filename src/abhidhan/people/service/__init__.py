"""TODO people/service."""
