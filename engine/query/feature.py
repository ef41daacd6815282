"""Documents with a feature, scored by a function of its value."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.features import FeatureWeight, mean_value

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts

_MIDDLE = "k, pivot feature value that would give a score contribution equal to w/2"
_EXPONENT = "a, exponent, higher values make the function grow slower before k and faster after k"
#: by function, its name, its formula and what its numbers are
_WORDS = {
    "linear": ("Linear", "w * S", ()),
    "log": ("Log", "w * log(a + S)", ("a, scaling factor",)),
    "saturation": ("Saturation", "w * S / (S + k)", (_MIDDLE,)),
    "sigmoid": ("Sigmoid", "w * S^a / (S^a + k^a)", (_MIDDLE, _EXPONENT)),
}


@dataclass(frozen=True, slots=True)
class FeatureQuery(Query):
    """A feature of a column. function, first, second: see `ext/query/features.pyx`.

    first None: a pivot in the middle of the values that there are.
    """

    field: str
    feature: bytes
    function: str = "saturation"
    first: float | None = None
    second: float = 1.0

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the postings of the values."""
        first = self.first
        if first is None:
            first = mean_value(context.reader, self.field, self.feature)
        return FeatureWeight(
            context.reader,
            self.field,
            self.feature,
            self.function,
            boost=boost,
            first=first,
            second=self.second,
        )

    def _named(self) -> tuple[str, str]:
        """Return field and feature as the reference names them: single features share a field."""
        name = self.feature.removesuffix(b"\0").decode()
        return (self.field, name) if self.feature else ("_feature", self.field)

    def _numbers(self) -> list[float | None]:
        return [self.first, self.second][: len(_WORDS[self.function][2])]

    def text(self, fields: "FieldTexts") -> str:
        """Return field, feature and function as Lucene writes them."""
        from lanner.engine.query.explanation import shown

        field, feature = self._named()
        name = f"{_WORDS[self.function][0]}Function"
        keys = ("scalingFactor",) if self.function == "log" else ("pivot", "a")
        numbers = ["null" if one is None else shown(one) for one in self._numbers()]
        given = ", ".join(f"{key}={one}" for key, one in zip(keys, numbers, strict=False))
        return (
            f"FeatureQuery(field={field}, feature={feature}, function={name}{f'({given})' if given else ''})"
        )

    def rewritten(self, context: WeightContext) -> Query:
        """Return the same with the pivot that the values give."""
        if self.first is not None:
            return self
        return replace(self, first=mean_value(context.reader, self.field, self.feature))

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the value of the feature and what the function makes of it."""
        from lanner.engine.query.explanation import match, no_match

        field, feature = self._named()
        score = document.score(self, boost)
        value = document.score(replace(self, function="linear"))
        if score is None or value is None:
            text = document.text(self)
            function = text[text.index("function=") + len("function=") : -1]
            return no_match(f"weight({text} in {document.doc}) [{function}]. Feature {feature} isn't set.")
        name, formula, words = _WORDS[self.function]
        numbers = [match(one or 0.0, word) for one, word in zip(self._numbers(), words, strict=True)]
        return match(
            score,
            f"{name} function on the {field} field for the {feature} feature, computed as {formula} from:",
            match(boost, "w, weight of this function"),
            *numbers,
            match(value, "S, feature value"),
        )
