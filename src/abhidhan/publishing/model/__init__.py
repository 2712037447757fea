"""TODO publishing/model."""
