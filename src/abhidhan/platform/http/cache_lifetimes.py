"""How long an answer may be kept that is right for a day only."""


def until_midnight(seconds_left: int, longest: int) -> dict[str, str]:
    """Return the header of an answer that may be kept for a while, and not beyond its day; none once that is over."""
    if not seconds_left:
        return {}
    return {"Cache-Control": f"public, max-age={min(seconds_left, longest)}, stale-if-error=86400"}
