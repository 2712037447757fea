"""Extracts of encyclopedia articles, from wikis over the network and from local ZIM files.

Entry points: `service/articles.py` (`Encyclopedia`), `api.py` (dic-wiki.php).
Tables: `article` (a cache), `wiki` (the earliest time of the next request to each wiki).
Must respond within its deadline, however slow a wiki is. No other package sends readers' input over the network.
"""
