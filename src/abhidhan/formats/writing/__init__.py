"""Writers: the dictionary into files that other programs open. The same data give the same bytes."""
