"""The dictionary on paper, set by Typst: written."""
