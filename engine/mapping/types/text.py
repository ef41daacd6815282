"""Analysed text."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from lanner.engine.common.body import java_class, java_text
from lanner.engine.common.errors import ClassCastError, IllegalArgument, IllegalStateError, MapperParsingError
from lanner.engine.mapping.field_type import (
    MAX_TERM_BYTES,
    Bounds,
    BuildContext,
    FieldType,
    Handler,
    Values,
    immense_term,
)
from lanner.engine.mapping.number_encoding import LONG_MAX
from lanner.engine.mapping.parameters import (
    BOOST,
    INDEX,
    META,
    STORE,
    Parameter,
    boolean,
    check_analyzer,
    choice,
    integer,
    text,
)
from lanner.engine.mapping.types.keyword import text_of
from lanner.engine.query.base import Query, boosted
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.multi_term import any_case_query
from lanner.engine.query.range import TermRangeQuery
from lanner.engine.query.term import TermQuery
from lanner.engine.query.terms import TermsQuery
from lanner.ext.index.document_plan import STRING, Leaf
from lanner.ext.index.schema import DOCS, FREQS, OFFSETS, POSITIONS, TEXT, Field

if TYPE_CHECKING:
    from lanner.engine.mapping.types.text_parts import PrefixPart, ShinglePart

_POSTINGS = {"positions": POSITIONS, "docs": DOCS, "freqs": FREQS, "offsets": OFFSETS}
_VECTORS = (
    "no",
    "yes",
    "with_positions",
    "with_offsets",
    "with_positions_offsets",
    "with_positions_payloads",
    "with_positions_offsets_payloads",
)
_GAP = 100
_MOST_PREFIX_CHARS = 20
_MOST_OCCURRENCES = 1 << 22  # of terms in one value: each takes room while it waits for its segment
_SHOWN_ORDER = (
    "boost",
    "index",
    "store",
    "fields",
    "copy_to",
    "meta",
    "index_options",
    "term_vector",
    "norms",
    "analyzer",
    "search_analyzer",
    "search_quote_analyzer",
    "similarity",
    "eager_global_ordinals",
    "position_increment_gap",
    "fielddata",
    "index_prefixes",
    "index_phrases",
)


def _as_is(_: str, value: Any) -> Any:
    return value


class PrefixLengths(NamedTuple):
    """How long the beginnings of words are that are kept."""

    min_chars: int = 2
    max_chars: int = 5

    def __str__(self) -> str:
        """Show the lengths as conflicts do."""
        return f"{{ min_chars={self.min_chars}, max_chars={self.max_chars} }}"


def _prefix_lengths(field: str, value: Any) -> PrefixLengths:
    if not isinstance(value, dict):
        raise ClassCastError(
            f"class {java_class(value)} cannot be cast to class java.util.Map ({java_class(value)} and "
            "java.util.Map are in module java.base of loader 'bootstrap')"
        )
    known = {key: integer(field, value[key]) for key in PrefixLengths._fields if key in value}
    unknown = [f"[{key} : {java_text(item)}]" for key, item in value.items() if key not in known]
    least, most = lengths = PrefixLengths(**known)
    if unknown:
        raise MapperParsingError(
            f"Mapping definition for [{field}] has unsupported parameters:  {' '.join(unknown)}"
        )
    if least > most:
        raise IllegalArgument(f"min_chars [{least}] must be less than max_chars [{most}]")
    if least < 1:
        raise IllegalArgument(f"min_chars [{least}] must be greater than zero")
    if most >= _MOST_PREFIX_CHARS:
        raise IllegalArgument(f"max_chars [{most}] must be less than {_MOST_PREFIX_CHARS}")
    return lengths


class TextFieldType(FieldType):
    """Text that an analyzer splits into terms."""

    type_name = "text"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        INDEX,
        STORE,
        Parameter("index_options", "positions", choice("index_options", tuple(_POSTINGS))),
        Parameter("norms", True, boolean, updateable=lambda old, new: old and not new),
        Parameter("term_vector", "no", choice("term_vector", _VECTORS)),
        Parameter("analyzer", "default", text),
        Parameter("search_analyzer", None, text, updateable=True),
        Parameter("search_quote_analyzer", None, text, updateable=True),
        Parameter("position_increment_gap", _GAP, integer),
        Parameter("similarity", None, text, nullable=True, explicit=True),
        Parameter("fielddata", False, boolean, updateable=True),
        Parameter("fielddata_frequency_filter", None, _as_is, updateable=True),
        Parameter("eager_global_ordinals", False, boolean, updateable=True),
        Parameter("index_prefixes", None, _prefix_lengths, nullable=True),
        Parameter("index_phrases", False, boolean),
        BOOST,
        META,
    )
    render_order: ClassVar[tuple[str, ...]] = _SHOWN_ORDER
    #: where beginnings of words are kept, and words in a row by their number from two on
    prefix_part: "PrefixPart | None" = None
    phrase_parts: "tuple[ShinglePart, ...]" = ()

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        registry = build.registry
        chosen = self.given_analyzer(given, "analyzer")
        self.analyzer = (
            registry.default if chosen is None or chosen == "default" else registry.analyzer(chosen)
        )
        search = self.given_analyzer(given, "search_analyzer")
        if search is not None:
            self.search_analyzer = registry.default if search == "default" else registry.analyzer(search)
        elif chosen is not None:
            self.search_analyzer = self.analyzer
        else:
            self.search_analyzer = registry.default_search or self.analyzer
        quoted = self.given_analyzer(given, "search_quote_analyzer")
        self.search_quote_analyzer = self.search_analyzer if quoted is None else registry.analyzer(quoted)
        super().__init__(name, given, build)
        self.has_doc_values = False
        self.make_parts(build)

    def make_parts(self, build: BuildContext) -> None:
        """Make the fields that are kept beside this one."""
        if self.get("index_prefixes") is not None or self.get("index_phrases"):
            from lanner.engine.mapping.types.text_parts import text_parts  # few have them

            self.parts = text_parts(self, build)

    @staticmethod
    def given_analyzer(given: Any, name: str) -> str | None:
        """Return the name of an analyzer parameter, or None."""
        value: str | None = given.get(name)
        return value

    @classmethod
    def read(cls, name: str, given: Any, build_registry: Any) -> dict[str, Any]:
        """Check that the analyzers exist and that the gap makes sense."""
        values = super().read(name, given, build_registry)
        for parameter in ("analyzer", "search_analyzer", "search_quote_analyzer"):
            if parameter in values and values[parameter] != "default":
                check_analyzer(values[parameter], build_registry)
        if values.get("index_prefixes") is not None and values.get("index") is False:
            raise IllegalArgument(f"Cannot set index_prefixes on unindexed field [{name}]")
        if values.get("index_phrases"):
            if values.get("index") is False:
                raise IllegalArgument(f"Cannot set index_phrases on unindexed field [{name}]")
            if values.get("index_options", "positions") in ("docs", "freqs"):
                raise IllegalArgument(
                    f"Cannot set index_phrases on field [{name}] if positions are not enabled"
                )
        if values.get("position_increment_gap") == -1:
            del values["position_increment_gap"]
        if "position_increment_gap" in values:
            if values["position_increment_gap"] < 0:
                raise MapperParsingError(
                    f"[positions_increment_gap] must be positive, got [{values['position_increment_gap']}]"
                )
            if values.get("index") is False or values.get("index_options", "positions") in ("docs", "freqs"):
                raise IllegalArgument(
                    f"Cannot set position_increment_gap on field [{name}] without positions enabled"
                )
        return values

    @classmethod
    def render(cls, given: Any) -> dict[str, Any]:
        """Show an analyzer that is implied by a search analyzer.

        Hide search analyzers that say nothing new.
        """
        shown = super().render(given)
        analyzer = given.get("analyzer", "default")
        search = given.get("search_analyzer", analyzer)
        quoted = given.get("search_quote_analyzer", search)
        for key in ("analyzer", "search_analyzer", "search_quote_analyzer"):
            shown.pop(key, None)
        if given.get("index_prefixes") is not None:
            shown["index_prefixes"] = given["index_prefixes"]._asdict()
        if analyzer != "default" or search != analyzer or quoted != search:
            shown["analyzer"] = analyzer
        if search != analyzer or quoted != search:
            shown["search_analyzer"] = search
        if quoted != search:
            shown["search_quote_analyzer"] = quoted
        return {name: shown[name] for name in (*_SHOWN_ORDER, "fielddata_frequency_filter") if name in shown}

    def make_field(self, build: BuildContext) -> Field | None:
        """Return a column of analysed text."""
        if not self.indexed:
            return None
        gap = self.given.get("position_increment_gap")
        return Field(
            self.name,
            build.number(self.name),
            TEXT,
            postings=_POSTINGS[self.get("index_options")],
            norms=self.get("norms"),
            chain=self.analyzer.chain,
            position_gap=self.analyzer.position_increment_gap if gap is None else gap,
        )

    def handler(self) -> Handler:
        """Take strings at once; numbers and booleans by their text."""
        field = self.field
        names, own_name, report = self.metadata.field_names, self.name.encode(), self.reports_names()
        limit = self._unchecked_length()
        parts = [(part, part.field, part._unchecked_length()) for part in self.parts]

        def slow(value: Any, out: Values) -> None:
            if value is None:
                return
            shown = value if isinstance(value, str) else text_of(value, self)
            if field is not None:
                if len(shown) > limit:
                    self._check_terms(shown)
                out.append((field, shown))
                for part, column, most in parts:
                    if len(shown) > most:
                        part._check_terms(shown)
                    out.append((column, shown))
                if report:
                    out.append((names, own_name))

        if report or parts or field is None:
            return slow

        def handle(value: Any, out: Values) -> None:
            if type(value) is str and len(value) <= limit:
                out.append((field, value))
            else:
                slow(value, out)

        return handle

    def leaf(self) -> Leaf:
        """Take strings, unless the analyzer refuses some of them."""
        if self.parts:
            return FieldType.leaf(self)
        limit = self._unchecked_length()
        return self.plain_leaf(STRING, high=limit) if limit > 0 else super().leaf()

    def _unchecked_length(self) -> int:
        """Return how long a text may be, in characters or bytes, whose terms can be nothing but good."""
        chain = None if self.field is None else self.field.chain
        if chain is None or (chain.bounded and not chain.refuses):
            return LONG_MAX
        return -1 if chain.refuses else MAX_TERM_BYTES // 4

    def _check_terms(self, text: str) -> None:
        """Raise an error for a text whose terms the index does not take."""
        assert self.field is not None
        assert self.field.chain is not None
        occurrences = 0
        for term, _, _, _, _, _, frequency, *_ in self.field.chain.tokens(text):
            if len(term) > MAX_TERM_BYTES:
                raise immense_term(self.name, term)
            if frequency > 1 and self.has_positions:
                raise IllegalStateError(
                    f'field "{self.name}": cannot index positions while using custom TermFrequencyAttribute'
                )
            occurrences += frequency
        if occurrences > _MOST_OCCURRENCES:
            raise IllegalArgument(
                f"the term frequencies of field [{self.name}] add up to more than [{_MOST_OCCURRENCES}]"
            )

    # -- queries

    @property
    def searchable(self) -> bool:
        """Return whether there are postings."""
        return self.indexed

    def check_searchable(self) -> None:
        """Refuse a query on text that is not indexed."""
        if not self.indexed:
            raise IllegalArgument(f"Cannot search on field [{self.name}] since it is not indexed.")

    @property
    def has_positions(self) -> bool:
        """Return whether phrases can be found."""
        return self.get("index_options") in ("positions", "offsets")

    def query_analyzer(self, *, quoted: bool = False) -> Any | None:
        """Return the analyzer of query text."""
        return self.search_quote_analyzer if quoted else self.search_analyzer

    def term_query(self, value: Any) -> Query:
        """Return the documents with a term, which is not analysed."""
        self.check_searchable()
        return boosted(TermQuery(self.name, java_text(value).encode("utf-8", "replace")), self.boost)

    def terms_query(self, values: list[Any]) -> Query:
        """Return the documents with any of the terms."""
        self.check_searchable()
        if not values:
            return MatchNoneQuery()
        return TermsQuery(
            self.name, tuple(sorted({java_text(value).encode("utf-8", "replace") for value in values}))
        )

    def range_query(self, bounds: Bounds, now: Callable[[], int]) -> Query:
        """Return the documents with a term between two others."""
        self.check_searchable()
        lower, upper = bounds.lower, bounds.upper
        return TermRangeQuery(
            self.name,
            None if lower is None else java_text(lower).encode("utf-8", "replace"),
            None if upper is None else java_text(upper).encode("utf-8", "replace"),
            bounds.include_lower,
            bounds.include_upper,
        )

    def pattern_text(self, kind: str, value: Any) -> str:
        """Return the text as it stands: it is not analysed."""
        self.check_searchable()
        return java_text(value)

    def term_query_any_case(self, value: Any) -> Query:
        """Return the documents with a term in any case."""
        self.check_searchable()
        return boosted(any_case_query(self.name, java_text(value)), self.boost)

    def check_sortable(self) -> None:
        """Refuse: text keeps no values by document."""
        raise IllegalArgument(
            "Text fields are not optimised for operations that require per-document field data "
            "like aggregations and "
            "sorting, so these operations are disabled by default. Please use a keyword field "
            "instead. Alternatively, "
            f"set fielddata=true on [{self.name}] in order to load field data by uninverting the "
            "inverted index. Note "
            "that this can use significant memory."
        )
