"""The `_analyze` request: parsed, checked, run, and explained part by part."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lanner.engine.analysis.analyzer import Analyzer
from lanner.engine.analysis.registry import AnalysisRegistry, Reference, ready_made, transient_analyzer
from lanner.engine.common.body import Anchor, LocatedXContentError, find, scalar_text, token_name
from lanner.engine.common.errors import (
    ActionRequestValidation,
    IllegalArgument,
    IllegalStateError,
    LannerError,
    ParseError,
    XContentParseError,
)
from lanner.ext.analysis.chain import Chain

# term, start_offset, end_offset, position, type, position_length, frequency, keyword, payload
Token: TypeAlias = tuple[bytes, int, int, int, str, int, int, bool, bytes | None]

# how explain names analyzers outside an index, where that is not their name
CLASS_NAMES = {"fingerprint": "org.opensearch.analysis.common.FingerprintAnalyzer"}

MAX_TOKEN_COUNT = 10_000  # index.analyze.max_token_count


@dataclass(frozen=True, slots=True)
class AnalyzeRequest:
    """One request, its body checked for shape."""

    text: Sequence[str] = ()
    analyzer: str | None = None
    tokenizer: Reference | None = None
    token_filters: Sequence[Reference] = ()
    char_filters: Sequence[Reference] = ()
    field: str | None = None
    normalizer: str | None = None
    explain: bool = False
    attributes: Sequence[str] = ()


class _Reader:
    """Reads values of the body. With the raw text at hand, complaints carry line and column."""

    def __init__(self, body: Any, raw: bytes) -> None:
        self.body = body
        self.raw = raw

    def fault(self, reason: str, anchor: Anchor, cause: LannerError | None = None) -> LannerError:
        """Return the error for a place; {place} in the cause's reason becomes line and column."""
        place = find(anchor, self.body, self.raw) if self.raw else None
        if cause is not None:
            cause.reason = cause.reason.replace("{place}", f"{place[0]}:{place[1]}" if place else "1:1")
        if place is None:
            return LocatedXContentError(f"[analyze_request] {reason}", anchor, caused_by=cause)
        return XContentParseError(f"[{place[0]}:{place[1]}] [analyze_request] {reason}", caused_by=cause)

    def refuse(self, key: str, value: Any) -> LannerError:
        """Return the error for a value of the wrong type."""
        return self.fault(
            f"{key} doesn't support values of type: {token_name(value)}", Anchor(self.body, key)
        )

    def refuse_item(self, key: str, items: Any, number: int, cause: LannerError) -> LannerError:
        """Return the error for an element of a list, or for the value itself if it is no list."""
        anchor = Anchor(items, number) if isinstance(items, list) else Anchor(self.body, key)
        return self.fault(f"failed to parse field [{key}]", anchor, cause)

    def string(self, key: str, value: Any) -> str:
        """Return text."""
        if not isinstance(value, str):
            raise self.refuse(key, value)
        return value

    def strings(self, key: str, value: Any) -> list[str]:
        """Return text or a list of scalars as a list of text."""
        if isinstance(value, str):
            return [value]
        for number, item in self.items(key, value):
            if item is None or isinstance(item, Mapping):
                reason = f"Can't get text on a {token_name(item)} at {{place}}"
                raise self.refuse_item(key, value, number, IllegalStateError(reason))
        return [scalar_text(item) for item in value]

    def boolean(self, key: str, value: Any) -> bool:
        """Return a boolean, which may be given as text."""
        if isinstance(value, bool):
            return value
        if not isinstance(value, str):
            raise self.refuse(key, value)
        if value not in ("true", "false"):
            reason = f"Failed to parse value [{value}] as only [true] or [false] are allowed."
            raise self.refuse_item(key, value, 0, IllegalArgument(reason))
        return value == "true"

    def reference(self, key: str, value: Any) -> Reference:
        """Return a name or a definition."""
        if not isinstance(value, str | Mapping):
            raise self.refuse(key, value)
        return value

    def items(self, key: str, value: Any) -> Iterator[tuple[int, Any]]:
        """Yield the numbered items of a list, in which there may be no lists."""
        if not isinstance(value, list):
            raise self.refuse(key, value)
        for number, item in enumerate(value):
            if isinstance(item, list):
                raise self.refuse_item(
                    key, value, number, IllegalStateError("expected value but got [START_ARRAY]")
                )
            yield number, item

    def references(self, key: str, value: Any) -> list[Reference]:
        """Return names and definitions."""
        if isinstance(value, Mapping):
            return [value]
        for number, item in self.items(key, value):
            if not isinstance(item, str | Mapping):
                reason = f"[{{place}}] Expected [VALUE_STRING] or [START_OBJECT], got {token_name(item)}"
                raise self.refuse_item(key, value, number, XContentParseError(reason))
        return list(value)


# key of the body -> (attribute of AnalyzeRequest, how it is read)
FIELDS: dict[str, tuple[str, Callable[[_Reader, str, Any], Any]]] = {
    "text": ("text", _Reader.strings),
    "analyzer": ("analyzer", _Reader.string),
    "tokenizer": ("tokenizer", _Reader.reference),
    "filter": ("token_filters", _Reader.references),
    "char_filter": ("char_filters", _Reader.references),
    "field": ("field", _Reader.string),
    "explain": ("explain", _Reader.boolean),
    "attributes": ("attributes", _Reader.strings),
    "normalizer": ("normalizer", _Reader.string),
}


def parse_analyze_request(body: Any, *, raw: bytes = b"") -> AnalyzeRequest:
    """Return the request of a decoded body; raw is its text, for the places in complaints."""
    if body is None:
        raise ParseError("request body or source parameter is required")
    reader = _Reader(body, raw)
    if not isinstance(body, Mapping):
        raise reader.fault(f"Expected START_OBJECT but was: {token_name(body)}", Anchor(None))
    values = {}
    for key, value in body.items():
        if key not in FIELDS:
            raise reader.fault(f"unknown field [{key}]", Anchor(body, key, "key"))
        name, read = FIELDS[key]
        values[name] = read(reader, key, value)
    return AnalyzeRequest(**values)


def validate(request: AnalyzeRequest, *, has_index: bool) -> None:
    """Raise ActionRequestValidation with all that is wrong with the combination of keys."""
    parts = bool(request.tokenizer is not None or request.char_filters or request.token_filters)
    named = request.normalizer is not None
    rules = (
        (not request.text, "text is missing"),
        (named and not has_index, "index is required if normalizer is specified"),
        (
            named and (request.tokenizer is not None or request.analyzer is not None),
            "tokenizer/analyze should be null if normalizer is specified",
        ),
        (request.analyzer is not None and parts, "cannot define extra components on a named analyzer"),
        (named and parts, "cannot define extra components on a named normalizer"),
        (request.field is not None and parts, "cannot define extra components on a field-specific analyzer"),
    )
    problems = [problem for broken, problem in rules if broken]
    if problems:
        numbered = "".join(f"{number}: {problem};" for number, problem in enumerate(problems, 1))
        raise ActionRequestValidation(f"Validation Failed: {numbered}")


def analyze(
    request: AnalyzeRequest,
    registry: AnalysisRegistry | None = None,
    field_analyzer: Callable[[str], Analyzer | None] | None = None,
    *,
    max_token_count: int = MAX_TOKEN_COUNT,
) -> dict[str, Any]:
    """Return the answer.

    registry: that of the index, None without one. field_analyzer: the analyzer of a field of the index, None
    for a field that is not mapped; it raises IllegalArgument for fields that are no text.
    """
    validate(request, has_index=registry is not None)
    analyzer = choose_analyzer(request, registry, field_analyzer)
    if not request.explain:
        tokens = numbered(
            analyzer.position_increment_gap, map(analyzer.chain.run, request.text), max_token_count
        )
        return {"tokens": [_render(token) for token in tokens]}
    wanted = {name.lower() for name in request.attributes}
    if analyzer.custom:
        return {"detail": _explain_parts(analyzer, request.text, wanted, max_token_count)}
    tokens = numbered(analyzer.position_increment_gap, map(analyzer.chain.run, request.text), max_token_count)
    shown = _explain_tokens(tokens, wanted, analyzer.chain)
    return {"detail": {"custom_analyzer": False, "analyzer": {"name": analyzer.name, "tokens": shown}}}


def choose_analyzer(
    request: AnalyzeRequest,
    registry: AnalysisRegistry | None,
    field_analyzer: Callable[[str], Analyzer | None] | None,
) -> Analyzer:
    """Return the analyzer that a request means; raises IllegalArgument."""
    if request.tokenizer is not None or request.token_filters or request.char_filters:
        return transient_analyzer(registry, request.tokenizer, request.char_filters, request.token_filters)
    if request.analyzer is not None:
        if registry is not None:
            return registry.analyzer(request.analyzer).renamed(request.analyzer)
        return _global_analyzer(request.analyzer)
    if request.normalizer is not None and registry is not None:
        return registry.normalizer(request.normalizer)
    if request.field is not None:
        if registry is None:
            raise IllegalArgument("analysis based on a specific field requires an index")
        found = field_analyzer(request.field) if field_analyzer else None
        if found is not None:
            return found
    return registry.default.renamed("default") if registry is not None else _global_analyzer("standard")


def _global_analyzer(name: str) -> Analyzer:
    """Return a ready-made analyzer as it is outside an index: with no gap between values."""
    found = ready_made(name)
    if found is None:
        raise IllegalArgument(f"failed to find global analyzer [{name}]")
    return found.renamed(CLASS_NAMES.get(name, name), position_increment_gap=0)


def numbered(gap: int, runs: Iterable[tuple[list[Token], int, int]], max_token_count: int) -> list[Token]:
    """Join the tokens of several texts: positions and offsets go on; raises IllegalStateError."""
    found: list[Token] = []
    position = offset = 0
    for tokens, end_offset, trailing in runs:
        for term, start, end, at, kind, length, frequency, keyword, payload in tokens:
            place = (offset + start, offset + end, position + at)
            found.append((term, *place, kind, length, frequency, keyword, payload))
        if len(found) > max_token_count:
            raise IllegalStateError(
                "The number of tokens produced by calling _analyze has exceeded the allowed maximum of "
                f"[{max_token_count}]. This limit can be set by changing the [index.analyze.max_token_count] "
                "index level setting."
            )
        position += (tokens[-1][3] + 1 if tokens else 0) + trailing + gap
        offset += end_offset + 1
    return found


def _explain_parts(
    analyzer: Analyzer, texts: Sequence[str], wanted: Collection[str], max_token_count: int
) -> dict[str, Any]:
    """Return what each part of an analyzer makes of the texts."""
    chain = analyzer.chain
    filtered = [chain.filtered(text) for text in texts]
    tokenizer, *filters = (
        _explain_tokens(
            numbered(analyzer.explained_gap, map(stage.run, texts), max_token_count),
            wanted,
            stage,
        )
        for stage in _stages(chain)
    )
    return {
        "custom_analyzer": True,
        "charfilters": [
            {"name": part.name, "filtered_text": [steps[number] for steps in filtered]}
            for number, part in enumerate(analyzer.char_filters)
        ],
        "tokenizer": {"name": analyzer.tokenizer.name, "tokens": tokenizer},
        "tokenfilters": [
            {"name": part.name, "tokens": tokens}
            for part, tokens in zip(analyzer.token_filters, filters, strict=True)
        ],
    }


def _stages(chain: Chain) -> Iterator[Chain]:
    """Yield the chain with none of its filters, with the first, with the first two, and so on."""
    for n in range(len(chain.token_filters) + 1):
        yield Chain(chain.char_filters, chain.tokenizer, chain.token_filters[:n])


def _render(token: Token) -> dict[str, Any]:
    """Return a token as the plain answer shows it."""
    term, start, end, position, kind, length, *_ = token
    shown = {
        "token": term.decode("utf-8", "replace"),
        "start_offset": start,
        "end_offset": end,
        "type": kind,
        "position": position,
    }
    return {**shown, "positionLength": length} if length > 1 else shown


def _explain_tokens(tokens: Iterable[Token], wanted: Collection[str], chain: Chain) -> list[dict[str, Any]]:
    """Return tokens of a chain with the attributes wanted (none named: all), sorted by name."""
    keyword = any(part.marks_keywords for part in chain.token_filters)
    payloads = any(part.has_payloads for part in chain.token_filters)
    shown = []
    for token in tokens:
        term, _, _, _, _, length, frequency, marked, payload = token
        attributes: dict[str, Any] = {"bytes": f"[{term.hex(' ')}]"}
        if keyword:
            attributes["keyword"] = marked
        if payloads:
            attributes["payload"] = None if payload is None else f"[{payload.hex(' ')}]"
        attributes["positionLength"] = length
        attributes["termFrequency"] = frequency
        plain = _render(token)
        plain.pop("positionLength", None)
        plain.update(
            (name, value) for name, value in attributes.items() if not wanted or name.lower() in wanted
        )
        shown.append(plain)
    return shown
