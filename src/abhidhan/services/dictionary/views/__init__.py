"""What pages show, each read in one go: one question to the database sees one moment of it."""
