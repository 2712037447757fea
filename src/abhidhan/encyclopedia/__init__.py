"""Extracts of encyclopedia articles, from wikis over the network and from local ZIM files.

Entry points: `service/articles.py` (`Encyclopedia`), `api.py` (dic-wiki.php).
Tables: `article` (a cache), `wiki` (the time from which each wiki may be asked again).
Must answer within its deadline, however slow a wiki is. No other package sends what readers type over the network.
"""
