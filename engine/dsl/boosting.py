"""boosting: the matches of one query, those that another matches too with a smaller score."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, read_number, unsupported_key
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, read_common
from lanner.engine.query.base import Query
from lanner.engine.query.boosting import BoostingQuery


@dataclass(frozen=True, slots=True)
class BoostingDsl(DslQuery):
    """Two queries, and what the scores are multiplied by where both match."""

    positive: DslQuery
    negative: DslQuery
    negative_boost: float

    def children(self) -> tuple[DslQuery, ...]:
        """Return both."""
        return (self.positive, self.negative)

    def build(self, context: DslContext) -> Query:
        """Resolve both."""
        positive = self.positive.resolve(context)
        return BoostingQuery(positive, self.negative.resolve(context), self.negative_boost)


def parse_boosting(body: dict[str, Any], context: ParseContext) -> BoostingDsl:
    """Read the body of a boosting query."""
    values: dict[str, Any] = {}
    for key, value in body.items():
        if key in ("positive", "negative") and isinstance(value, dict):
            values[key] = context.clause(body, key)
        elif isinstance(value, dict | list) or key in ("positive", "negative"):
            raise unsupported_key("boosting", body, key)
        elif key == "negative_boost":
            values[key] = read_number("boosting", body, key)
        else:
            read_common("boosting", body, key, values)
    for name in ("positive", "negative"):
        if name not in values:
            raise LocatedError(
                f"[boosting] query requires '{name}' query to be set'", Anchor(body, None, "close")
            )
    if values.get("negative_boost", -1.0) < 0:
        raise LocatedError(
            "[boosting] query requires 'negative_boost' to be set to be a positive value'",
            Anchor(body, None, "close"),
        )
    return BoostingDsl(**values)
