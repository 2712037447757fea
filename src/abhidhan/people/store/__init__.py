"""TODO people/store."""
