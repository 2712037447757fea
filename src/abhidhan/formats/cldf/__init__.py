"""CLDF (Cross-Linguistic Data Formats): reader and writer."""
