"""Service that generates, serves and regenerates downloads and packs."""
