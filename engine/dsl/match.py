"""match: any or all words of a text."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    java_text,
    read_boolean,
    read_integer,
    read_text,
    unknown_token,
)
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, one_field, read_common
from lanner.engine.dsl.text_query import analyzer_for, lenient_query, match_text
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import MatchNoneQuery


@dataclass(frozen=True, slots=True)
class MatchDsl(DslQuery):
    """A text for one field."""

    kind: ClassVar[str] = "match"

    field: str
    text: Any
    operator_and: bool = False
    minimum_should_match: str | None = None
    analyzer: str | None = None
    lenient: bool = False
    zero_terms: str = "none"

    def build(self, context: DslContext) -> Query:
        """Analyse the text as the field does; other fields take it as one value."""
        field = context.mapping.field_type(self.field)
        if field is None:
            if self.analyzer is not None:
                analyzer_for(None, self.analyzer, self.kind, context, quoted=False)
            return index_name_query(self.field, self.text, context) or MatchNoneQuery(
                f"unmapped fields [{self.field}]"
            )
        if self.field == "_index":
            return index_name_query(self.field, self.text, context) or MatchNoneQuery()
        analyzer = analyzer_for(field, self.analyzer, self.kind, context, quoted=False)
        if analyzer is None:
            context.count(1)
            return lenient_query(self.field, lambda: field.term_query(self.text), lenient=self.lenient)
        return match_text(
            field,
            analyzer,
            java_text(self.text),
            operator_and=self.operator_and,
            needed=self.minimum_should_match,
            zero_terms=self.zero_terms,
            context=context,
        )


def index_name_query(field: str, value: Any, context: DslContext) -> Query | None:
    """Return all or nothing for a query on the name of the index; None for other fields."""
    from lanner.engine.common.wildcards import matches
    from lanner.engine.query.match_all import MatchAllQuery

    if field != "_index":
        return None
    return MatchAllQuery() if matches(java_text(value), context.index) else MatchNoneQuery("another index")


def read_operator(kind: str, body: dict[str, Any], key: str) -> bool:
    """Return whether all words are asked for."""
    operator = read_text(kind, body, key).upper()
    if operator not in ("AND", "OR"):
        raise IllegalArgument(f"No enum constant org.opensearch.index.query.Operator.{operator}")
    return operator == "AND"


def read_zero_terms(kind: str, body: dict[str, Any], key: str) -> str:
    """Return what a text without words finds."""
    value = read_text(kind, body, key).lower()
    if value not in ("none", "all"):
        raise LocatedError(f"Unsupported zero_terms_query value [{body[key]}]", Anchor(body, key))
    return value


def read_query_text(kind: str, body: dict[str, Any], key: str) -> Any:
    """Return the text of a query: any scalar."""
    value = body[key]
    if value is None or isinstance(value, dict | list):
        raise unknown_token(kind, body, key)
    return value


def refuse_fuzziness(kind: str, body: dict[str, Any], key: str) -> None:
    """Refuse misspellings, which this version does not look for."""
    raise LocatedError(f"[{kind}] [{key}] is not supported by this version", Anchor(body, key))


def _check_prefix_length(kind: str, body: dict[str, Any], key: str) -> None:
    if read_integer(kind, body, key) < 0:
        raise IllegalArgument(f"[{kind}] requires prefix length to be non-negative.")


def _check_expansions(kind: str, body: dict[str, Any], key: str) -> None:
    if read_integer(kind, body, key) <= 0:
        raise IllegalArgument(f"[{kind}] requires maxExpansions to be positive.")


def _check_flag(kind: str, body: dict[str, Any], key: str) -> None:
    read_boolean(body[key])


def _check_text(kind: str, body: dict[str, Any], key: str) -> None:
    read_text(kind, body, key)


_READERS: dict[str, tuple[str, Callable[[str, dict[str, Any], str], Any]]] = {
    "query": ("text", read_query_text),
    "operator": ("operator_and", read_operator),
    "minimum_should_match": ("minimum_should_match", read_text),
    "analyzer": ("analyzer", read_text),
    "lenient": ("lenient", lambda kind, body, key: read_boolean(body[key])),
    "zero_terms_query": ("zero_terms", read_zero_terms),
}
#: read and checked; without fuzziness they change nothing
CHECKED: dict[str, Callable[[str, dict[str, Any], str], None]] = {
    "fuzziness": refuse_fuzziness,
    "prefix_length": _check_prefix_length,
    "max_expansions": _check_expansions,
    "fuzzy_transpositions": _check_flag,
    "fuzzy_rewrite": _check_text,
    "auto_generate_synonyms_phrase_query": _check_flag,
    "cutoff_frequency": _check_text,
}


def parse_match(body: dict[str, Any], context: ParseContext) -> MatchDsl:
    """Read the body of a match query."""
    if not body:
        raise LocatedError("No text specified for text query", Anchor(body, None, "close"))
    field, given = one_field("match", body)
    if not isinstance(given, dict):
        if given is None:
            raise LocatedError("No text specified for text query", Anchor(body, None, "close"))
        if isinstance(given, list):
            raise unknown_token("match", body, field)
        return MatchDsl(field, given)
    values: dict[str, Any] = {}
    for key in given:
        reader = _READERS.get(key)
        if reader is not None:
            values[reader[0]] = reader[1]("match", given, key)
        elif key in CHECKED:
            CHECKED[key]("match", given, key)
        else:
            read_common("match", given, key, values)
    if "text" not in values:
        raise LocatedError("No text specified for text query", Anchor(body, None, "close"))
    return MatchDsl(field, **values)
