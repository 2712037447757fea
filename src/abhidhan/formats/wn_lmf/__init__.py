"""WN-LMF, the XML format of wordnets: reader and writer."""
