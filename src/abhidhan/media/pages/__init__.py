"""TODO media/pages."""
