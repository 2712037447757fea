"""TODO formats/zim."""
