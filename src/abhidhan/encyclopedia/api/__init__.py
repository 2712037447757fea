"""TODO encyclopedia/api."""
