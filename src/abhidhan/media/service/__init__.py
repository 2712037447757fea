"""TODO media/service."""
