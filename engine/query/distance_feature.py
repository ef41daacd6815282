"""Documents with a moment or a place, scored by how near it is to another."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.common.body import java_text
from lanner.engine.common.geo import Point, decode_point
from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.constant_score import ConstantScoreQuery
from lanner.engine.query.function_score import FunctionScoreQuery, ScoringFunction
from lanner.ext.query.function_score import nearness
from lanner.ext.search.distance import metres

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts


@dataclass(frozen=True, slots=True)
class DistanceFeatureQuery(Query):
    """A moment and the distance at which half of the score is left, in the unit of the field's cells.

    having: the documents that have the field.
    """

    field: str
    origin: int
    pivot: int
    having: Query

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Score the documents that have the field."""
        near = ScoringFunction(nearness(self.field, origin=self.origin, pivot=float(self.pivot)))
        return FunctionScoreQuery(ConstantScoreQuery(self.having), (near,)).weight(context, boost)

    @property
    def kind(self) -> str:
        """The name of Lucene's class."""
        return "LongDistanceFeatureQuery"

    def text(self, fields: "FieldTexts") -> str:
        """Return moment and distance; Lucene shows no field here."""
        return f"LongDistanceFeatureQuery(field=,origin={self.origin},pivotDistance={self.pivot})"

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the score of the nearest moment of the document."""
        from lanner.engine.query.explanation import match, no_match

        score = document.score(self, boost)
        if score is None:
            return no_match(f"Document {document.doc} doesn't have a value for field {self.field}")
        nearest = min(document.numbers(self.field), key=lambda number: abs(number - self.origin))
        return match(
            score,
            "Distance score, computed as weight * pivotDistance / (pivotDistance + "
            "abs(value - origin)) from:",
            match(boost, "weight"),
            match(self.pivot, "pivotDistance"),
            match(self.origin, "origin"),
            match(nearest, "current value"),
        )


@dataclass(frozen=True, slots=True)
class PlaceFeatureQuery(Query):
    """A place and the metres at which half of the score is left.

    having: the documents that have the field.
    """

    field: str
    origin: Point
    pivot: float
    having: Query

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Score the documents that have the field."""
        near = ScoringFunction(nearness(self.field, origin=self.origin, pivot=self.pivot))
        return FunctionScoreQuery(ConstantScoreQuery(self.having), (near,)).weight(context, boost)

    @property
    def kind(self) -> str:
        """The name of Lucene's class."""
        return "LatLonPointDistanceFeatureQuery"

    def text(self, fields: "FieldTexts") -> str:
        """Return place and distance; Lucene shows no field here."""
        return (
            f"{self.kind}(field=,originLat={java_text(self.origin.lat)},"
            f"originLon={java_text(self.origin.lon)},pivotDistance={java_text(self.pivot)})"
        )

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the score of the nearest place of the document."""
        from lanner.engine.query.explanation import Double, match, no_match

        score = document.score(self, boost)
        if score is None:
            return no_match(f"Document {document.doc} doesn't have a value for field {self.field}")
        lat, lon = self.origin
        distance, nearest = min((metres(lat, lon, cell), cell) for cell in document.numbers(self.field))
        place = decode_point(nearest)
        return match(
            score,
            "Distance score, computed as weight * pivotDistance / (pivotDistance + abs(distance)) from:",
            match(boost, "weight"),
            match(Double(self.pivot), "pivotDistance"),
            match(Double(lat), "originLat"),
            match(Double(lon), "originLon"),
            match(Double(place.lat), "current lat"),
            match(Double(place.lon), "current lon"),
            match(Double(distance), "distance"),
        )
