"""TODO formats/hunspell."""
