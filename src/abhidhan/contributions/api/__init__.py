"""TODO contributions/api."""
