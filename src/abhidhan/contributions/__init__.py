"""Submissions and their review: words, corrections, reports, missing words, unreviewed entries.

Entry points: `service/submissions.py` (`Submissions`: submit, list, withdraw; its attribute `review` is for editors;
`WordPhotoSubmissions`), `service/mail_delivery.py` (mails about decisions).
Tables: `submission`, through the submissions package; approved submissions become records through editing.
Must change records only through editing, so that each change is in the history.
"""
