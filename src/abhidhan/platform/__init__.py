"""The parts that any web service needs, independent of dictionaries.

`database`: engine, readers, leases, copies, migrations. `http`: middleware, sessions, parameters, errors, caching,
rate limits. `sandbox`: decoders in separate processes, files and object stores. `runtime`: supervisor, metrics, disk,
periodic tasks, mail server.
Tables: `lease`, `shared_limit`, `alembic_version`; it also reads languages, lists and sources into a catalogue.
Must not import a capability: `app.wiring` provides services, looked up by class (`http/services.py`).
"""
