"""Wiktionary entries as JSON lines, made by Wiktextract: reader."""
