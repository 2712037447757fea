"""The running process: supervisor, listening sockets, metrics, files, locks, periodic tasks, passwords, SMTP."""
