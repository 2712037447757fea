"""TODO publishing/api."""
