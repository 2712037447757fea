"""What each page of the dictionary shows, read in one go."""
