"""How many optional clauses must match: ``2``, ``-1``, ``75%``, ``-25%``, ``3<90%``, ``2<-25% 9<-3``."""

import re
import struct

from lanner.engine.common.body import parse_integer
from lanner.engine.common.errors import IllegalArgument

_AROUND = re.compile(r"\s*<\s*")
_FLOAT = struct.Struct("<f")


def rounded(value: float) -> float:
    """Return the nearest number of single precision."""
    nearest: float = _FLOAT.unpack(_FLOAT.pack(value))[0]
    return nearest


_HUNDREDTH = rounded(0.01)


def clauses_needed(n_optional: int, spec: str) -> int:
    """Return the number of optional clauses that must match; raises NumberFormatError."""
    needed = n_optional
    spec = spec.strip()
    if "<" in spec:
        for condition in _AROUND.sub("<", spec).split():
            bound, _, rest = condition.partition("<")
            if n_optional <= parse_integer(bound):
                return needed
            if "<" in rest or not rest:
                raise IllegalArgument(f"Malformed minimum_should_match [{spec}]")
            needed = clauses_needed(n_optional, rest)
        return needed
    if "%" in spec:
        # the arithmetic of 32-bit floats, as the API does it
        percent = rounded(rounded(n_optional * parse_integer(spec[:-1])) * _HUNDREDTH)
        needed = n_optional + int(percent) if percent < 0 else int(percent)
    else:
        number = parse_integer(spec)
        needed = n_optional + number if number < 0 else number
    return max(needed, 0)
