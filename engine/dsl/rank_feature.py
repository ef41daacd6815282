"""rank_feature: documents with a feature, scored by a function of its value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import java_text, parse_double
from lanner.engine.common.errors import IllegalArgument, XContentParseError
from lanner.engine.common.object_parser import TEXT, Field, parse_object
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext
from lanner.engine.mapping.number_encoding import to_float
from lanner.engine.mapping.types.rank_feature import (
    FeatureFieldType,
    RankFeatureFieldType,
    RankFeaturesFieldType,
    feature_term,
)
from lanner.engine.query.base import Query
from lanner.engine.query.feature import FeatureQuery
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.ext.json.number import float32_text


def _number(value: Any, key: str) -> float:
    return to_float(parse_double(value) if isinstance(value, str) else value)


_NUMBER = Field((int, float, str), _number)
_REQUIRED = Field((int, float, str), _number, required=True)


def _function(name: str, keys: Mapping[str, Field]) -> Field:
    return Field((dict,), lambda value, key: parse_object(name, value, keys))


_FUNCTIONS = {
    "log": _function("log", {"scaling_factor": _REQUIRED}),
    "saturation": _function("saturation", {"pivot": _NUMBER}),
    "sigmoid": _function("sigmoid", {"pivot": _REQUIRED, "exponent": _REQUIRED}),
    "linear": _function("linear", {}),
}
_FIELDS = {
    "field": Field((str,), required=True),
    "boost": _NUMBER,
    "_name": TEXT,
    **_FUNCTIONS,
}


@dataclass(frozen=True, slots=True)
class RankFeatureDsl(DslQuery):
    """A field, or a feature of one that holds many, and a function with its numbers."""

    field: str
    function: str
    numbers: Mapping[str, float]

    def build(self, context: DslContext) -> Query:
        """Score the documents that have the feature."""
        field = context.mapping.field_type(self.field)
        feature = b""
        if field is None:
            parent, _, name = self.field.rpartition(".")
            field = context.mapping.field_type(parent) if parent else None
            if not isinstance(field, RankFeaturesFieldType):
                return MatchNoneQuery("unmapped field")
            feature = feature_term(name)
        elif not isinstance(field, RankFeatureFieldType):
            raise IllegalArgument(
                "[rank_feature] query only works on [rank_feature] fields and features of [rank_features] "
                f"fields, not [{field.type_name}]"
            )
        context.count(1)
        first, second = self._checked(field)
        return FeatureQuery(field.name, feature, self.function, first, second)

    def _checked(self, field: FeatureFieldType) -> tuple[float | None, float]:
        """Return the two numbers of the function; raises IllegalArgument."""
        numbers = self.numbers
        if self.function == "log":
            factor = numbers["scaling_factor"]
            if isinstance(field, RankFeatureFieldType) and not field.positive:
                raise IllegalArgument(
                    "Cannot use the [log] function with a field that has a negative score impact as it would "
                    "trigger negative scores"
                )
            if factor < 1:
                raise IllegalArgument(f"scalingFactor must be >= 1, got: {_shown(factor)}")
            return factor, 1.0
        if self.function == "linear":
            return 1.0, 1.0
        pivot = numbers.get("pivot")
        if pivot is None:
            return None, 1.0
        if not pivot > 0:
            raise IllegalArgument(f"pivot must be > 0, got: {_shown(pivot)}")
        exponent = numbers.get("exponent", 1.0)
        if not exponent > 0:
            raise IllegalArgument(f"exp must be > 0, got: {_shown(exponent)}")
        return pivot, exponent


def _shown(number: float) -> str:
    return float32_text(number).decode().strip('"')


def parse_rank_feature(body: dict[str, Any], context: ParseContext) -> RankFeatureDsl:
    """Read the body of a rank_feature query."""
    given = parse_object("feature", body, _FIELDS)
    functions = [name for name in given if name in _FUNCTIONS]
    cause = None
    if len(functions) > 1:
        cause = IllegalArgument("Can only specify one of [log], [saturation], [sigmoid] and [linear]")
    boost = given.get("boost", 1.0)
    if boost < 0:
        shown = java_text(body["boost"])
        cause = IllegalArgument(
            f"negative [boost] are not allowed in [rank_feature] but got [{shown}], use a value "
            "between 0 and 1 to deboost"
        )
    if cause is not None:
        raise XContentParseError(
            "Failed to build [feature] after last required field arrived", caused_by=cause
        )
    function = functions[0] if functions else "saturation"
    return RankFeatureDsl(
        given["field"], function, given.get(function, {}), boost=boost, name=given.get("_name")
    )
