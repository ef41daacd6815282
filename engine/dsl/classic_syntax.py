"""The syntax of query_string: Lucene's classic query parser (QueryParser.jj), read with a stack of its own.

The lexer has three states, as the original: the default one, one after ``^`` for a boost, one inside a range.
Faults are worded as the original words them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from lanner.engine.common.body import java_float
from lanner.engine.common.errors import (
    IllegalArgument,
    NumberFormatError,
    QuerySyntaxError,
    TokenMgrError,
)
from lanner.engine.query.base import Query, boosted
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.term import TermQuery

MAX_DEPTH = 100
_START = r'(?:[^ \t\n\r　+\-!():^\[\]"{}~*?\\/]|\\.)'
_TERM = r'(?:[^ \t\n\r　!():^\[\]"{}~*?\\/]|\\.)'
_SPACE = " \t\n\r　"


def _tokens(*pairs: tuple[str, str]) -> list[tuple[str, re.Pattern[str]]]:
    return [(kind, re.compile(pattern, re.DOTALL)) for kind, pattern in pairs]


#: kinds in the order that decides between matches of the same length
_DEFAULT = _tokens(
    ("AND", r"AND|&&"),
    ("OR", r"OR|\|\|"),
    ("NOT", r"NOT|!"),
    ("+", r"\+"),
    ("-", "-"),
    ("BAREOPER", rf"[+\-!][{_SPACE}]"),
    ("(", r"\("),
    (")", r"\)"),
    (":", ":"),
    ("*", r"\*"),
    ("^", r"\^"),
    ("QUOTED", r'"(?:[^"\\]|\\.)*"'),
    ("TERM", f"{_START}{_TERM}*"),
    ("FUZZY_SLOP", f"~{_TERM}*"),
    ("PREFIXTERM", rf"(?:\*|{_START}{_TERM}*\*)"),
    ("WILDTERM", rf"(?:{_START}|[*?])(?:{_TERM}|[*?])*"),
    ("REGEXPTERM", r"/(?:[^/\\]|\\.)*/"),
    ("[", r"\["),
    ("{", r"\{"),
)
_BOOST = _tokens(("NUMBER", r"[0-9]+(?:\.[0-9]+)?"))
_RANGE = _tokens(
    ("TO", "TO"),
    ("]", r"\]"),
    ("}", r"\}"),
    ("RANGE_QUOTED", r'"(?:[^"\\]|\\.)+"'),
    ("RANGE_GOOP", r"[^ \]}]+"),
)
_STATES = {"boost": (0, _BOOST), "range": (1, _RANGE), "default": (2, _DEFAULT)}
_NEXT = {"^": "boost", "NUMBER": "default", "[": "range", "{": "range", "]": "default", "}": "default"}
_NAMED = frozenset(
    [
        "AND",
        "OR",
        "NOT",
        "BAREOPER",
        "QUOTED",
        "TERM",
        "FUZZY_SLOP",
        "PREFIXTERM",
        "WILDTERM",
        "REGEXPTERM",
        "NUMBER",
        "RANGE_QUOTED",
        "RANGE_GOOP",
        "EOF",
    ]
)
_ORDER = [
    "AND",
    "OR",
    "NOT",
    "+",
    "-",
    "BAREOPER",
    "(",
    ")",
    "*",
    "^",
    "QUOTED",
    "TERM",
    "FUZZY_SLOP",
    "PREFIXTERM",
    "WILDTERM",
    "REGEXPTERM",
    "[",
    "{",
    "NUMBER",
]
_LEAVES = frozenset(
    ["BAREOPER", "(", "*", "QUOTED", "TERM", "PREFIXTERM", "WILDTERM", "REGEXPTERM", "[", "{", "NUMBER"]
)
_MODIFIERS = {"+": "must", "-": "must_not", "NOT": "must_not"}
#: what may not come after the second of two words for them to be one text
_ENDS_TEXT = frozenset((":", "*", "FUZZY_SLOP", "^", "AND", "OR"))


class Token(NamedTuple):
    """A piece of the text."""

    kind: str
    image: str
    at: int


class Terms(Protocol):
    """What makes queries of the leaves; None for a text without terms."""

    @property
    def operator_and(self) -> bool:
        """Whether clauses must match if nothing else is said."""
        ...

    def text(self, field: str | None, text: str) -> Query | None:
        """Return the query for words."""
        ...

    def phrase(self, field: str | None, text: str, slop: int | None) -> Query | None:
        """Return the query for quoted words."""
        ...

    def range(
        self, field: str | None, bounds: tuple[str | None, str | None], included: tuple[bool, bool]
    ) -> Query | None:
        """Return the query for a range; None leaves a side open."""
        ...

    def prefix(self, field: str | None, text: str) -> Query | None:
        """Return the query for the beginning of a word."""
        ...

    def wildcard(self, field: str | None, pattern: str) -> Query | None:
        """Return the query for a word with wildcards."""
        ...

    def regexp(self, field: str | None, pattern: str) -> Query | None:
        """Return the query for a regular expression."""
        ...

    def fuzzy(self, field: str | None, word: str, fuzziness: str) -> Query | None:
        """Return the query for a misspelled word."""
        ...


def tokenize(text: str) -> Iterator[Token]:
    """Yield the tokens, then one of kind EOF; raises TokenMgrError where nothing fits."""
    at = 0
    state = "default"
    while True:
        while at < len(text) and text[at] in (" " if state == "range" else _SPACE):
            at += 1
        if at == len(text):
            break
        number, kinds = _STATES[state]
        best, end = "", at
        for kind, pattern in kinds:
            found = pattern.match(text, at)
            if found is not None and found.end() > end:
                best, end = kind, found.end()
        if not best:
            raise _lexical_error(text, at, number)
        yield Token(best, text[at:end], at)
        at = end
        state = _NEXT.get(best, state)
    yield Token("EOF", "", at)


def _lexical_error(text: str, at: int, state: int) -> TokenMgrError:
    """Return the error for a place where no token starts."""
    end = len(text) if state == 2 and text[at] in '"/\\' else min(at + 1, len(text))
    before = text.rfind("\n", 0, end)
    line = text.count("\n", 0, end) + 1
    shown = "<EOF>" if end == len(text) else f"'{text[end]}' ({ord(text[end])}),"
    prefix = text[at:end]
    if len(prefix) > 1:
        escaped = prefix.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        shown += f' after prefix "{escaped}"'
    if state:
        shown += f" (in lexical state {state})"
    return TokenMgrError(f"Lexical error at line {line}, column {end - before}.  Encountered: {shown}")


def plain(image: str) -> str:
    """Return a text without its escapes; raises QuerySyntaxError if one is broken."""
    if "\\" not in image:
        return image
    found = []
    at = 0
    while at < len(image):
        char = image[at]
        at += 1
        if char == "\\" and at < len(image):
            char = image[at]
            at += 1
            if char == "u":
                digits = image[at : at + 4]
                for digit in digits:
                    if digit not in "0123456789abcdefABCDEF":
                        raise QuerySyntaxError(f"Non-hex character in Unicode escape sequence: {digit}")
                if len(digits) < 4:
                    raise QuerySyntaxError("Truncated unicode escape sequence.")
                char = chr(int(digits, 16))
                at += 4
        found.append(char)
    return "".join(found)


def escape(text: str) -> str:
    """Return a text in which no sign means anything."""
    return re.sub(r'([\\+\-!():^\[\]"{}~*?|&/])', r"\\\1", text)


@dataclass(slots=True)
class _Group:
    """An open parenthesis, and how the whole group belongs to the one around it."""

    name: str | None
    conjunction: str = ""
    occur: str = ""
    clauses: list[tuple[str, Query]] = field(default_factory=list)
    first: Query | None = None
    begun: bool = False


def parse(text: str, default_field: str | None, terms: Terms) -> Query | None:
    """Return the query of a text, None if nothing is left of it.

    Raises QuerySyntaxError with the original's words, and what terms raises.
    """
    try:
        return _Parser(text, default_field, terms).parse()
    except QuerySyntaxError as error:
        raise QuerySyntaxError(f"Cannot parse '{text}': {error.reason}", caused_by=error) from None


class _Parser:
    def __init__(self, text: str, default_field: str | None, terms: Terms) -> None:
        self.text = text
        self.source = tokenize(text)
        self.ahead: list[Token] = []
        self.terms = terms
        self.groups = [_Group(default_field)]
        self.following: list[str] = []  # what may come after what was read last

    # -- tokens

    def peek(self, n: int = 0) -> Token:
        """Return a token to come; after the end there is only the end."""
        while len(self.ahead) <= n:
            if self.ahead and self.ahead[-1].kind == "EOF":
                return self.ahead[-1]
            self.ahead.append(next(self.source))
        return self.ahead[n]

    def take(self) -> Token:
        token = self.peek()
        if token.kind != "EOF":
            del self.ahead[0]
        return token

    def fault(self, expected: list[str]) -> QuerySyntaxError:
        """Return the error for the next token."""
        token = self.peek()
        if token.kind == "EOF":
            shown = '"<EOF>"'
        else:
            image = token.image.replace("\\", "\\\\").replace('"', '\\"')
            shown = f'" {_shown(token.kind)} "{image} ""'
        line = self.text.count("\n", 0, token.at) + 1
        column = token.at - (self.text.rfind("\n", 0, token.at) + 1)
        heading = "Was expecting:" if len(expected) == 1 else "Was expecting one of:"
        listed = "".join(f"    {_shown(kind)} {'' if kind == 'EOF' else '...'}\n" for kind in expected)
        return QuerySyntaxError(
            f"Encountered {shown} at line {line}, column {column}.\n{heading}\n{listed}    "
        )

    def expect(self, *kinds: str) -> Token:
        if self.peek().kind not in kinds:
            raise self.fault(list(kinds))
        return self.take()

    # -- clauses

    def parse(self) -> Query | None:
        """Return the query of the whole text."""
        while True:
            group = self.groups[-1]
            kind = self.peek().kind
            if group.begun and kind in ("EOF", ")"):
                if kind == "EOF" and len(self.groups) == 1:
                    return self.finish(group)
                if kind == "EOF" or len(self.groups) == 1:
                    raise self.fault(self.following)
                self.take()
                self.groups.pop()
                self.following = self.options("^")
                query = self.with_boost(self.finish(group))
                self.add(self.groups[-1], group.conjunction, group.occur, query)
                continue
            if self.words(group):
                continue
            self.clause(group)

    def clause(self, group: _Group) -> None:
        """Read a conjunction, a modifier, a field, and a leaf or the opening of a group."""
        conjunction = occur = ""
        if group.begun and self.peek().kind in ("AND", "OR"):
            conjunction = self.take().kind
        start = not group.begun
        if self.peek().kind in _MODIFIERS:
            occur = _MODIFIERS[self.take().kind]
        name = group.name
        colon = False
        if self.peek().kind in ("TERM", "*") and self.peek(1).kind == ":":
            token = self.take()
            name = "*" if token.kind == "*" else plain(token.image)
            self.take()
            colon = True
        kind = self.peek().kind
        if kind not in _LEAVES:
            if group.begun and not (conjunction or occur or colon):
                raise self.fault(self.following)
            expected = [
                one for one in _ORDER if one in _LEAVES or (one in _MODIFIERS and not (occur or colon))
            ]
            if not colon:
                expected += ["TERM"] if start and not occur else ["TERM", "*"]
            raise self.fault(expected)
        group.begun = True
        if kind == "(":
            self.take()
            if len(self.groups) > MAX_DEPTH:
                raise IllegalArgument(f"The query is nested deeper than [{MAX_DEPTH}] parentheses")
            self.groups.append(_Group(name, conjunction, occur))
            return
        query = self.leaf(name)
        if start and not occur:
            group.first = query
        self.add(group, conjunction, occur, query)

    def words(self, group: _Group) -> bool:
        """Read words in a row, which are one text; False if there are no two of them."""
        if not self.word_follows():
            return False
        images = [self.take().image]
        while self.peek().kind == "TERM" and self.peek(1).kind not in _ENDS_TEXT:
            images.append(self.take().image)
        group.begun = True
        self.following = self.options("^", "FUZZY_SLOP")
        query = self.terms.text(group.name, " ".join(plain(image) for image in images))
        if query is None:
            return True
        occur = "must" if self.terms.operator_and else "should"
        if isinstance(query, BooleanQuery) and not query.minimum_should_match:
            parts = [("must", one) for one in query.must] + [("should", one) for one in query.should]
            if not (query.filter or query.must_not) and all(isinstance(one, TermQuery) for _, one in parts):
                group.clauses += parts
                return True
        group.clauses.append((occur, query))
        return True

    def word_follows(self) -> bool:
        return (
            self.peek().kind == "TERM" and self.peek(1).kind == "TERM" and self.peek(2).kind not in _ENDS_TEXT
        )

    def add(self, group: _Group, conjunction: str, occur: str, query: Query | None) -> None:
        """Add a clause; a conjunction also changes how the one before it occurs."""
        clauses = group.clauses
        if clauses and clauses[-1][0] != "must_not":
            if conjunction == "AND":
                clauses[-1] = ("must", clauses[-1][1])
            elif conjunction == "OR" and self.terms.operator_and:
                clauses[-1] = ("should", clauses[-1][1])
        if query is None:
            return
        if occur != "must_not":
            if self.terms.operator_and:
                required = conjunction != "OR"
            else:
                required = occur == "must" or conjunction == "AND"
            occur = "must" if required else "should"
        clauses.append((occur, query))

    def finish(self, group: _Group) -> Query | None:
        """Return the clauses of a group as one query."""
        clauses = group.clauses
        if len(clauses) == 1 and group.first is not None:
            return group.first
        if not clauses:
            return None
        return BooleanQuery(
            must=tuple([query for occur, query in clauses if occur == "must"]),
            should=tuple([query for occur, query in clauses if occur == "should"]),
            must_not=tuple([query for occur, query in clauses if occur == "must_not"]),
        )

    # -- leaves

    def options(self, *own: str) -> list[str]:
        """Return what may come after a leaf or a group."""
        inside = len(self.groups) > 1
        found = [
            kind
            for kind in _ORDER
            if kind not in (")", "^", "FUZZY_SLOP") or kind in own or (kind == ")" and inside)
        ]
        return found if inside else ["EOF", *found]

    def with_boost(self, query: Query | None) -> Query | None:
        if self.peek().kind != "^":
            return query
        self.take()
        boost = java_float(self.expect("NUMBER").image)
        self.following = self.options()
        return None if query is None else boosted(query, boost)

    def leaf(self, name: str | None) -> Query | None:
        token = self.take()
        kind = token.kind
        self.following = self.options("^", "FUZZY_SLOP")
        if kind in ("[", "{"):
            return self.range(name, included=kind == "[")
        slop: str | None = None
        boost = 1.0
        for _ in range(2):
            if self.peek().kind == "FUZZY_SLOP" and slop is None:
                slop = self.take().image[1:]
                self.following = self.options(*(() if boost != 1.0 else ("^",)))
            elif self.peek().kind == "^" and self.following and "^" in self.following:
                self.take()
                boost = java_float(self.expect("NUMBER").image)
                self.following = self.options(*(() if slop is not None else ("FUZZY_SLOP",)))
        query = self.quoted(name, token, slop) if kind == "QUOTED" else self.bare(name, token, slop)
        return None if query is None else boosted(query, boost)

    def quoted(self, name: str | None, token: Token, slop: str | None) -> Query | None:
        moves: int | None = None
        if slop:
            try:
                moves = max(0, min(int(java_float(slop)), 2**31 - 1))
            except NumberFormatError:
                moves = None
        return self.terms.phrase(name, plain(token.image[1:-1]), moves)

    def bare(self, name: str | None, token: Token, slop: str | None) -> Query | None:
        image = token.image
        match token.kind:
            case "*" | "WILDTERM":
                return self.terms.wildcard(name, image)
            case "PREFIXTERM":
                return self.terms.prefix(name, plain(image[:-1]))
            case "REGEXPTERM":
                return self.terms.regexp(name, image[1:-1])
            case "BAREOPER":
                image = image[:1]
        text = plain(image)
        return self.terms.text(name, text) if slop is None else self.terms.fuzzy(name, text, slop)

    def range(self, name: str | None, *, included: bool) -> Query | None:
        bounds: list[str | None] = []
        for following in (("TO",), ("]", "}")):
            token = self.expect("TO", "RANGE_QUOTED", "RANGE_GOOP")
            end = self.expect(*following)
            if token.kind == "RANGE_QUOTED":
                bounds.append(plain(token.image[1:-1]))
            else:
                bounds.append(None if token.image == "*" else plain(token.image))
        self.following = self.options("^")
        query = self.terms.range(name, (bounds[0], bounds[1]), (included, end.kind == "]"))
        return self.with_boost(query)


def _shown(kind: str) -> str:
    return f"<{kind}>" if kind in _NAMED else f'"{kind}"'
