"""API endpoints of contributions."""
