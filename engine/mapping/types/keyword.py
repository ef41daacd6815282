"""Whole values as terms: keyword."""

from collections.abc import Callable
from typing import Any, ClassVar

from lanner.engine.common.body import java_text, scalar_text
from lanner.engine.common.errors import IllegalArgument, IllegalStateError, MapperParsingError
from lanner.engine.mapping.field_type import (
    MAX_TERM_BYTES,
    Bounds,
    BuildContext,
    FieldType,
    Handler,
    SpellingNeededError,
    Values,
    immense_term,
)
from lanner.engine.mapping.parameters import (
    BOOST,
    DOC_VALUES,
    INDEX,
    META,
    STORE,
    Parameter,
    boolean,
    choice,
    integer,
    text,
)
from lanner.engine.query.base import Query, boosted
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.multi_term import any_case_query
from lanner.engine.query.pattern import normalized_wildcard
from lanner.engine.query.range import TermRangeQuery
from lanner.engine.query.term import TermQuery
from lanner.engine.query.terms import TermsQuery
from lanner.ext.index.document_plan import STRING, Leaf
from lanner.ext.index.schema import DOCS, FREQS, NONE, TERM, Field

NO_LIMIT = 2**31 - 1


def utf16_length(value: str) -> int:
    """Return the length as Java counts it."""
    return len(value) if value.isascii() else len(value.encode("utf-16-le", "surrogatepass")) // 2


def text_of(value: Any, field: FieldType) -> str:
    """Return the text of a scalar that is no string; raises for objects."""
    if isinstance(value, dict):
        raise field.fault(
            value, IllegalStateError("Can't get text on a START_OBJECT at {line}:{column}"), end="value"
        )
    if type(value) is float:
        raise SpellingNeededError
    return scalar_text(value)


class TermFieldType(FieldType):
    """What fields share whose values are terms."""

    sort_kind = "term"

    def encode_query(self, value: Any) -> bytes:
        """Return the term of a query value."""
        return java_text(value).encode("utf-8", "surrogatepass")

    def term_query(self, value: Any) -> Query:
        """Return the documents with a term."""
        self.check_searchable()
        return boosted(TermQuery(self.name, self.encode_query(value)), self.boost)

    def terms_query(self, values: list[Any]) -> Query:
        """Return the documents with any of the terms."""
        self.check_searchable()
        if not values:
            return MatchNoneQuery()
        return TermsQuery(self.name, tuple(sorted({self.encode_query(value) for value in values})))

    def range_query(self, bounds: Bounds, now: Callable[[], int]) -> Query:
        """Return the documents with a term between two others."""
        self.check_searchable()
        lower, upper = bounds.lower, bounds.upper
        return TermRangeQuery(
            self.name,
            None if lower is None else self.encode_query(lower),
            None if upper is None else self.encode_query(upper),
            bounds.include_lower,
            bounds.include_upper,
        )


class KeywordFieldType(TermFieldType):
    """Strings as they are, or normalized."""

    type_name = "keyword"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        INDEX,
        DOC_VALUES,
        STORE,
        Parameter("null_value", None, text, nullable=True),
        Parameter("eager_global_ordinals", False, boolean, updateable=True),
        Parameter("ignore_above", NO_LIMIT, integer, updateable=True),
        Parameter("index_options", "docs", choice("index_options", ("docs", "freqs"))),
        Parameter("norms", False, boolean, updateable=lambda old, new: old and not new),
        Parameter("similarity", None, text, nullable=True, explicit=True),
        Parameter("normalizer", None, text, nullable=True),
        Parameter("split_queries_on_whitespace", False, boolean, updateable=True),
        BOOST,
        META,
    )

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        super().__init__(name, given, build)
        normalizer = self.get("normalizer")
        self.normalizer = None if normalizer is None else build.registry.normalizer(normalizer)

    @classmethod
    def read(cls, name: str, given: Any, build_registry: Any) -> dict[str, Any]:
        """Check that the normalizer exists."""
        values = super().read(name, given, build_registry)
        normalizer = values.get("normalizer")
        if normalizer is not None:
            try:
                build_registry.normalizer(normalizer)
            except IllegalArgument:
                raise MapperParsingError(f"normalizer [{normalizer}] not found for field [{name}]") from None
        return values

    def make_field(self, build: BuildContext) -> Field | None:
        """Return a column of terms; a field that is only looked up by doc values has postings too."""
        if not self.indexed and not self.has_doc_values:
            return None
        postings = FREQS if self.get("index_options") == "freqs" else DOCS
        return Field(
            self.name,
            build.number(self.name),
            TERM,
            postings=postings if self.searchable else NONE,
            norms=self.get("norms"),
            doc_values=self.has_doc_values,
        )

    def handler(self) -> Handler:
        """Take strings at once."""
        field, name, limit = self.field, self.name, self.get("ignore_above")
        names, own_name, report = self.metadata.field_names, self.name.encode(), self.reports_names()
        null_value, normalizer = self.get("null_value"), self.normalizer

        def slow(value: Any, out: Values) -> None:
            if value is None:
                if null_value is None:
                    return
                value = null_value
            if not isinstance(value, str):
                value = text_of(value, self)
            if utf16_length(value) > limit:
                return
            if normalizer is not None:
                value = normalizer.normalize(value)
            term = value.encode("utf-8", "replace")
            if field is None:
                return
            if len(term) > MAX_TERM_BYTES:
                raise immense_term(name, term)
            out.append((field, term))
            if report:
                out.append((names, own_name))

        if normalizer is not None or report or field is None:
            return slow
        half = min(limit // 2, MAX_TERM_BYTES // 4)

        def handle(value: Any, out: Values) -> None:
            if type(value) is str and len(value) <= half:
                out.append((field, value.encode("utf-8", "replace")))
            else:
                slow(value, out)

        return handle

    def leaf(self) -> Leaf:
        """Take strings that are neither cut nor changed."""
        if self.normalizer is not None:
            return super().leaf()
        return self.plain_leaf(STRING, high=min(self.get("ignore_above"), MAX_TERM_BYTES))

    def encode_query(self, value: Any) -> bytes:
        """Return the term of a query value, normalized like the documents'."""
        shown = java_text(value)
        if self.normalizer is not None:
            shown = self.normalizer.normalize(shown)
        return shown.encode("utf-8", "replace")

    def pattern_text(self, kind: str, value: Any) -> str:
        """Return the text, normalized like the documents'; of a wildcard the parts between its signs."""
        self.check_searchable()
        shown = java_text(value)
        if self.normalizer is None:
            return shown
        return (
            normalized_wildcard(shown, self.normalizer)
            if kind == "wildcard"
            else self.normalizer.normalize(shown)
        )

    def term_query_any_case(self, value: Any) -> Query:
        """Return the documents with a term in any case."""
        self.check_searchable()
        return boosted(any_case_query(self.name, self.pattern_text("term", value)), self.boost)

    def sort_value(self, encoded: bytes) -> Any:
        """Return the term as text."""
        return encoded.decode("utf-8", "replace")

    def sort_missing(self, value: Any) -> bytes:
        """Read a replacement for missing values."""
        return java_text(value).encode("utf-8", "replace")
