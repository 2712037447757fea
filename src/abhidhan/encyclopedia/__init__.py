"""Extracts of encyclopedia articles, from wikis over the network and from ZIM files on this machine.

Entry points: `service/articles.py` (`Encyclopedia`), `api.py` (dic-wiki.php).
Tables: `article` (a cache), `wiki` (which wikis are left alone, and until when).
Must not keep an answer waiting for a wiki beyond its deadline, and is the only package that asks the network for
what readers type.
"""
