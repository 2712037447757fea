"""TODO formats/tei."""
