"""true and false, as the terms T and F."""

from collections.abc import Callable
from typing import Any

from lanner.engine.common.body import java_text, parse_double
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.mapping.field_type import Bounds, BuildContext, Handler, Values, token_fault, token_of
from lanner.engine.mapping.parameters import BOOST, DOC_VALUES, INDEX, META, STORE, Parameter, boolean
from lanner.engine.mapping.types.keyword import TermFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.exists import ExistsQuery
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.ext.index.document_plan import BOOLEAN, Leaf
from lanner.ext.index.schema import DOCS, TERM, Field

_MISSING = 2**31 - 1


class BooleanFieldType(TermFieldType):
    """Terms rather than numbers: a query for one of them scores by how rare it is."""

    type_name = "boolean"
    parameters = (
        META,
        BOOST,
        DOC_VALUES,
        INDEX,
        Parameter("null_value", None, boolean, nullable=True),
        STORE,
    )

    def make_field(self, build: BuildContext) -> Field | None:
        """Return a column of two terms."""
        if not self.searchable:
            return None
        return Field(self.name, build.number(self.name), TERM, postings=DOCS, doc_values=self.has_doc_values)

    def handler(self) -> Handler:
        """Take true and false at once."""
        field, null_value = self.field, self.get("null_value")
        names, own_name, report = self.metadata.field_names, self.name.encode(), self.reports_names()

        def handle(value: Any, out: Values) -> None:
            if value is True or value == "true":
                term = b"T"
            elif value is False or value == "false" or value == "":
                if type(value) is int or type(value) is float:
                    raise self.fault(value, token_fault(token_of(value), value, "not of boolean type"))
                term = b"F"
            elif value is None:
                if null_value is None:
                    return
                term = b"T" if null_value else b"F"
            elif isinstance(value, str):
                raise self.fault(
                    value,
                    IllegalArgument(
                        f"Failed to parse value [{value}] as only [true] or [false] are allowed."
                    ),
                )
            else:
                raise self.fault(value, token_fault(token_of(value), value, "not of boolean type"))
            if field is not None:
                out.append((field, term))
                if report:
                    out.append((names, own_name))

        return handle

    def leaf(self) -> Leaf:
        """Take true and false."""
        return self.plain_leaf(BOOLEAN)

    def encode_query(self, value: Any) -> bytes:
        """Return the term of a query value."""
        if value is True or value == "true":
            return b"T"
        if value is False or value == "false":
            return b"F"
        raise IllegalArgument(f"Can't parse boolean value [{java_text(value)}], expected [true] or [false]")

    def terms_query(self, values: list[Any]) -> Query:
        """Return the documents with one of the values, scored like a query for one."""
        self.check_searchable()
        terms = {self.encode_query(value) for value in values}
        if len(terms) == 2:
            return ExistsQuery(self.name) if self.has_doc_values else super().terms_query(values)
        return self.term_query(terms.pop() == b"T") if terms else MatchNoneQuery()

    def range_query(self, bounds: Bounds, now: Callable[[], int]) -> Query:
        """Return the documents with one of the values in the range."""
        self.check_searchable()
        low = b"F" if bounds.lower is None else self.encode_query(bounds.lower)
        high = b"T" if bounds.upper is None else self.encode_query(bounds.upper)
        kept = [
            value
            for value, term in ((False, b"F"), (True, b"T"))
            if (low < term or (low == term and (bounds.include_lower or bounds.lower is None)))
            and (term < high or (term == high and (bounds.include_upper or bounds.upper is None)))
        ]
        return self.terms_query(kept)

    def sort_value(self, encoded: bytes) -> Any:
        """Return 1 or 0: booleans sort as numbers."""
        return 1 if encoded == b"T" else 0

    def sort_missing(self, value: Any) -> bytes:
        """Read a replacement: zero is false, other numbers are true."""
        return b"T" if parse_double(java_text(value)) > 0 else b"F"

    def missing_sort_value(self, *, last: bool, reverse: bool) -> Any:
        """Return the largest or smallest number, as the comparator used it."""
        return _MISSING if last != reverse else -_MISSING - 1

    def doc_values_format(self, pattern: str | None) -> Callable[[Any], Any]:
        """Show true and false."""
        super().doc_values_format(pattern)
        return lambda encoded: encoded == b"T"
