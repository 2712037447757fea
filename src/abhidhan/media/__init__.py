"""Photos and recordings: uploaded, decoded and encoded anew, reviewed, shown, removed.

Entry points: `service/photos.py`, `service/recordings.py` (both are `service/uploads.py` with a kind of their own;
its `Gate` bounds how many uploads are read at a time).
Tables: `photo`, `recording`, `photo_band`, `recording_band`; the files lie in folders or object stores.
Must not decode in the server's own process, nor serve what was sent as it was sent.
"""
