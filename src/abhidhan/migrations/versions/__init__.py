"""TODO migrations/versions."""
