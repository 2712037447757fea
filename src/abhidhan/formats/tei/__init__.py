"""TEI Lex-0: read and written."""
