"""Transfer of the dictionary: import, export, backup, copies to another database, the starter dictionary.

Entry points: `service/importing.py`, `service/exporting.py`, `service/backup.py`, `service/copying.py`,
`service/starter_updating.py`.
Tables: it fills all tables of the dictionary in bulk (`store/loading`) and reads them as records (`store/dump`).
Must not read or write a format itself: formats does.
"""
