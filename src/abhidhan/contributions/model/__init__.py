"""TODO contributions/model."""
