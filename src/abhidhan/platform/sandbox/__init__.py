"""Decoding of untrusted files in restricted processes, and file stores."""
