"""WN-LMF, the XML of wordnets: read and written."""
