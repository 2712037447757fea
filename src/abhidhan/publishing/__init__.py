"""Files that are made once and downloaded often: downloads of the whole dictionary, and packs for offline use.

Entry points: `service/batch_publishing.py` (make them), `service/downloads.py` and `service/packs.py` (serve them),
`service/takedowns.py` (remake them without what was taken down).
Tables: none of its own; it reads the dictionary. The files lie in folders that the settings name.
Must not make a download or a pack within a request.
"""
