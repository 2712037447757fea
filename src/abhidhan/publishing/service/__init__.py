"""Downloads and packs made, served and remade."""
