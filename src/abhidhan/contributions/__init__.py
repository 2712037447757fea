"""Submissions and their review: words, corrections, reports, missing words, unreviewed entries.

Entry points: `service/submissions.py` (`Submissions`: submit, list, withdraw; its `review` is what editors
do; `WordsWithPhotos`), `service/mail_delivery.py` (mails about decisions).
Tables: `submission` by way of submissions; approved ones are records of editing.
Must not change a record but by editing, so that each change is in the history.
"""
