"""Texts that are proposed while somebody types."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from lanner.engine.analysis.analyzer import Analyzer
from lanner.engine.common.body import java_text, scalar_text, token_name
from lanner.engine.common.errors import IllegalArgument, LannerError, MapperParsingError, ParsingError
from lanner.engine.mapping.completion_contexts import (
    ContextType,
    check_paths,
    parse_contexts,
    read_context_types,
)
from lanner.engine.mapping.field_type import (
    MAX_TERM_BYTES,
    BuildContext,
    FieldType,
    Handler,
    Values,
    immense_term,
)
from lanner.engine.mapping.parameters import META, Parameter, boolean, check_analyzer, integer, text
from lanner.engine.query.base import Query
from lanner.engine.query.prefix import PrefixQuery
from lanner.ext.index.schema import DOCS, TERM, Field

MAX_WEIGHT = 2**31 - 1
DEFAULT_LENGTH = 50
SEPARATOR, HOLE, CONTEXT_END, KEY_END = b"\x1f", b"\x1e", b"\x1d", b"\x00"
_MOST_PATHS = 10_000  # of a text through a graph of tokens
_RESERVED = "\x00\x1e\x1f"
_KEYS = ("input", "weight", "contexts")


class Input(NamedTuple):
    """One text that a document proposes."""

    weight: int
    contexts: dict[str, list[str]]


class Waiting(NamedTuple):
    """A text whose contexts are only known when all fields of its document are."""

    text: str
    given: Input


def _length(field: str, value: Any) -> int:
    found = integer(field, value)
    if found <= 0:
        raise IllegalArgument(f"[max_input_length] must be > 0 but was [{found}]")
    return found


def _ignored(name: str) -> Parameter:
    return Parameter(name, None, lambda _, value: value, ignored=True)


class CompletionFieldType(FieldType):
    """Texts with weights. A term is a proposal, see `ext/automaton/completions.pyx`."""

    type_name = "completion"
    takes_lists = True
    sort_refusal = ""
    parameters = (
        Parameter("analyzer", "simple", text),
        Parameter("search_analyzer", None, text, updateable=True),
        Parameter("preserve_separators", True, boolean),
        Parameter("preserve_position_increments", True, boolean),
        Parameter("max_input_length", DEFAULT_LENGTH, _length, updateable=True),
        Parameter("contexts", (), read_context_types),
        META,
        *map(_ignored, ("store", "boost", "index", "similarity", "doc_values", "norms")),
    )

    def __init__(self, name: str, given: Mapping[str, Any], build: BuildContext) -> None:
        registry = build.registry
        self.analyzer: Analyzer = registry.analyzer(given.get("analyzer", "simple"))
        search = given.get("search_analyzer")
        self.search_analyzer: Analyzer = self.analyzer if search is None else registry.analyzer(search)
        super().__init__(name, given, build)
        self.indexed = True
        self.has_doc_values = False
        self.contexts: tuple[ContextType, ...] = self.get("contexts")
        self.settles = bool(self.contexts)

    @classmethod
    def read(cls, name: str, given: Mapping[str, Any], build_registry: Any) -> dict[str, Any]:
        """Check that the analyzers exist."""
        if "max_input_len" in given:
            given = {**given, "max_input_length": given["max_input_len"]}
            del given["max_input_len"]
        values = super().read(name, given, build_registry)
        for parameter in ("analyzer", "search_analyzer"):
            if parameter in values:
                check_analyzer(values[parameter], build_registry)
        return values

    @classmethod
    def render(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Show always what texts are made into."""
        shown: dict[str, Any] = {"analyzer": given.get("analyzer", "simple")}
        if given.get("search_analyzer", shown["analyzer"]) != shown["analyzer"]:
            shown["search_analyzer"] = given["search_analyzer"]
        for key, default in (
            ("preserve_separators", True),
            ("preserve_position_increments", True),
            ("max_input_length", DEFAULT_LENGTH),
        ):
            shown[key] = given.get(key, default)
        if given.get("contexts"):
            shown["contexts"] = [one.render() for one in given["contexts"]]
        if given.get("meta"):
            shown["meta"] = given["meta"]
        return shown

    def get(self, name: str) -> Any:
        """Return a parameter; there are always postings and never doc values."""
        return name == "index" if name in ("index", "doc_values") else super().get(name)

    def make_field(self, build: BuildContext) -> Field | None:
        """Return a column of proposals."""
        return Field(self.name, build.number(self.name), TERM, postings=DOCS)

    def check_references(self, fields: Mapping[str, FieldType]) -> None:
        """Refuse contexts whose paths lead to the wrong fields."""
        check_paths(self.name, self.contexts, fields)

    # -- documents

    def handler(self) -> Handler:
        """Take a text, an object, or an array of these."""
        names, own_name, field = self.metadata.field_names, self.name.encode(), self.field
        assert field is not None

        def handle(value: Any, out: Values) -> None:
            inputs = self.inputs(value)
            if value is None:
                return
            for shown, given in inputs.items():
                if self.contexts:
                    out.append((field, Waiting(shown, given)))
                else:
                    out.extend((field, term) for term in self.terms(shown, given.weight, b""))
            out.append((names, own_name))

        return handle

    def values_below(self, value: Any, field: FieldType) -> list[Any]:
        """Return the texts; completions take their weights and contexts as well."""
        inputs = self.inputs(value)
        if not isinstance(field, CompletionFieldType):
            return list(inputs)
        parts = []
        for shown, given in inputs.items():
            part: dict[str, Any] = {"input": shown, "weight": given.weight}
            if field.contexts and given.contexts:
                part["contexts"] = given.contexts
            parts.append(part)
        return parts

    def inputs(self, value: Any) -> dict[str, Input]:
        """Return the texts of a value, each with its greatest weight; raises what the API answers."""
        found: dict[str, Input] = {}
        for one in value if isinstance(value, list) else [value]:
            if value is None:
                break
            name = self.name.rsplit(".", 1)[-1]
            if isinstance(one, str):
                _add(found, one, Input(1, {}))
            elif isinstance(one, dict):
                self._read_object(one, found)
            else:
                name = "null" if isinstance(value, list) else name
                cause = ParsingError(
                    f"failed to parse [{name}]: expected text or object, but got {token_name(one)}"
                )
                raise self._refusal(cause)
        limit = self.get("max_input_length")
        return {_cut(text, limit): given for text, given in found.items() if text}

    def _refusal(self, cause: LannerError) -> LannerError:

        return MapperParsingError("failed to parse", caused_by=cause)

    def _read_object(self, value: dict[str, Any], found: dict[str, Input]) -> None:
        texts: list[str] = []
        weight = 1
        contexts: dict[str, list[str]] = {}
        try:
            for key, item in value.items():
                if key not in _KEYS:
                    raise IllegalArgument(
                        f"unknown field name [{key}], must be one of [input, weight, contexts]"
                    )
                if key == "input":
                    texts = _read_input(item)
                elif key == "weight":
                    weight = _read_weight(item)
                elif not self.contexts:
                    raise IllegalArgument(f"contexts field is not supported for field: [{self.name}]")
                else:
                    contexts = parse_contexts(item, self.contexts)
        except LannerError as error:
            raise self._refusal(error) from None
        for one in texts:
            _add(found, one, Input(weight, contexts))

    def settle(self, values: Values, id: str, routing: str | None) -> None:  # noqa: A002
        """Put terms in the place of texts whose contexts depend on other fields."""
        if not any(type(value) is Waiting for _, value in values):
            return
        waiting = [value for field, value in values if field is self.field and type(value) is Waiting]
        values[:] = [item for item in values if not (item[0] is self.field and type(item[1]) is Waiting)]
        assert self.field is not None
        for text_, given in waiting:
            contexts = self._contexts_of(given, values)
            if not contexts:
                raise IllegalArgument(
                    f"Contexts are mandatory in context enabled completion field [{self.name}]"
                )
            for context in contexts:
                values.extend((self.field, term) for term in self.terms(text_, given.weight, context))

    def _contexts_of(self, given: Input, values: Values) -> list[bytes]:
        found: dict[bytes, None] = {}
        for number, kind in enumerate(self.contexts):
            texts = list(given.contexts.get(kind.name, ()))
            if kind.path is not None:
                texts += [kind.of_column(value) for field, value in values if field.name == kind.path]
            for one in texts:
                if "\x1d" in one:
                    shown = chr(number) + one
                    at = shown.index("\x1d")
                    raise IllegalArgument(
                        f"Illegal value [{shown}] UTF-16 codepoint [0x1d] at position {at} is a reserved "
                        "character"
                    )
                found[context_start(number) + one.encode("utf-8", "replace") + CONTEXT_END] = None
        return list(found)

    def terms(self, shown: str, weight: int, context: bytes) -> list[bytes]:
        """Return the proposals that a text is, in front of each a context."""
        for i, char in enumerate(shown):
            if char in _RESERVED:
                cause = IllegalArgument(
                    f"Illegal input [{shown}] UTF-16 codepoint [{hex(ord(char))}] at position {i} is a "
                    "reserved character"
                )
                raise self._refusal(cause)
        tail = KEY_END + (MAX_WEIGHT - weight).to_bytes(4, "big") + shown.encode("utf-8", "replace")
        found = [context + key + tail for key in self.keys(self.analyzer, shown)]
        for term in found:
            if len(term) > MAX_TERM_BYTES:
                raise immense_term(self.name, term)
        return found

    def keys(self, analyzer: Analyzer, shown: str) -> list[bytes]:
        """Return what an analyzer makes of a text: its tokens in a row, on each way through them."""
        return keys_of(
            analyzer,
            shown,
            separator=SEPARATOR if self.get("preserve_separators") else b"",
            holes=self.get("preserve_position_increments"),
        )

    # -- queries

    @property
    def searchable(self) -> bool:
        """Return that there are postings."""
        return True

    def query_analyzer(self, *, quoted: bool = False) -> Any | None:
        """Return the analyzer of what somebody types."""
        return self.search_analyzer

    def term_query(self, value: Any) -> Query:
        """Return the documents that propose what is analysed to a text."""
        return PrefixQuery(self.name, java_text(value).encode("utf-8", "replace") + KEY_END)

    def check_sortable(self) -> None:
        """Refuse: there are no values by document."""
        raise IllegalArgument(f"Fielddata is not supported on field [{self.name}] of type [completion]")

    def doc_values_format(self, pattern: str | None) -> Callable[[Any], Any]:
        """Refuse: there are no values by document."""
        self.check_sortable()
        raise AssertionError


def context_start(number: int) -> bytes:
    """Return the byte that stands before the contexts of a field's n-th kind; 0x00 ends keys."""
    return chr(number + 1).encode()


def _add(found: dict[str, Input], shown: str, given: Input) -> None:
    if shown not in found or found[shown].weight < given.weight:
        found[shown] = given


def _cut(shown: str, limit: int) -> str:
    """Return the first UTF-16 units of a text, one more where the last would be half a character."""
    if len(shown) * 2 <= limit or (shown.isascii() and len(shown) <= limit):
        return shown
    units = 0
    for i, char in enumerate(shown):
        if units >= limit:
            return shown[:i]
        units += 1 + (char > "\uffff")
    return shown


def _read_input(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        raise IllegalArgument(f"input must be a string or array, but was [{token_name(value)}]")
    for one in value:
        if not isinstance(one, str):
            raise IllegalArgument(f"input array must have string values, but was [{token_name(one)}]")
    return value


def _read_weight(value: Any) -> int:

    if value is None or isinstance(value, bool | list | dict):
        raise IllegalArgument(f"weight must be a number or string, but was [{token_name(value)}]")
    shown = scalar_text(value)
    try:
        weight = int(shown) if shown.lstrip("+-").isascii() and shown.lstrip("+-").isdigit() else None
    except ValueError:
        weight = None
    if weight is None:
        raise IllegalArgument(f"weight must be an integer, but was [{shown}]")
    if not 0 <= weight <= MAX_WEIGHT:
        raise IllegalArgument(f"weight must be in the interval [0..2147483647], but was [{shown}]")
    return weight


def keys_of(analyzer: Analyzer, shown: str, *, separator: bytes, holes: bool) -> list[bytes]:
    """Return the texts that tokens make, joined by separators.

    A position without a token is a hole, unless it is behind the last one.

    Source: Lucene's TokenStreamToAutomaton and ConcatenateGraphFilter.
    """
    edges: dict[int, list[tuple[bytes, int]]] = {}
    reached = {0}
    position = last = -1
    for term, _, _, at, _, length, *_ in analyzer.chain.tokens(shown):
        if at != last:
            position += (at - last) if holes else 1
            last = at
        back = position
        while back not in reached:  # nothing leads here: holes do
            back -= 1
            edges.setdefault(back, []).append((HOLE, back + 1))
        reached.update(range(back, position))
        edges.setdefault(position, []).append((term.replace(KEY_END, b""), position + length))
        reached.add(position + length)
    if position < 0:
        return []
    found: dict[bytes, None] = {}
    pending: list[tuple[int, bytes | None]] = [(0, None)]
    while pending:
        node, before = pending.pop()
        if node > position:
            found[before or b""] = None
            if len(found) >= _MOST_PATHS:
                break
            continue
        for term, to in reversed(edges.get(node, ())):
            pending.append((to, term if before is None else before + separator + term))
    return list(found)
