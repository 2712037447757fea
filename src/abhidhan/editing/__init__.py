"""Changes of records by editors, their history, undoing and redaction; and what reads the history, such as citations.

Entry points: `service/editing.py` (`Editing`, one method for each thing an editor does), `store/history.py`
(`write_entry`: every change of a record is an entry; entries can be hidden).
Tables: `history`, `history_record`, `hidden_entry`, `confirmation`, and the records of the dictionary.
Must not know who follows changes: `app.database` registers the subscribers, which run inside the same transaction.
"""
