"""TODO contributions/pages."""
