"""Files that are generated once and downloaded often: downloads of the whole dictionary, and offline packs.

Entry points: `service/batch_publishing.py` (generate them), `service/downloads.py` and `service/packs.py` (serve
them), `service/takedowns.py` (regenerate them without removed content).
Tables: none of its own; it reads the dictionary. The files lie in folders that the settings name.
Must not generate a download or a pack within a request.
"""
