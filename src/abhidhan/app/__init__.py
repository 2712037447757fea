"""The composition of the program: ASGI application, wiring, command line, API documentation, monitoring.

Entry points: `asgi.py` (`create_application`), `server.py` (supervisor and workers), `cli` (the `abhidhan` command),
`wiring.py` (all services, built from the settings), `database.py` (subscribers of the history).
Account deletion and the export of personal data are here because they touch every table (`store`).
Tables: none. Must not contain rules of a capability.
"""
