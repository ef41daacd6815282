"""Documents with a term that starts with given bytes, all scored alike."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.constant import ConstantWeight
from lanner.ext.query.multi_term import PrefixWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import FieldTexts


@dataclass(frozen=True, slots=True)
class PrefixQuery(Query):
    """Terms that start with the prefix."""

    field: str
    prefix: bytes

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the postings of the terms with the prefix."""
        return ConstantWeight(PrefixWeight(context.reader, self.field, self.prefix), boost)

    @property
    def kind(self) -> str:
        """The name of Lucene's class, of which it makes one that searches."""
        return "MultiTermQueryConstantScoreBlendedWrapper"

    def text(self, fields: "FieldTexts") -> str:
        """Return ``field:prefix*``."""
        from lanner.engine.query.explanation import term_text

        return f"{self.field}:{term_text(self.prefix)}*"
