"""TODO formats/lift."""
