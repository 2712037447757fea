"""API endpoints of user accounts."""
