"""The running process: supervisor, listener, metrics, disk, locks, periodic tasks, passwords, mail server."""
