"""The program put together: ASGI application, wiring, command line, API documentation, monitoring.

Entry points: `asgi.py` (`create_application`), `server.py` (supervisor and workers), `cli` (the `abhidhan` command),
`wiring.py` (every service, made from the settings), `database.py` (subscribers of the history).
Account deletion and the copy of personal data are here because they touch every table (`store`).
Tables: none of its own. Must not hold rules of a capability.
"""
