"""TODO people/pages."""
