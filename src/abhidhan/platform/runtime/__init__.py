"""TODO platform/runtime."""
