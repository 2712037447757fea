"""TODO people/api."""
