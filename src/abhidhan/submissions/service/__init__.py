"""TODO submissions/service."""
