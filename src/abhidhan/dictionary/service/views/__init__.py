"""Data of the pages of the dictionary, each loaded by one read job."""
