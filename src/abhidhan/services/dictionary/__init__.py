"""The dictionary as it is read: one façade (`facade.py`), and behind it one file for each thing that is asked."""
