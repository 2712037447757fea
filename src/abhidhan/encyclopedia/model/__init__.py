"""TODO encyclopedia/model."""
