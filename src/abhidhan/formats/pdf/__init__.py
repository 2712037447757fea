"""TODO formats/pdf."""
