"""Strings that are looked for by patterns, such as lines of logs."""

from collections.abc import Mapping
from typing import Any

from lanner.engine.mapping.parameters import META, Parameter, boolean, integer, text
from lanner.engine.mapping.types.keyword import NO_LIMIT, KeywordFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.constant_score import ConstantScoreQuery


class WildcardFieldType(KeywordFieldType):
    """Whole strings as terms, like a keyword's: patterns walk the dictionary, no parts are indexed.

    Terms score alike; there is nothing that is not indexed; doc values have to be asked for.
    """

    type_name = "wildcard"
    parameters = (
        Parameter("normalizer", None, text, nullable=True),
        Parameter("null_value", None, text, nullable=True),
        Parameter("ignore_above", NO_LIMIT, integer, updateable=True),
        Parameter("doc_values", False, boolean),
        Parameter("index", True, boolean, ignored=True),
        META,
    )

    @classmethod
    def render(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Show always whether there are doc values."""
        shown = super().render(given)
        order = ("normalizer", "null_value", "ignore_above", "doc_values", "meta")
        shown.setdefault("doc_values", False)
        return {name: shown[name] for name in order if name in shown}

    def get(self, name: str) -> Any:
        """Return a parameter; there are always postings."""
        return True if name == "index" else super().get(name)

    def term_query(self, value: Any) -> Query:
        """Return the documents with a term, all scored alike."""
        return ConstantScoreQuery(super().term_query(value))
