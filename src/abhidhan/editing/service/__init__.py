"""TODO editing/service."""
