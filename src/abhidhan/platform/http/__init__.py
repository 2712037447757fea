"""TODO platform/http."""
