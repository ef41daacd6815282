"""What filters written in Python share."""

from collections.abc import Sequence

from lanner.ext.analysis.python_parts import Token, TokenList


def keep_tokens(stream: TokenList, kept: list[bool]) -> None:
    """Drop the tokens that are not kept; their positions go to the next one, or to the end of the text."""
    found: list[Token] = []
    skipped = 0
    for token, wanted in zip(stream.tokens, kept, strict=True):
        if wanted:
            token.increment += skipped
            skipped = 0
            found.append(token)
        else:
            skipped += token.increment
    stream.tokens = found
    stream.trailing_increment += skipped


def places_of(term: str) -> Sequence[int]:
    """Return the place of each character and of the end in UTF-16 units."""
    if term.isascii() or max(term) < "\U00010000":
        return range(len(term) + 1)
    places = [0]
    for char in term:
        places.append(places[-1] + (2 if char > "\uffff" else 1))
    return places


def utf16_key(term: str) -> bytes:
    """Return what terms are sorted by to have the order of their UTF-16 units."""
    return term.encode("utf-16-be", "surrogatepass")
