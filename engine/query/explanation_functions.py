"""What the functions of function_score say of one document.

Source: the explainScore methods of OpenSearch 2.x.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.common.body import java_text
from lanner.engine.common.geo import Point

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation

#: the text of a function's value for a document, and those of what it is made of, all with the value itself
Words = Callable[["Document", float], "Explanation"]


@dataclass(frozen=True, slots=True)
class FieldValueWords:
    """A number of the document, changed by a modifier."""

    field: str
    factor: float
    modifier: str
    missing: float | None

    def __call__(self, document: "Document", value: float) -> "Explanation":
        """Return the formula."""
        from lanner.engine.query.explanation import match, shown

        default = "" if self.missing is None else f"?:{java_text(self.missing)}"
        return match(
            value,
            f"field value function: {self.modifier}(doc['{self.field}'].value{default} * "
            f"factor={shown(self.factor)})",
        )


@dataclass(frozen=True, slots=True)
class DecayWords:
    """How far a number or a place of the document is from an origin. scale: as the curve wants it.

    decode: an encoded number of the field as a double, or a cell as a point.
    """

    curve: str
    field: str
    mode: str
    origin: float | Point
    scale: float
    offset: float
    decode: Callable[[int], float | Point]

    def __call__(self, document: "Document", value: float) -> "Explanation":
        """Return the curve at the distance of every number of the document."""
        from lanner.engine.query.explanation import match

        offset, scale = (java_text(float(one)) for one in (self.offset, self.scale))
        distances = ", ".join(
            f"Math.max({self._distance(number)} - {offset}(=offset), 0)"
            for number in document.numbers(self.field)
        )
        # the reference names the mode before the brackets, but "MIN" for a document without a number too
        joint = " of: " if isinstance(self.origin, Point) else ""
        distance = f"{self.mode.upper()}{joint}[{distances or '0.0'}]"
        if self.curve == "gauss":
            formula = f"exp(-0.5*pow({distance},2.0)/{java_text(abs(float(self.scale)))})"
        elif self.curve == "exp":
            formula = f"exp(- {distance} * {java_text(abs(float(self.scale)))})"
        else:
            formula = f"max(0.0, (({scale} - {distance})/{scale})"
        return match(value, f"Function for field {self.field}:", match(value, formula))

    def _distance(self, encoded: int) -> str:
        """Return how the distance of a number or a place is written."""
        value, origin = self.decode(encoded), self.origin
        if isinstance(value, Point) and isinstance(origin, Point):
            here, there = (f"{java_text(one.lat)}, {java_text(one.lon)}" for one in (value, origin))
            return f"arcDistance({here}(=doc value),{there}(=origin))"
        # with a bracket too many, as the reference
        return f"Math.abs({java_text(value)}(=doc value) - {java_text(origin)}(=origin)))"


@dataclass(frozen=True, slots=True)
class RandomWords:
    """A number by chance. seed: as it was given."""

    seed: int | None
    field: str | None

    def __call__(self, document: "Document", value: float) -> "Explanation":
        """Return the seed and the field."""
        from lanner.engine.query.explanation import match

        field = "" if self.field is None else f", field: {self.field}"
        return match(value, f"random score function (seed: {self.seed}{field})")


def no_function(document: "Document", value: float) -> "Explanation":
    """Return one: only a weight was given."""
    from lanner.engine.query.explanation import match

    return match(1.0, "constant score 1.0 - no function provided")


def weighted(explanation: "Explanation", weight: float) -> "Explanation":
    """Return the value of a function times a weight."""
    from lanner.engine.query.explanation import match, single

    return match(
        single(explanation.value * weight), "product of:", explanation, match(single(weight), "weight")
    )
