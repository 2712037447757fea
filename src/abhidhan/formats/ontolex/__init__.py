"""OntoLex-Lemon in RDF: writer."""
