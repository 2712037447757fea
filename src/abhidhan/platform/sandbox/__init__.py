"""Decoding of files from strangers in limited processes, and stores of files."""
