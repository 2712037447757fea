"""Accounts: signing in and up, sessions, two-factor sign-in, tokens for programs, saved lists, mails.

Entry points: `service/accounts.py` (`Accounts`: administration, sessions, sign-in, two-factor), `service/tokens.py`,
`service/mails.py`, `pages/staff.py` (who is signed in on a page, and what they may do).
Tables: `person`, `session`, `known_address`, `tries`, `ticket`, `two_factor`, `recovery_code`, `personal_token`,
`own_lists`, `mail_choice`, `mail_outbox`, `mail_refusal`.
Must not store a password or a token in clear, nor decide on what people contribute.
"""
