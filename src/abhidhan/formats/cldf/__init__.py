"""CLDF, tables of languages compared: read and written."""
