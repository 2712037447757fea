"""TODO contributions."""
