"""TODO app."""
