"""ZIM files for Kiwix: written."""
