"""OntoLex-Lemon in RDF: written."""
