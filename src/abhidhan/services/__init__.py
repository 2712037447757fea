"""What the program does, one file per job."""
