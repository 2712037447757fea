"""Photos and recordings from the upload to the removal."""
