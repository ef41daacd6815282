"""How far a word may be misspelled: a number of edits, or AUTO by the word's length."""

from dataclasses import dataclass

from lanner.engine.common.body import parse_double, parse_integer
from lanner.engine.common.errors import IllegalArgument, NumberFormatError, ParseError

MOST_EDITS = 2


@dataclass(frozen=True, slots=True)
class Fuzziness:
    """edits: None for AUTO, which allows none below low characters, one below high and two from there."""

    edits: int | None = None
    low: int = 3
    high: int = 6

    def distance(self, word: str) -> int:
        """Return the edits allowed in a word."""
        if self.edits is not None:
            return self.edits
        length = len(word)
        return 0 if length < self.low else 1 if length < self.high else 2


AUTO = Fuzziness()


def parse_fuzziness(text: str) -> Fuzziness:
    """Return what a request asks for; raises IllegalArgument, ParseError."""
    upper = text.upper()
    if upper == "AUTO":
        return AUTO
    if upper.startswith("AUTO:"):
        return _custom(text)
    try:
        edits = parse_double(text)
    except NumberFormatError:
        edits = -1.0
    if not edits >= 0:
        raise IllegalArgument(f"Invalid fuzziness value: {text}")
    return Fuzziness(int(min(edits, MOST_EDITS)))


def _custom(text: str) -> Fuzziness:
    limits = text[len("AUTO:") :].split(",")
    if len(limits) != 2:
        raise ParseError("failed to find low and high distance values")
    try:
        low, high = (parse_integer(limit) for limit in limits)
    except NumberFormatError as error:
        raise ParseError(f'failed to parse [{text}] as a "auto:int,int"', caused_by=error) from None
    if not 0 <= low <= high:
        raise IllegalArgument(
            "fuzziness wrongly configured, must be: lowDistance > 0, highDistance > 0 and "
            "lowDistance <= highDistance "
        )
    return Fuzziness(None, low, high)
