"""``q=`` in the URL: the plain part of Lucene's query syntax.

Words and ``field:word``, quotes, ``AND OR NOT && || !``, ``+ -``, parentheses, ``*:*``, ranges, ``word*``,
``_exists_:field``, ``^boost``. Wildcards inside words, fuzzy words, regular expressions and phrases with
slop over several fields are refused.
"""

import re
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import parse_double
from lanner.engine.common.errors import IllegalArgument, ParseError, QueryShardError
from lanner.engine.dsl.base import DslContext, DslQuery
from lanner.engine.dsl.boolean import BoolDsl
from lanner.engine.dsl.exists import ExistsDsl
from lanner.engine.dsl.match import MatchDsl
from lanner.engine.dsl.match_all import MatchAllDsl, MatchNoneDsl
from lanner.engine.dsl.match_phrase import MatchPhraseDsl
from lanner.engine.dsl.multi_match import MultiMatchDsl, default_fields, expand_fields
from lanner.engine.dsl.prefix import PrefixDsl, prefix_query
from lanner.engine.dsl.range import RangeDsl
from lanner.engine.dsl.text_query import lenient_query
from lanner.engine.mapping.field_type import Bounds
from lanner.engine.query.base import Query
from lanner.engine.query.dis_max import DisMaxQuery
from lanner.engine.query.match_all import MatchNoneQuery

MAX_DEPTH = 30
_TOKEN = re.compile(
    r"""\s*(?:
        (?P<quoted>"(?:[^"\\]|\\.)*")
      | (?P<range>[\[{][^\]}]*\sTO\s[^\]}]*[\]}])
      | (?P<sign>\&\&|\|\||[()+\-!^:~/])
      | (?P<compare>[<>]=?)
      | (?P<word>(?:\\.|[^\s"()\[\]{}:^~\\/!+\-<>])(?:\\.|[^\s"()\[\]{}:^~\\/!])*)
    )""",
    re.VERBOSE,
)
_RANGE = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\S+)\s+TO\s+("(?:[^"\\]|\\.)*"|\S+)\s*')


@dataclass(frozen=True, slots=True)
class _Settings:
    default_field: str | None
    analyzer: str | None
    operator_and: bool
    lenient: bool | None


@dataclass(frozen=True, slots=True)
class FaultyDsl(DslQuery):
    """A text that is no query; each shard says so."""

    text: str
    reason: str

    def build(self, context: DslContext) -> Query:
        """Fail."""
        raise QueryShardError(
            f"Failed to parse query [{self.text}]",
            caused_by=ParseError(f"Cannot parse '{self.text}': {self.reason}"),
        )


@dataclass(frozen=True, slots=True)
class AnyFieldPrefixDsl(DslQuery):
    """The start of a word in any of the default fields."""

    value: str

    def build(self, context: DslContext) -> Query:
        """Ask every field that has words."""
        fields = expand_fields(tuple((name, 1.0) for name in default_fields(context)), context)
        queries = [
            lenient_query(field.name, lambda field=field: _prefix(field, self.value), lenient=True)  # type: ignore[misc]
            for field, _ in fields
        ]
        context.count(len(queries))
        return DisMaxQuery(tuple(queries)) if queries else MatchNoneQuery("no fields")


@dataclass(frozen=True, slots=True)
class FieldPrefixDsl(PrefixDsl):
    """The start of a word of one field, in the field's own spelling."""

    def build(self, context: DslContext) -> Query:
        """Ask the field."""
        field = context.mapping.field_type(self.field)
        if field is None:
            return MatchNoneQuery("unmapped field")
        context.count(1)
        return _prefix(field, self.value)


def _prefix(field: Any, value: str) -> Query:
    text = field.pattern_text("prefix", value)
    return prefix_query(field.name, text.lower() if field.query_analyzer() is not None else text)


class _FaultError(Exception):
    """The text breaks off or holds something that cannot stand there."""


def parse_uri_query(
    text: str,
    *,
    default_field: str | None = None,
    analyzer: str | None = None,
    default_operator: str | None = None,
    lenient: bool | None = None,
) -> DslQuery:
    """Return the query of a ``q`` parameter; raises IllegalArgument for what this version does not have."""
    operator = (default_operator or "or").upper()
    if operator not in ("AND", "OR"):
        raise IllegalArgument(f"No enum constant org.opensearch.index.query.Operator.{operator}")
    if default_field == "*":
        default_field = None
    settings = _Settings(default_field, analyzer, operator == "AND", lenient)
    if not text.strip():
        return MatchNoneDsl()
    try:
        parser = _Parser(_tokens(text), settings)
        query = parser.clauses(default_field, 0)
        if parser.kind is not None:
            raise _FaultError(f'Encountered " "{parser.value}" "')
        return query
    except _FaultError as fault:
        return FaultyDsl(text, str(fault))


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens = []
    at = 0
    end = len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise _FaultError(f'Lexical error at line 1, column {at + 1}.  Encountered: "{text[at]}"')
        kind = match.lastgroup or ""
        tokens.append((kind, match.group(kind)))
        at = match.end()
    return tokens


def _plain(word: str) -> str:
    return re.sub(r"\\(.)", r"\1", word)


class _Parser:
    """Recursive descent over the tokens; the depth is limited."""

    def __init__(self, tokens: list[tuple[str, str]], settings: _Settings) -> None:
        self.tokens = tokens
        self.settings = settings
        self.at = 0

    @property
    def kind(self) -> str | None:
        """The kind of the next token, None at the end."""
        return self.tokens[self.at][0] if self.at < len(self.tokens) else None

    @property
    def value(self) -> str:
        """The text of the next token."""
        return self.tokens[self.at][1] if self.at < len(self.tokens) else "<EOF>"

    def take(self) -> str:
        """Return the text of the next token and go on."""
        value = self.value
        self.at += 1
        return value

    def clauses(self, field: str | None, depth: int) -> DslQuery:
        """Read clauses up to the end or a closing parenthesis."""
        if depth > MAX_DEPTH:
            raise IllegalArgument(f"The query is nested deeper than [{MAX_DEPTH}] parentheses")
        found: list[tuple[str, DslQuery]] = []
        while self.kind is not None and self.value != ")":
            conjunction = ""
            if self.value in ("AND", "&&", "OR", "||") and self.kind in ("word", "sign"):
                conjunction = "AND" if self.take() in ("AND", "&&") else "OR"
                if not found:
                    raise _FaultError(f'Encountered " <{conjunction}> "{conjunction} "" at line 1, column 0.')
            modifier = ""
            if self.kind in ("word", "sign") and self.value in ("+", "-", "!", "NOT"):
                modifier = "+" if self.take() == "+" else "-"
            query = self.clause(field, depth)
            if found and conjunction == "AND" and found[-1][0] != "must_not":
                found[-1] = ("must", found[-1][1])
            if found and conjunction == "OR" and self.settings.operator_and and found[-1][0] == "must":
                found[-1] = ("should", found[-1][1])
            if modifier == "-":
                occur = "must_not"
            elif (
                modifier == "+"
                or conjunction == "AND"
                or (self.settings.operator_and and conjunction != "OR")
            ):
                occur = "must"
            else:
                occur = "should"
            found.append((occur, query))
        if not found:
            raise _FaultError(f'Encountered "{self.value}"')
        if len(found) == 1 and found[0][0] != "must_not":
            return found[0][1]
        return BoolDsl(
            must=tuple(query for occur, query in found if occur == "must"),
            should=tuple(query for occur, query in found if occur == "should"),
            must_not=tuple(query for occur, query in found if occur == "must_not"),
        )

    def clause(self, field: str | None, depth: int) -> DslQuery:
        """Read one word, phrase, range or group, with its field and boost."""
        if self.kind == "word" and self.at + 1 < len(self.tokens) and self.tokens[self.at + 1][1] == ":":
            field = _plain(self.take())
            self.at += 1
        if self.value == "(":
            self.at += 1
            query = self.clauses(field, depth + 1)
            if self.value != ")":
                raise _FaultError('Encountered "<EOF>"')
            self.at += 1
        elif self.kind in ("word", "quoted", "range", "compare"):
            query = self.leaf(field)
        elif self.value in ("~", "/"):
            raise _not_built(self.value)
        else:
            raise _FaultError(f'Encountered "{self.value}"')
        if self.value == "~" and self.kind == "sign":
            raise _not_built("~")
        if self.value == "^" and self.kind == "sign":
            self.at += 1
            boost = parse_double(self.take())
            query = BoolDsl(must=(query,), boost=boost)
        return query

    def leaf(self, field: str | None) -> DslQuery:
        """Read a word, a phrase or a range."""
        kind, value = self.kind, self.take()
        settings = self.settings
        if kind == "quoted":
            text = _plain(value[1:-1])
            if field is not None:
                return MatchPhraseDsl(field, text, analyzer=settings.analyzer)
            return MultiMatchDsl(text, type="phrase", analyzer=settings.analyzer, lenient=True)
        if kind in ("range", "compare"):
            if field is None:
                raise _not_built("a range without a field")
            return RangeDsl(field, self._bounds(kind, value))
        if value == "*":
            return MatchAllDsl() if field in (None, "*") else ExistsDsl(field or "")
        if field == "_exists_":
            return ExistsDsl(_plain(value))
        bare = re.sub(r"\\.", "", value)
        if "*" in bare or "?" in bare:
            if bare.endswith("*") and bare.count("*") == 1 and "?" not in bare:
                start = _plain(value[:-1])
                return AnyFieldPrefixDsl(start) if field is None else FieldPrefixDsl(field, start)
            raise _not_built(f"the wildcard [{value}]")
        text = _plain(value)
        while self._continues():
            text += " " + _plain(self.take())
        if field is None:
            lenient = True if settings.lenient is None else settings.lenient
            return MultiMatchDsl(
                text, operator_and=settings.operator_and, analyzer=settings.analyzer, lenient=lenient
            )
        return MatchDsl(
            field,
            text,
            operator_and=settings.operator_and,
            analyzer=settings.analyzer,
            lenient=settings.lenient is not False,
        )

    def _continues(self) -> bool:
        """Return whether the next token is one more bare word: words in a row are one text."""
        if self.kind != "word" or self.value in ("AND", "OR", "NOT") or re.search(r"(?<!\\)[*?]", self.value):
            return False
        following = self.tokens[self.at + 1][1] if self.at + 1 < len(self.tokens) else ""
        return following not in (":", "^", "~")

    def _bounds(self, kind: str, value: str) -> Bounds:
        if kind == "compare":
            if self.kind not in ("word", "quoted"):
                raise _FaultError(f'Encountered "{self.value}"')
            bound = _bound(self.take())
            if value[0] == ">":
                return Bounds(lower=bound, include_lower=value == ">=")
            return Bounds(upper=bound, include_upper=value == "<=")
        match = _RANGE.fullmatch(value[1:-1])
        if match is None:
            raise _FaultError(f'Encountered "{value}"')
        return Bounds(_bound(match[1]), _bound(match[2]), value[0] == "[", value[-1] == "]")


def _bound(text: str) -> str | None:
    if text == "*":
        return None
    return _plain(text[1:-1] if text.startswith('"') else text)


def _not_built(what: str) -> IllegalArgument:
    return IllegalArgument(f"In the query string {what} is not supported by this version")
