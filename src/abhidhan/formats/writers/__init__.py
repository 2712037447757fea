"""What writers of formats share, and formats that are only written."""
