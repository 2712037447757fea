"""TODO people/model."""
