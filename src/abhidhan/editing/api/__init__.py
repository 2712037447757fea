"""API endpoints of editing."""
