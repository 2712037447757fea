"""How many of something there are, as sentences of commands say it: one fault, 2 faults."""


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count with what is counted: `one` says it of one, `many` of all other counts (else `one` and an s)."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
