"""match: any or all words of a text."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    java_text,
    read_flag,
    read_integer,
    read_number,
    read_text,
    unknown_token,
)
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, one_field, read_common
from lanner.engine.dsl.fuzzy import Fuzzy, read_fuzziness
from lanner.engine.dsl.index_name import index_name_query
from lanner.engine.dsl.prefix import prefix_query
from lanner.engine.dsl.text_query import analyzer_for, lenient_query, match_text
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.number_encoding import to_float
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
    fuzzy: Fuzzy | None = None
    phrases: bool = True
    cutoff: float | None = None
    prefix: ClassVar[bool] = False

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
            return lenient_query(self.field, lambda: self._value(field), context, lenient=self.lenient)
        return match_text(
            field,
            analyzer,
            java_text(self.text),
            operator_and=self.operator_and,
            needed=self.minimum_should_match,
            zero_terms=self.zero_terms,
            context=context,
            fuzzy=self.fuzzy,
            prefix=self.prefix,
            phrases=self.phrases,
            cutoff=self.cutoff,
        )

    def _value(self, field: FieldType) -> Query:
        if self.prefix and field.type_name == "keyword":
            return prefix_query(field, field.pattern_text("prefix", self.text))
        return field.term_query(self.text) if self.fuzzy is None else self.fuzzy.query(field, self.text)


class MatchBoolPrefixDsl(MatchDsl):
    """A text for one field whose last word is only the beginning of one."""

    kind: ClassVar[str] = "match_bool_prefix"
    prefix: ClassVar[bool] = True


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


def _prefix_length(kind: str, body: dict[str, Any], key: str) -> int:
    length = read_integer(kind, body, key)
    if length < 0:
        raise IllegalArgument(f"[{kind}] requires prefix length to be non-negative.")
    return length


def read_expansions(kind: str, body: dict[str, Any], key: str) -> int:
    """Return how many terms are tried in the place of one."""
    most = read_integer(kind, body, key)
    if most <= 0:
        raise IllegalArgument(f"[{kind}] requires maxExpansions to be positive.")
    return most


def read_cutoff(kind: str, body: dict[str, Any], key: str) -> float:
    """Return from how many documents, or which share of them, a word is common."""
    read_text(kind, body, key)
    return to_float(read_number(kind, body, key))


_READERS: dict[str, tuple[str, Callable[[str, dict[str, Any], str], Any]]] = {
    "query": ("text", read_query_text),
    "operator": ("operator_and", read_operator),
    "minimum_should_match": ("minimum_should_match", read_text),
    "analyzer": ("analyzer", read_text),
    "lenient": ("lenient", read_flag),
    "zero_terms_query": ("zero_terms", read_zero_terms),
    "auto_generate_synonyms_phrase_query": ("phrases", read_flag),
    "cutoff_frequency": ("cutoff", read_cutoff),
}
#: what Fuzzy holds, by key
FUZZY: dict[str, tuple[str, Callable[[str, dict[str, Any], str], Any]]] = {
    "fuzziness": ("fuzziness", read_fuzziness),
    "prefix_length": ("prefix_length", _prefix_length),
    "max_expansions": ("max_expansions", read_expansions),
    "fuzzy_transpositions": ("transpositions", read_flag),
    "fuzzy_rewrite": ("rewrite", read_text),
}


def read_fuzzy(kind: str, body: dict[str, Any]) -> Fuzzy | None:
    """Return what is allowed in the spelling; None without fuzziness."""
    given = {FUZZY[key][0]: FUZZY[key][1](kind, body, key) for key in body if key in FUZZY}
    return Fuzzy(**given) if "fuzziness" in given else None


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
    values = _read_values("match", given, _READERS)
    if "text" not in values:
        raise LocatedError("No text specified for text query", Anchor(body, None, "close"))
    return MatchDsl(field, **values)


def _read_values(
    kind: str, given: dict[str, Any], readers: dict[str, tuple[str, Callable[..., Any]]]
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key in given:
        if key in readers:
            name, read = readers[key]
            values[name] = read(kind, given, key)
        elif key not in FUZZY:
            read_common(kind, given, key, values)
    values["fuzzy"] = read_fuzzy(kind, given)
    return values


def parse_match_bool_prefix(body: dict[str, Any], context: ParseContext) -> MatchDsl:
    """Read the body of a match_bool_prefix query."""
    kind = "match_bool_prefix"
    field, given = one_field(kind, body, empty="[match_bool_prefix] requires fieldName")
    if not isinstance(given, dict):
        if given is None:
            raise IllegalArgument("[match_bool_prefix] requires query value")
        if isinstance(given, list):
            raise unknown_token(kind, body, field)
        return MatchBoolPrefixDsl(field, given)
    unknown = ("lenient", "zero_terms_query", "auto_generate_synonyms_phrase_query", "cutoff_frequency")
    readers = {key: value for key, value in _READERS.items() if key not in unknown}
    values = _read_values(kind, given, readers)
    if "text" not in values:
        raise IllegalArgument("[match_bool_prefix] requires query value")
    return MatchBoolPrefixDsl(field, **values)
