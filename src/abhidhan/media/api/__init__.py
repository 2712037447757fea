"""API endpoints of photos and recordings."""
