"""TODO formats/ontolex."""
