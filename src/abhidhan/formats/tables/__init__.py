"""TODO formats/tables."""
