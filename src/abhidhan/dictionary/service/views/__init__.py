"""Read the data of each page of the dictionary in one job."""
