"""regexp: documents with a term that a regular expression describes."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, parse_integer, read_integer, read_text
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext
from lanner.engine.dsl.pattern import ANY_CASE, VALUE, pattern_query, read_pattern
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.types.keyword import utf16_length
from lanner.engine.query.base import Query
from lanner.engine.query.multi_term import CONSTANT, MultiTermQuery, Rewrite, read_rewrite
from lanner.engine.query.pattern import WORK_LIMIT
from lanner.engine.query.regexp_syntax import ALL, read_flags, regexp_automaton
from lanner.engine.query.term_set import AutomatonTerms

MAX_LENGTH = 1000


@dataclass(frozen=True, slots=True)
class RegexpDsl(DslQuery):
    """A regular expression for the terms of one field."""

    field: str
    value: str
    rewrite: str | None = None
    any_case: bool = False
    flags: int = ALL
    max_determinized_states: int = WORK_LIMIT

    def build(self, context: DslContext) -> Query:
        """Ask the field for its terms."""
        check_length(self.value, context)

        def make(field: FieldType) -> Query:
            rewrite = read_rewrite(self.rewrite)
            text = field.pattern_text("regexp", self.value)
            return regexp_query(
                field.name,
                text,
                rewrite,
                flags=self.flags,
                any_case=self.any_case,
                limit=self.max_determinized_states,
            )

        return pattern_query(self.field, context, make, None)


def check_length(pattern: str, context: DslContext) -> None:
    """Refuse an expression longer than the index allows."""
    most = context.limit("index.max_regex_length", MAX_LENGTH)
    if utf16_length(pattern) > most:
        raise IllegalArgument(
            f"The length of regex [{utf16_length(pattern)}] used in the Regexp Query request "
            f"has exceeded the allowed maximum of [{most}]. This maximum can be set by changing the "
            "[index.max_regex_length] index level setting."
        )


def regexp_query(
    field: str,
    pattern: str,
    rewrite: Rewrite = CONSTANT,
    *,
    flags: int = ALL,
    any_case: bool = False,
    limit: int = WORK_LIMIT,
    in_text: bool = False,
) -> Query:
    """Return the documents with a term that an expression describes; raises IllegalArgument.

    in_text: the expression stands in the text of a query, which is taken even where such are not allowed.
    """
    automaton = regexp_automaton(pattern, flags=flags, any_case=any_case, limit=limit)
    return MultiTermQuery(
        field,
        AutomatonTerms(
            f"regexp{' in text' if in_text else ''} {flags} {any_case} {limit}", pattern, automaton
        ),
        rewrite,
    )


def _limit(kind: str, body: dict[str, Any], key: str) -> int:
    value = body[key]
    number = parse_integer(value) if isinstance(value, str) else read_integer(kind, body, key)
    if number < 0:
        raise LocatedError(f"[regexp] [{key}] must not be negative", Anchor(body, key))
    return number


def _flags(kind: str, body: dict[str, Any], key: str) -> int:
    return ALL if body[key] is None else read_flags(read_text(kind, body, key))


def _flags_value(kind: str, body: dict[str, Any], key: str) -> int:
    return read_integer(kind, body, key)


def parse_regexp(body: dict[str, Any], context: ParseContext) -> RegexpDsl:
    """Read the body of a regexp query."""
    readers = {
        **VALUE,
        **ANY_CASE,
        "flags": ("flags", _flags),
        "flags_value": ("flags", _flags_value),
        "max_determinized_states": ("max_determinized_states", _limit),
    }
    field, values = read_pattern("regexp", body, readers)
    return RegexpDsl(field, **values)
