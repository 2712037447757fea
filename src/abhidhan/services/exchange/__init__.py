"""Files into the dictionary and out of it, backups among them."""
