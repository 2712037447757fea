"""The ways in which a look-up finds a word, from its spelling to a guess; `registry.py` orders them."""
