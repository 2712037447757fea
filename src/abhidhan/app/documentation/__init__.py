"""TODO app/documentation."""
