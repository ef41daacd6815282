"""Documents with a feature, scored by a function of its value."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.features import FeatureWeight, mean_value

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts


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

    @property
    def place(self) -> tuple[str, str]:
        """The column and the name that Lucene knows the feature by."""
        if not self.feature:
            return "_feature", self.field
        return self.field, self.feature[:-1].decode("utf-8", "replace")

    def text(self, fields: "FieldTexts") -> str:
        """Return the function as Lucene writes it."""
        from lanner.engine.query.explanation import shown

        first = "null" if self.first is None else shown(self.first)
        function = {
            "linear": "LinearFunction",
            "log": f"LogFunction(scalingFactor={first})",
            "saturation": f"SaturationFunction(pivot={first})",
            "sigmoid": f"SigmoidFunction(pivot={first}, a={shown(self.second)})",
        }[self.function]
        field, feature = self.place
        return f"FeatureQuery(field={field}, feature={feature}, function={function})"

    def rewritten(self, context: WeightContext) -> Query:
        """Return the query with its pivot."""
        if self.first is not None:
            return self
        return replace(self, first=mean_value(context.reader, self.field, self.feature))

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the function of the document's value."""
        from lanner.engine.query.explanation import match, no_match

        field, feature = self.place
        value = document.score(replace(self, function="linear"))
        score = document.score(self, boost)
        if value is None or score is None:
            text = document.text(self)
            function = text.partition("function=")[2][:-1]
            return no_match(
                f"weight({text} in {document.doc}) [{function}]. Feature {feature} doesn't exist in this "
                "document."
            )
        first = 1.0 if self.first is None else self.first
        pivot = match(first, "k, pivot feature value that would give a score contribution equal to w/2")
        slope = "a, exponent, higher values make the function grow slower before k and faster after k"
        computed, details = {
            "linear": ("w * S", []),
            "log": ("w * log(a + S)", [match(first, "a, scaling factor")]),
            "saturation": ("w * S / (S + k)", [pivot]),
            "sigmoid": ("w * S^a / (S^a + k^a)", [pivot, match(self.second, slope)]),
        }[self.function]
        return match(
            score,
            f"{self.function.capitalize()} function on the {field} field for the {feature} feature, computed "
            f"as {computed} from:",
            match(boost, "w, weight of this function"),
            *details,
            match(value, "S, feature value"),
        )
