"""JSON lines of Wiktionary entries, made by Wiktextract: read."""
