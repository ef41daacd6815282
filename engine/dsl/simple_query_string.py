"""simple_query_string: a text whose signs mean something where they can, and are text where they cannot.

The reading follows Lucene's SimpleQueryParser, with a stack of its own.
"""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    read_flag,
    read_integer,
    read_number,
    read_text,
)
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.fuzziness import MOST_EDITS, Fuzziness
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, check_boost
from lanner.engine.dsl.fuzzy import Fuzzy
from lanner.engine.dsl.match import read_operator
from lanner.engine.dsl.multi_match import MultiMatchDsl, parse_fields
from lanner.engine.dsl.query_string import with_minimum
from lanner.engine.dsl.text_fields import (
    UNMAPPED,
    Fields,
    KnownReader,
    TextFields,
    read_known,
    resolve_fields,
)
from lanner.engine.query.base import Query
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.match_all import MatchAllQuery, MatchNoneQuery

AND, NOT, OR, PREFIX, PHRASE, PRECEDENCE, ESCAPE, WHITESPACE, FUZZY, SLOP = (1 << i for i in range(10))
ALL = -1
FLAGS = {
    "ALL": ALL,
    "NONE": 0,
    "AND": AND,
    "NOT": NOT,
    "OR": OR,
    "PREFIX": PREFIX,
    "PHRASE": PHRASE,
    "PRECEDENCE": PRECEDENCE,
    "ESCAPE": ESCAPE,
    "WHITESPACE": WHITESPACE,
    "FUZZY": FUZZY,
    "NEAR": SLOP,
    "SLOP": SLOP,
}
MAX_DEPTH = 100
_SPACE = " \t\n\r"


@dataclass(frozen=True, slots=True)
class SimpleQueryStringDsl(DslQuery):
    """A text and how it is read."""

    text: str
    fields: tuple[tuple[str, float], ...] | None = None
    flags: int = ALL
    operator_and: bool = False
    analyzer: str | None = None
    lenient: bool | None = None
    analyze_wildcard: bool = False
    minimum_should_match: str | None = None
    quote_field_suffix: str | None = None
    fuzzy: Fuzzy = Fuzzy()

    def build(self, context: DslContext) -> Query:
        """Read the text over the fields of the index."""
        fields, _, lenient = resolve_fields(self.fields or None, context, lenient=self.lenient)
        template = MultiMatchDsl(
            "",
            type="most_fields",
            operator_and=self.operator_and,
            analyzer=self.analyzer,
            kind="simple_query_string",
        )
        asked = TextFields("simple_query_string", context, template, lenient, 1.0, self.quote_field_suffix)
        query = _Reader(self, asked, fields).read()
        return with_minimum(query, self.minimum_should_match)


class _Part:
    """The text or the inside of a parenthesis, up to stop, and what was made of it so far."""

    __slots__ = ("negations", "operation", "previous", "stop", "tops")

    def __init__(self, stop: int) -> None:
        self.stop = stop
        self.negations = 0
        self.operation: bool | None = None  # whether the next clause must match; None: as the default says
        self.previous: bool | None = None
        self.tops: list[Query] = []  # clauses that are joined by the same operation


class _Reader:
    def __init__(self, given: SimpleQueryStringDsl, asked: TextFields, fields: Fields) -> None:
        self.given = given
        self.asked = asked
        self.fields = fields
        self.text = given.text
        self.flags = given.flags
        self.at = 0
        self.depth = 0  # of the deepest change of operation
        self.closing = self.pairs()
        self.parts = [_Part(len(self.text))]

    def pairs(self) -> dict[int, int]:
        """Return where each parenthesis is closed, if it is."""
        found: dict[int, int] = {}
        open_at: list[int] = []
        escaped = False
        for at, char in enumerate(self.text):
            if escaped:
                escaped = False
            elif char == "\\" and self.flags & ESCAPE:
                escaped = True
            elif char == "(":
                open_at.append(at)
            elif char == ")" and open_at:
                found[open_at.pop()] = at
        return found

    def read(self) -> Query:
        """Return the query of the whole text."""
        if self.text.strip() == "*":
            return MatchAllQuery()
        while True:
            part = self.parts[-1]
            if self.at >= part.stop:
                if len(self.parts) == 1:
                    return self.top(part) or MatchNoneQuery("empty string passed to query parser")
                self.parts.pop()
                self.at = part.stop + 1
                self.add(self.parts[-1], self.top(part))
                self.parts[-1].negations = 0
                continue
            char = self.text[self.at]
            if char == "-" and self.flags & NOT:
                part.negations += 1
                self.at += 1
                continue
            if char == "(" and self.flags & PRECEDENCE:
                if self.group(part):
                    continue
            elif (char == ")" and self.flags & PRECEDENCE) or (char in _SPACE and self.flags & WHITESPACE):
                self.at += 1
            elif char == '"' and self.flags & PHRASE:
                self.phrase(part)
            elif (char == "+" and self.flags & AND) or (char == "|" and self.flags & OR):
                if part.operation is None and part.tops:
                    part.operation = char == "+"
                self.at += 1
            else:
                self.token(part)
            part.negations = 0

    # -- pieces

    def group(self, part: _Part) -> bool:
        """Open a parenthesis that is closed; one that is not is ignored."""
        end = self.closing.get(self.at)
        self.at += 1
        if end is None or end >= part.stop:
            return False
        if end == self.at:
            part.operation = None
            self.at += 1
            return False
        if len(self.parts) > MAX_DEPTH:
            raise IllegalArgument(f"The query is nested deeper than [{MAX_DEPTH}] parentheses")
        self.parts.append(_Part(end))
        return True

    def phrase(self, part: _Part) -> None:
        self.at += 1
        start = self.at
        found: list[str] = []
        escaped = slop = False
        while self.at < part.stop:
            char = self.text[self.at]
            if not escaped:
                if char == "\\" and self.flags & ESCAPE:
                    escaped = True
                    self.at += 1
                    continue
                if char == '"':
                    break
            escaped = False
            found.append(char)
            self.at += 1
        else:
            self.at = start
            return
        if self.at == start:
            part.operation = None
            self.at += 1
            return
        if self.at + 1 < part.stop and self.text[self.at + 1] == "~" and self.flags & SLOP:
            self.at += 1
            slop = self.at + 1 < part.stop
        moves = self.number(part) if slop else 0
        self.add(part, self.phrase_query("".join(found), moves))
        self.at += 1

    def token(self, part: _Part) -> None:
        found: list[str] = []
        escaped = prefix = fuzzy = False
        while self.at < part.stop:
            char = self.text[self.at]
            if not escaped:
                if char == "\\" and self.flags & ESCAPE:
                    escaped = True
                    prefix = False
                    self.at += 1
                    continue
                if self.ends(char):
                    break
                if found and char == "~" and self.flags & FUZZY:
                    fuzzy = True
                    break
                prefix = bool(found) and char == "*" and bool(self.flags & PREFIX)
            escaped = False
            found.append(char)
            self.at += 1
        if not found:
            return
        text = "".join(found)
        edits = min(self.number(part), MOST_EDITS) if fuzzy else 0
        if edits:
            self.add(part, self.fuzzy_query(text, edits))
        elif prefix and not fuzzy:
            self.add(part, self.prefix_query(text[:-1]))
        else:
            self.add(part, self.asked.analysed(self.fields, text) if self.fields else UNMAPPED)

    def ends(self, char: str) -> bool:
        flags = self.flags
        return bool(
            (char == '"' and flags & PHRASE)
            or (char == "|" and flags & OR)
            or (char == "+" and flags & AND)
            or (char in "()" and flags & PRECEDENCE)
            or (char in _SPACE and flags & WHITESPACE)
        )

    def number(self, part: _Part) -> int:
        """Read what follows a tilde: the most edits if nothing does, 0 if it is no number."""
        self.at += 1
        start = self.at
        while self.at < part.stop and not self.ends(self.text[self.at]):
            self.at += 1
        given = self.text[start : self.at]
        if not given:
            return MOST_EDITS
        digits = given.removeprefix("+")
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0

    # -- the tree

    def add(self, part: _Part, query: Query | None) -> None:
        if query is None:
            part.operation = None
            return
        if part.negations % 2:
            query = BooleanQuery(should=(MatchAllQuery(),), must_not=(query,))
        if part.tops:
            if part.operation is None:
                part.operation = self.given.operator_and
            if part.previous is not None and part.previous != part.operation:
                part.tops = [self.joined(part)]
                self.depth += 1
                if self.depth > MAX_DEPTH:
                    raise IllegalArgument(f"The query changes more than [{MAX_DEPTH}] times between + and |")
            part.previous = part.operation
        part.tops.append(query)
        part.operation = None

    def joined(self, part: _Part) -> Query:
        clauses = tuple(part.tops)
        return BooleanQuery(must=clauses) if part.previous else BooleanQuery(should=clauses)

    def top(self, part: _Part) -> Query | None:
        if len(part.tops) > 1:
            return self.joined(part)
        return part.tops[0] if part.tops else None

    # -- leaves

    def phrase_query(self, text: str, slop: int) -> Query | None:
        fields = self.asked.quoted_fields(self.fields)
        return self.asked.analysed(fields, text, type="phrase", slop=slop) if fields else UNMAPPED

    def prefix_query(self, text: str) -> Query | None:
        ask = self.asked.analysed_prefix if self.given.analyze_wildcard else self.asked.prefix
        return self.asked.each(self.fields, lambda field: ask(field, text)) if self.fields else UNMAPPED

    def fuzzy_query(self, word: str, edits: int) -> Query | None:
        given = self.given.fuzzy
        fuzzy = Fuzzy(Fuzziness(edits), given.prefix_length, given.max_expansions, given.transpositions)
        asked = self.asked
        if not self.fields:
            return UNMAPPED
        return asked.each(self.fields, lambda field: fuzzy.query(field, asked.normalized(field, word)))


# -- reading


def _flags(kind: str, body: dict[str, Any], key: str) -> int:
    value = body[key]
    if not isinstance(value, str):
        flags = read_integer(kind, body, key)
        return ALL if flags < 0 else flags
    flags = 0
    for name in filter(None, value.split("|")):
        known = FLAGS.get(name.upper())
        if known is None:
            raise IllegalArgument(f"Unknown simple_query_string flag [{name}]")
        if name.upper() in ("ALL", "NONE"):
            return known
        flags |= known
    return flags if value else ALL


_READERS: dict[str, KnownReader] = {
    "query": ("text", read_text),
    "analyzer": ("analyzer", read_text),
    "default_operator": ("operator_and", read_operator),
    "flags": ("flags", _flags),
    "lenient": ("lenient", read_flag),
    "analyze_wildcard": ("analyze_wildcard", read_flag),
    "minimum_should_match": ("minimum_should_match", read_text),
    "quote_field_suffix": ("quote_field_suffix", read_text),
    "_name": ("name", read_text),
    # read and checked; no token spans several positions
    "auto_generate_synonyms_phrase_query": ("", read_flag),
}
_FUZZY: dict[str, KnownReader] = {
    "fuzzy_prefix_length": ("prefix_length", read_integer),
    "fuzzy_max_expansions": ("max_expansions", read_integer),
    "fuzzy_transpositions": ("transpositions", read_flag),
}


def parse_simple_query_string(body: dict[str, Any], context: ParseContext) -> SimpleQueryStringDsl:
    """Read the body of a simple_query_string query."""
    kind = "simple_query_string"
    values: dict[str, Any] = {}
    fuzzy: dict[str, Any] = {}
    for key, value in body.items():
        if isinstance(value, list | dict):
            if key != "fields" or isinstance(value, dict):
                raise LocatedError(f"[{kind}] query does not support [{key}]", Anchor(body, key))
            values[key] = parse_fields(value)
        elif key in _READERS:
            read_known(kind, body, key, _READERS[key], values)
        elif key in _FUZZY:
            read_known(kind, body, key, _FUZZY[key], fuzzy)
        elif key == "boost":
            values[key] = check_boost(kind, read_number(kind, body, key))
        else:
            raise LocatedError(f"[{kind}] unsupported field [{key}]", Anchor(body, key))
    if "text" not in values:
        raise LocatedError(f"[{kind}] query text missing", Anchor(body, None, "close"))
    return SimpleQueryStringDsl(fuzzy=Fuzzy(**fuzzy), **values)
