"""TODO formats/wordnet."""
