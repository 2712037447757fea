"""TODO encyclopedia/store."""
