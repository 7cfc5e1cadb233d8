"""Values as messages name them, cut short."""

# Of a value that is wrong, so much is shown.
_SHOWN = 80


def short_repr(value: object) -> str:
    """Return the representation of a value, short enough for a message.

    Examples
    --------
    >>> short_repr("rain")
    "'rain'"
    """
    try:
        whole = repr(value)
    except RecursionError:
        return f"a {type(value).__name__} that is nested too deeply"
    return whole if len(whole) <= _SHOWN else f"{whole[:_SHOWN]}..."
