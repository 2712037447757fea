"""Slips: the keys that somebody may have meant who has typed one letter wrong."""


def one_slip_away(key: str, letters: str) -> frozenset[str]:
    """List the keys that are one letter more, less or other than `key`, or have two neighbours exchanged."""
    cuts = [(key[:place], key[place:]) for place in range(len(key) + 1)]
    fewer = {start + end[1:] for start, end in cuts if end}
    exchanged = {start + end[1] + end[0] + end[2:] for start, end in cuts if len(end) > 1}
    more = {start + letter + end for start, end in cuts for letter in letters}
    other = {start + letter + end[1:] for start, end in cuts if end for letter in letters}
    return frozenset(fewer | exchanged | more | other) - {"", key}
