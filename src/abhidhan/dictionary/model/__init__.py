"""TODO dictionary/model."""
