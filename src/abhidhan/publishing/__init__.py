"""TODO publishing."""
