"""TODO formats/cldf."""
