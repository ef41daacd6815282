"""intervals: rules about where the words of a text stand."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    LocatedXContentError,
    java_text,
    parse_integer,
    read_boolean,
    read_number,
    read_text,
    token_name,
)
from lanner.engine.common.errors import IllegalArgument, LannerError, NumberFormatError, XContentParseError
from lanner.engine.common.fuzziness import AUTO, Fuzziness, parse_fuzziness
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, check_boost
from lanner.engine.dsl.text_query import analyzer_for
from lanner.engine.mapping.types.text import TextFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.pattern import WORK_LIMIT, normalized_wildcard, text_automaton, wildcard_automaton
from lanner.engine.query.positions import IntervalQuery, Place, TermsOf, combined, term_place
from lanner.engine.query.regexp_syntax import regexp_automaton
from lanner.engine.query.term_set import AutomatonTerms, SpellingTerms, TermSet

_MAX_EXPANSIONS = 128
_MOST_EXPANSIONS = 1024
_NOWHERE = Place("any")
_RELATIONS = (
    "containing",
    "contained_by",
    "not_containing",
    "not_contained_by",
    "overlapping",
    "not_overlapping",
    "before",
    "after",
)
_KINDS = "[match, any_of, all_of, prefix, wildcard, regexp]"


class Resolver:
    """A field and its index, for the rules of a query."""

    def __init__(self, field: TextFieldType, context: DslContext) -> None:
        self.field = field
        self.context = context

    def other(self, name: str | None) -> TextFieldType:
        """Return the field that a rule names, or the query's own."""
        return self.field if name is None else text_field(name, self.context)

    def analyzer(self, field: TextFieldType, name: str | None) -> Any:
        """Return the analyzer that a rule names, or the field's."""
        return analyzer_for(field, name, "intervals", self.context, quoted=False)


def text_field(name: str, context: DslContext) -> TextFieldType:
    """Return a field that has positions; raises IllegalArgument for others."""
    field = context.mapping.field_type(name)
    if field is None:
        raise IllegalArgument(f"Cannot create intervals over unknown field [{name}]")
    if not isinstance(field, TextFieldType):
        raise IllegalArgument(
            f"Can only use interval queries on text fields - not on [{name}] which is of type "
            f"[{field.type_name}]"
        )
    if not field.has_positions:
        raise IllegalArgument(f"Cannot create intervals over field [{name}] with no positions indexed")
    field.check_searchable()
    return field


class Rule(ABC):
    """A rule as it was asked for."""

    __slots__ = ()

    @abstractmethod
    def place(self, resolver: Resolver) -> Place:
        """Return the intervals over a field."""


@dataclass(frozen=True, slots=True)
class Filtered(Rule):
    """The intervals of a rule that lie to those of another as a relation says."""

    rule: Rule
    relation: str
    other: Rule

    def place(self, resolver: Resolver) -> Place:
        """Filter the intervals."""
        if self.relation not in _RELATIONS:
            raise IllegalArgument(f"Unknown filter type [{self.relation}]")
        parts = (self.rule.place(resolver), self.other.place(resolver))
        return Place(self.relation, parts=parts)


def _joined(parts: list[Place], mode: str, max_gaps: int) -> Place:
    if not parts:
        return _NOWHERE
    if len(parts) == 1:
        return parts[0]
    if mode == "ordered" and max_gaps == 0:
        return combined("block", parts)
    if mode != "unordered_no_overlap":
        return _with_gaps(combined(mode, parts), max_gaps)
    found = parts[0]
    for i, part in enumerate(parts[1:]):
        before = found if i == 0 else _with_gaps(found, max_gaps)
        both = (combined("ordered", [before, part]), combined("ordered", [part, before]))
        found = Place("any", parts=both)
    return _with_gaps(found, max_gaps)


def _with_gaps(place: Place, max_gaps: int) -> Place:
    return place if max_gaps < 0 else combined("most_gaps", [place], max_gaps)


@dataclass(frozen=True, slots=True)
class MatchRule(Rule):
    """The words of a text."""

    query: str
    max_gaps: int = -1
    mode: str = "unordered"
    analyzer: str | None = None
    use_field: str | None = None

    def place(self, resolver: Resolver) -> Place:
        """Analyse the text."""
        field = resolver.other(self.use_field)
        tokens = resolver.analyzer(field, self.analyzer).query_tokens(self.query)
        groups: list[tuple[int, list[Place]]] = []
        for token in tokens:
            if not groups or groups[-1][0] != token.position:
                groups.append((token.position, []))
            groups[-1][1].append(term_place(field.name, token.term))
        parts = []
        last = groups[0][0] - 1 if groups else 0
        for position, places in groups:
            part = places[0] if len(places) == 1 else Place("any", parts=tuple(places))
            skipped = position - last - 1
            parts.append(Place("extend", skipped, parts=(part,)) if skipped else part)
            last = position
        resolver.context.count(len(parts))
        return _joined(parts, self.mode, self.max_gaps)


@dataclass(frozen=True, slots=True)
class AllOfRule(Rule):
    """All of some rules."""

    rules: tuple[Rule, ...]
    mode: str = "unordered"
    max_gaps: int = -1

    def place(self, resolver: Resolver) -> Place:
        """Join the rules."""
        return _joined([rule.place(resolver) for rule in self.rules], self.mode, self.max_gaps)


@dataclass(frozen=True, slots=True)
class AnyOfRule(Rule):
    """Any of some rules."""

    rules: tuple[Rule, ...]

    def place(self, resolver: Resolver) -> Place:
        """Return the shortest intervals."""
        parts = tuple(rule.place(resolver) for rule in self.rules)
        return parts[0] if len(parts) == 1 else Place("any", parts=parts)


@dataclass(frozen=True, slots=True)
class TermsRule(Rule):
    """The words that a pattern describes. kind: prefix, wildcard, regexp or fuzzy."""

    kind: str
    text: str
    analyzer: str | None = None
    use_field: str | None = None
    max_expansions: int | None = None
    any_case: bool = False
    fuzziness: Fuzziness = AUTO
    prefix_length: int = 0
    transpositions: bool = True

    def place(self, resolver: Resolver) -> Place:
        """Spell the pattern as the field's words are spelled."""
        field = resolver.other(self.use_field)
        analyzer = resolver.analyzer(field, self.analyzer)
        most = _MAX_EXPANSIONS if self.max_expansions is None else self.max_expansions
        if most <= 0:
            raise IllegalArgument(f"maxExpansions [{most}] must be positive")
        if most > _MOST_EXPANSIONS:
            raise IllegalArgument(
                f"maxExpansions [{most}] cannot be greater than BooleanQuery.getMaxClauseCount "
                f"[{_MOST_EXPANSIONS}]"
            )
        if self.kind == "wildcard":
            text = normalized_wildcard(self.text, analyzer)
        else:
            text = self.text if self.kind == "regexp" else analyzer.normalize(self.text)
        about = text + "*" if self.kind == "prefix" else text
        return Place("any", several=TermsOf(field.name, self.terms(text), most, about))

    def terms(self, text: str) -> TermSet:
        """Return the set of words."""
        if self.kind == "fuzzy":
            edits = self.fuzziness.distance(text)
            return SpellingTerms(text, edits, self.prefix_length, self.transpositions)
        if self.kind == "prefix":
            automaton = text_automaton(text, prefix=True, any_case=False)
        elif self.kind == "wildcard":
            automaton = wildcard_automaton(text, any_case=self.any_case)
        else:
            automaton = regexp_automaton(text, any_case=self.any_case, limit=WORK_LIMIT)
        return AutomatonTerms(f"{self.kind} {self.any_case}", text, automaton)


@dataclass(frozen=True, slots=True)
class IntervalsDsl(DslQuery):
    """A rule for one field."""

    field: str
    rule: Rule

    def build(self, context: DslContext) -> Query:
        """Resolve the rule."""
        if context.mapping.field_type(self.field) is None:
            return MatchNoneQuery()
        field = text_field(self.field, context)
        context.count(1)
        return IntervalQuery(self.rule.place(Resolver(field, context)))


# -- reading


def parse_intervals(body: dict[str, Any], context: ParseContext) -> IntervalsDsl:
    """Read the body of an intervals query."""
    if not body:
        raise LocatedError("Expected [FIELD_NAME] but got [END_OBJECT]", Anchor(body, None, "close"))
    field, given = next(iter(body.items()))
    if len(body) > 1:
        second = list(body)[1]
        raise LocatedError("Expected [END_OBJECT] but got [FIELD_NAME]", Anchor(body, second, "key"))
    if not isinstance(given, dict):
        raise LocatedError(f"Expected [START_OBJECT] but got [{token_name(given)}]", Anchor(body, field))
    values: dict[str, Any] = {}
    found = ""
    for key in given:
        if key == "boost":
            values[key] = check_boost("intervals", read_number("intervals", given, key))
        elif key == "_name":
            values["name"] = read_text("intervals", given, key)
        else:
            if found:
                raise LocatedError(
                    f"Only one interval rule can be specified, found [{found}] and [{key}]",
                    Anchor(given, key, "key"),
                )
            found = key
            values["rule"] = _rule(given, key, context)
    if not found:
        raise LocatedError("Missing intervals from interval query definition", Anchor(body, None, "close"))
    return IntervalsDsl(field, **values)


def _rule(given: dict[str, Any], key: str, context: ParseContext) -> Rule:
    reader = _RULES.get(key)
    if reader is None:
        raise LocatedError(
            f"Unknown interval type [{key}], expecting one of {_KINDS}", Anchor(given, key, "key")
        )
    if not isinstance(given[key], dict):
        raise LocatedError(f"Expected [START_OBJECT] but got [{token_name(given[key])}]", Anchor(given, key))
    context.enter()
    rule = reader(key, given[key], context)
    context.depth -= 1
    return rule


_Option = tuple[str, Callable[[dict[str, Any], str], Any]]


def _text(body: dict[str, Any], key: str) -> str:
    if body[key] is None or isinstance(body[key], dict | list):
        raise IllegalArgument(f"{key} doesn't support values of type: {token_name(body[key])}")
    return java_text(body[key])


def _int(body: dict[str, Any], key: str) -> int:
    value = body[key]
    if isinstance(value, str):
        number = parse_integer(value)
    elif isinstance(value, bool) or not isinstance(value, int | float):
        raise IllegalArgument(f"{key} doesn't support values of type: {token_name(value)}")
    else:
        number = int(value)
    return max(-(2**31), min(number, 2**30))


def _flag(body: dict[str, Any], key: str) -> bool:
    return read_boolean(body[key])


def _ordered(body: dict[str, Any], key: str) -> str:
    return "ordered" if read_boolean(body[key]) else "unordered"


def _mode(body: dict[str, Any], key: str) -> str:
    name = _text(body, key).lower()
    if name not in ("ordered", "unordered", "unordered_no_overlap"):
        raise IllegalArgument(f"no mode can be parsed from ordinal {_text(body, key)}")
    return name


def _read(
    kind: str, body: dict[str, Any], options: dict[str, _Option], required: str, context: ParseContext
) -> tuple[dict[str, Any], Callable[[Rule], Rule]]:
    """Return the values of a rule, and what filters it."""
    values: dict[str, Any] = {}
    keep: Callable[[Rule], Rule] = lambda rule: rule  # noqa: E731
    for key in body:
        if key == "filter" and (kind in ("match", "all_of", "any_of")):
            keep = _filter(kind, body, key, context)
        elif key in options:
            name, read = options[key]
            try:
                values[name] = read(body, key)
            except (NumberFormatError, IllegalArgument) as error:
                if key == "mode":
                    raise XContentParseError(
                        f"Failed to build [{kind}] after last required field arrived", caused_by=error
                    ) from None
                raise LocatedXContentError(
                    f"[{kind}] failed to parse field [{key}]", Anchor(body, key), caused_by=error
                ) from None
        elif key == "intervals" and kind in ("all_of", "any_of"):
            values["rules"] = _rules(kind, body, key, context)
        else:
            raise LocatedXContentError(f"[{kind}] unknown field [{key}]", Anchor(body, key, "key"))
    if required not in values:
        shown = {"text": {"fuzzy": "term", "prefix": "prefix"}.get(kind, "pattern"), "rules": "intervals"}
        raise IllegalArgument(f"Required [{shown.get(required, required)}]")
    return values, keep


def _rules(kind: str, body: dict[str, Any], key: str, context: ParseContext) -> tuple[Rule, ...]:
    given = body[key]
    if not isinstance(given, list):
        given = [given]
    rules = []
    for one in given:
        if not isinstance(one, dict) or len(one) != 1:
            raise LocatedXContentError(f"[{kind}] failed to parse field [{key}]", Anchor(body, key))
        rules.append(_rule(one, next(iter(one)), context))
    return tuple(rules)


def _filter(kind: str, body: dict[str, Any], key: str, context: ParseContext) -> Callable[[Rule], Rule]:
    given = body[key]
    cause: LannerError
    if not isinstance(given, dict):
        raise LocatedXContentError(
            f"[{kind}] {key} doesn't support values of type: {token_name(given)}", Anchor(body, key)
        )
    if not given:
        cause = LocatedError("Expected [FIELD_NAME] but got [END_OBJECT]", Anchor(given, None, "close"))
        anchor = Anchor(given, None, "close")
        raise LocatedXContentError(f"[{kind}] failed to parse field [{key}]", anchor, caused_by=cause)
    relation = next(iter(given))
    if relation == "script":
        raise LocatedError("[script] filter is not supported by this version", Anchor(given, relation))
    inner = given[relation]
    if not isinstance(inner, dict) or len(inner) != 1:
        raise LocatedXContentError(f"[{kind}] failed to parse field [{key}]", Anchor(body, key))
    other = _rule(inner, next(iter(inner)), context)
    if len(given) > 1:
        second = list(given)[1]
        cause = LocatedError("Expected [END_OBJECT] but got [FIELD_NAME]", Anchor(given, second, "key"))
        anchor = Anchor(given, second, "key")
        raise LocatedXContentError(f"[{kind}] failed to parse field [{key}]", anchor, caused_by=cause)
    return lambda rule: Filtered(rule, relation, other)


def _match_rule(kind: str, body: dict[str, Any], context: ParseContext) -> Rule:
    options: dict[str, _Option] = {
        "query": ("query", _text),
        "max_gaps": ("max_gaps", _int),
        "ordered": ("mode", _ordered),
        "mode": ("mode", _mode),
        "analyzer": ("analyzer", _text),
        "use_field": ("use_field", _text),
    }
    values, keep = _read(kind, body, options, "query", context)
    return keep(MatchRule(**values))


def _all_of_rule(kind: str, body: dict[str, Any], context: ParseContext) -> Rule:
    options: dict[str, _Option] = {
        "ordered": ("mode", _ordered),
        "mode": ("mode", _mode),
        "max_gaps": ("max_gaps", _int),
    }
    values, keep = _read(kind, body, options, "rules", context)
    return keep(AllOfRule(**values))


def _any_of_rule(kind: str, body: dict[str, Any], context: ParseContext) -> Rule:
    values, keep = _read(kind, body, {}, "rules", context)
    return keep(AnyOfRule(**values))


def _terms_rule(kind: str, body: dict[str, Any], context: ParseContext) -> Rule:
    options: dict[str, _Option] = {"analyzer": ("analyzer", _text), "use_field": ("use_field", _text)}
    if kind == "fuzzy":
        options |= {
            "term": ("text", _text),
            "prefix_length": ("prefix_length", _int),
            "transpositions": ("transpositions", _flag),
            "fuzziness": ("fuzziness", lambda given, key: parse_fuzziness(_text(given, key))),
        }
    elif kind == "prefix":
        options["prefix"] = ("text", _text)
    else:
        options |= {
            "pattern": ("text", _text),
            "max_expansions": ("max_expansions", _int),
            "case_insensitive": ("any_case", _flag),
        }
    values, _ = _read(kind, body, options, "text", context)
    if values.get("prefix_length", 0) < 0:
        raise IllegalArgument("prefixLength cannot be negative.")
    return TermsRule(kind, **values)


_RULES: dict[str, Callable[[str, dict[str, Any], ParseContext], Rule]] = {
    "match": _match_rule,
    "any_of": _any_of_rule,
    "all_of": _all_of_rule,
    "prefix": _terms_rule,
    "wildcard": _terms_rule,
    "regexp": _terms_rule,
    "fuzzy": _terms_rule,
}
