"""How the text between tags is written."""

from collections.abc import Callable

_ESCAPED = str.maketrans(
    {'"': "&quot;", "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#x27;", "/": "&#x2F;"}
)


def html(text: str) -> str:
    """Return a text with the characters escaped that HTML gives a meaning."""
    return text.translate(_ESCAPED)


#: by the name of the option; every other name leaves texts as they are
ENCODERS: dict[str, Callable[[str], str]] = {"html": html}
