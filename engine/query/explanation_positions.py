"""Spans and intervals as Lucene writes them."""

from dataclasses import replace
from typing import TYPE_CHECKING

from lanner.engine.query.base import WeightContext
from lanner.engine.query.explanation import term_text
from lanner.engine.query.multi_term import MultiTermQuery
from lanner.engine.query.positions import Place, expand

if TYPE_CHECKING:
    from lanner.engine.query.explanation import FieldTexts

#: the operations of intervals that are written by their name; BLOCK takes its parts as they are
_NAMES = {
    "any": "or",
    "block": "BLOCK",
    "ordered": "ORDERED",
    "unordered": "UNORDERED",
    "containing": "CONTAINING",
    "contained_by": "CONTAINED_BY",
    "not_containing": "NOT_CONTAINING",
    "not_contained_by": "NOT_CONTAINED_BY",
    "overlapping": "OVERLAPPING",
    "not_overlapping": "NON_OVERLAPPING",
}
_MAX = 2**31 - 1


def span_text(place: Place, fields: "FieldTexts") -> str:
    """Return the text of spans."""
    if place.term is not None:
        return f"{place.term[0]}:{term_text(place.term[1])}"
    if isinstance(place.several, MultiTermQuery):
        return f"SpanMultiTermQueryWrapper({place.several.text(fields)})"
    parts = [span_text(part, fields) for part in place.parts]
    match place.operation:
        case "gap":
            return f"SpanGap(:{place.a})"
        case "span_or":
            return f"spanOr([{', '.join(parts)}])"
        case "ordered_near" | "unordered_near":
            in_order = "true" if place.operation == "ordered_near" else "false"
            return f"spanNear([{', '.join(parts)}], {place.a}, {in_order})"
        case "span_not":
            return f"spanNot({parts[0]}, {parts[1]}, {place.a}, {place.b})"
        case "span_first":
            return f"spanFirst({parts[0]}, {place.a})"
        case "span_containing":
            return f"SpanContaining({parts[0]}, {parts[1]})"
        case "span_within":
            return f"SpanWithin({parts[1]}, {parts[0]})"
    raise ValueError(place.operation)


def spelled_out(place: Place, context: WeightContext) -> Place:
    """Return spans with the terms of every pattern; a choice of one is that one."""
    if place.several is None:
        return replace(place, parts=tuple(spelled_out(part, context) for part in place.parts))
    found = expand(place, context)
    return found.parts[0] if len(found.parts) == 1 else found


def interval_text(place: Place) -> str:
    """Return the text of intervals, with the field that they are in."""
    return f"{_field(place)}:{_interval(place)}"


def _field(place: Place) -> str:
    pending = [place]
    while pending:
        one = pending.pop()
        if one.term is not None:
            return one.term[0]
        if one.several is not None:
            return one.several.field
        pending += reversed(one.parts)
    return ""


def _interval(place: Place) -> str:
    if place.term is not None:
        return term_text(place.term[1])
    if place.several is not None:
        about = "" if isinstance(place.several, MultiTermQuery) else place.several.about
        return f"MultiTerm({about})"
    parts = [_interval(part) for part in place.parts]
    match place.operation:
        case "repeat":
            return ",".join(parts * place.a)
        case "extend":
            return f"EXTEND({parts[0]},{place.a},{place.b})"
        case "most_gaps":
            return f"MAXGAPS/{place.a}({parts[0]})"
        case "before":
            return f"CONTAINED_BY({parts[0]},EXTEND(PRECEDING({parts[1]}),{_MAX},0))"
        case "after":
            return f"CONTAINED_BY({parts[0]},EXTEND(FOLLOWING({parts[1]}),0,{_MAX}))"
    return f"{_NAMES[place.operation]}({','.join(parts)})"
