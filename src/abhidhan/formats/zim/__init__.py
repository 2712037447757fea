"""ZIM files for Kiwix: writer."""
