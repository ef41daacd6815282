from collections.abc import Callable

from lanner.ext.highlight.breaks import Breaks
from lanner.ext.highlight.marks import Marks

def fragments(
    values: list[str],
    marks: Marks,
    breaks_of: Callable[[str], Breaks],
    most: int,
    before: str,
    behind: str,
    *,
    encode: Callable[[str], str] | None = None,
    by_score: bool = False,
) -> list[str]:
    """Return the best passages of the values of a field, with what is marked between before and behind.

    marks: at least one; they are sorted. most: how many passages, > 0. encode: what changes the text
    around and inside of marks. by_score: the best passage first, not the first one of the text.
    """
