"""TODO contributions/service."""
