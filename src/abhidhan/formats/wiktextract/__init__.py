"""TODO formats/wiktextract."""
