"""TEI Lex-0: reader and writer."""
