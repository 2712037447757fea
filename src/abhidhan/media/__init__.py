"""Photos and recordings: upload, re-encoding, review, display and deletion.

Entry points: `service/photos.py` and `service/recordings.py`, both based on `service/uploads.py`, whose `UploadLimiter`
limits the number of concurrent uploads.
Tables: `photo`, `recording`, `photo_band`, `recording_band`; the files are in folders or object stores.
Must not decode files in the server process, nor serve uploaded bytes without re-encoding.
"""
