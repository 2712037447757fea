"""User accounts: sign-up, sign-in, sessions, two-factor sign-in, API tokens, saved lists and e-mails.

Entry points: `service/accounts.py` (`Accounts`: administration, sessions, sign-in, two-factor), `service/tokens.py`,
`service/mails.py`, `pages/staff.py` (checks the user and permissions for page handlers).
Tables: `person`, `session`, `known_address`, `tries`, `ticket`, `two_factor`, `recovery_code`, `personal_token`,
`own_lists`, `mail_choice`, `mail_outbox`, `mail_refusal`.
Must not store passwords or tokens in plain text, nor decide on contributions.
"""
