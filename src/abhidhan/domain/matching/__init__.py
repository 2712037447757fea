"""Matching: how what was typed is found, and in which order what was found is answered."""
