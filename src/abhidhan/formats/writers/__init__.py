"""TODO formats/writers."""
