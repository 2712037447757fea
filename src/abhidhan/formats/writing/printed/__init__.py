"""The dictionary on paper: two columns, set by Typst."""
