"""TODO publishing/pages."""
