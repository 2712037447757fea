"""Editing of records, their history, undo and redaction, and features that read the history, such as citations.

Entry points: `service/editing.py` (`Editing`, with a method for each action of an editor), `store/history.py`
(`write_entry`: every change of a record is a history entry; entries can be hidden).
Tables: `history`, `history_record`, `hidden_entry`, `confirmation`, and the records of the dictionary.
Must not import the subscribers of changes: `app.database` registers them, and they run in the same transaction.
"""
