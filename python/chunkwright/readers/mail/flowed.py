"""Text of mail with ``format=flowed`` (RFC 3676): its paragraphs, whose lines were wrapped."""

from __future__ import annotations

_SIGNATURE = "-- "


def unflowed(text: str, *, deletes_space: bool = False) -> str:
    r"""Join the lines that were wrapped to be sent: those behind one that ends in a blank.

    Parameters
    ----------
    text
        The text as it was sent.
    deletes_space
        Whether the blank at the end of a line is none of the text.

    Examples
    --------
    >>> unflowed("It \nrained.\n> Did \n> it?\n")
    'It rained.\n> Did it?'
    """
    made: list[list[str]] = []
    depth_before, is_open = 0, False
    for line in text.replace("\r\n", "\n").removesuffix("\n").split("\n"):
        said = line.lstrip(">")
        depth = len(line) - len(said)
        said = said.removeprefix(" ")
        flows = said.endswith(" ") and said != _SIGNATURE
        if flows and deletes_space:
            said = said[:-1]
        if is_open and depth == depth_before and said != _SIGNATURE:
            made[-1].append(said)
        else:
            made.append([f"{'>' * depth}{' ' if depth else ''}{said}"])
        depth_before, is_open = depth, flows
    return "\n".join(map("".join, made))
