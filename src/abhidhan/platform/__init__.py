"""The parts that any web service needs; nothing here is about dictionaries.

`database`: engine, readers, leases, copies, the runner of migrations. `http`: the edge, sessions of requests,
parameters, errors, caching, limits. `sandbox`: decoders in processes of their own, files and object stores.
`runtime`: supervisor, metrics, disk, periodic tasks, mail server.
Tables: `lease`, `shared_limit`, `alembic_version`; it also reads languages, lists and sources into a catalogue.
Must not import a capability: `app.wiring` hands in services, found by their class (`http/services.py`).
"""
