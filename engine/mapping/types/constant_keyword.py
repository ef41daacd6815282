"""One value that all documents of an index have."""

from collections.abc import Callable, Mapping
from typing import Any

from lanner.engine.common.body import java_text
from lanner.engine.common.errors import IllegalArgument, ParseError
from lanner.engine.mapping.field_type import Bounds, BuildContext, FieldType, Handler, Values
from lanner.engine.mapping.parameters import Parameter, text
from lanner.engine.mapping.types.keyword import text_of
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import MatchAllQuery, MatchNoneQuery
from lanner.engine.query.multi_term import MultiTermQuery
from lanner.engine.query.prefix import PrefixQuery
from lanner.engine.query.term_set import AutomatonTerms
from lanner.ext.index.schema import Field


class ConstantKeywordFieldType(FieldType):
    """The same string for every document: nothing is stored, and a query matches all of them or none."""

    type_name = "constant_keyword"
    parameters = (Parameter("value", None, text),)

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        super().__init__(name, given, build)
        self.value: str = self.get("value")

    @classmethod
    def read(cls, name: str, given: Mapping[str, Any], build_registry: Any) -> dict[str, Any]:
        """Refuse a definition without a string."""
        value = given.get("value")
        if value is None:
            raise ParseError(f"Field [{name}] is missing required parameter [value]")
        if not isinstance(value, str):
            raise ParseError(f"Field [{name}] is expected to be a string value")
        return super().read(name, given, build_registry)

    def make_field(self, build: BuildContext) -> Field | None:
        """Make no column."""
        return None

    def handler(self) -> Handler:
        """Refuse any other value."""
        constant = self.value
        complaint = f"constant keyword field [{self.name}] must have a value of [{constant}]"

        def handle(value: Any, out: Values) -> None:
            if value is None:
                return
            if (value if isinstance(value, str) else text_of(value, self)) != constant:
                raise self.fault(value, IllegalArgument(complaint))

        return handle

    @property
    def searchable(self) -> bool:
        """Return that the value can always be searched."""
        return True

    def exists_query(self) -> Query:
        """Return all documents."""
        return MatchAllQuery()

    def all_or_none(self, matches: bool) -> Query:
        """Return the query for a condition that the value fulfils or not."""
        if matches:
            return MatchAllQuery()
        return MatchNoneQuery(f"the value of [{self.name}] is another")

    def term_query(self, value: Any) -> Query:
        """Return all documents if that is the value."""
        return self.all_or_none(java_text(value) == self.value)

    def terms_query(self, values: list[Any]) -> Query:
        """Return all documents if the value is among those."""
        return self.all_or_none(self.value in map(java_text, values))

    def range_query(self, bounds: Bounds, now: Callable[[], int]) -> Query:
        """Return all documents if the value lies between two strings."""
        own = self.value.encode()
        fits = True
        if bounds.lower is not None:
            lower = java_text(bounds.lower).encode()
            fits = lower < own or (lower == own and bounds.include_lower)
        if bounds.upper is not None:
            upper = java_text(bounds.upper).encode()
            fits &= own < upper or (own == upper and bounds.include_upper)
        return self.all_or_none(fits)

    def pattern_text(self, kind: str, value: Any) -> str:
        """Return the text as it stands; there is no spelling to guess."""
        return super().pattern_text(kind, value) if kind == "fuzzy" else java_text(value)

    def of_terms(self, query: Query) -> Query:
        """Return all documents if the value is among the terms that a query looks for."""
        if isinstance(query, PrefixQuery):
            return self.all_or_none(self.value.encode().startswith(query.prefix))
        if isinstance(query, MultiTermQuery) and isinstance(query.terms, AutomatonTerms):
            return self.all_or_none(query.terms.automaton.accepts(self.value))
        return query

    def doc_values_format(self, pattern: str | None) -> Callable[[Any], Any]:
        """Refuse: there is no column."""
        raise IllegalArgument(
            f"Can't load fielddata on [{self.name}] because fielddata is unsupported on fields of type "
            f"[{self.type_name}]. Use doc values instead."
        )
