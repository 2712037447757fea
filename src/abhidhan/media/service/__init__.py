"""Services for photos and recordings, from upload to deletion."""
