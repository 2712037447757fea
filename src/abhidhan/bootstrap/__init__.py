"""The program put together from the settings: database, services, application, server."""
