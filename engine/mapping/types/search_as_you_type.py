"""Text of which any beginning of any words in a row is found while somebody types."""

from collections.abc import Mapping
from typing import Any

from lanner.engine.analysis.filters.grams import beginnings, fixed_shingles
from lanner.engine.common.errors import MapperParsingError
from lanner.engine.mapping.field_type import BuildContext
from lanner.engine.mapping.parameters import Parameter, boolean, integer
from lanner.engine.mapping.types.text import TextFieldType
from lanner.engine.mapping.types.text_parts import PrefixPart, ShinglePart

_LONGEST = 20  # of the beginnings that are kept
_MOST_WORDS = 4
_OWN = (
    "index",
    "store",
    "index_options",
    "norms",
    "term_vector",
    "analyzer",
    "search_analyzer",
    "search_quote_analyzer",
    "similarity",
    "boost",
    "meta",
)
_SHOWN_ORDER = (
    "index",
    "store",
    "doc_values",
    "max_shingle_size",
    "analyzer",
    "search_analyzer",
    "search_quote_analyzer",
    "similarity",
    "index_options",
    "norms",
    "term_vector",
    "meta",
    "fields",
    "copy_to",
)


def _no_columns(field: str, value: Any) -> bool:
    if boolean(field, value):
        raise MapperParsingError("Cannot set [doc_values] on field of type [search_as_you_type]")
    return False


def _words(_: str, value: Any) -> int:
    size = integer(_, value)
    if not 2 <= size <= _MOST_WORDS:
        raise MapperParsingError(
            f"[max_shingle_size] must be at least [2] and at most [{_MOST_WORDS}], got [{size}]"
        )
    return size


class SearchAsYouTypeFieldType(TextFieldType):
    """Words, two and more of them in a row, and the beginnings of such rows."""

    type_name = "search_as_you_type"
    parameters = (
        *(parameter for parameter in TextFieldType.parameters if parameter.name in _OWN),
        Parameter("doc_values", False, _no_columns),
        Parameter("max_shingle_size", 3, _words),
    )
    render_order = _SHOWN_ORDER

    @classmethod
    def render(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Show always how many words in a row there are."""
        shown = super().render(given)
        shown.pop("boost", None)
        shown["doc_values"] = False
        shown["max_shingle_size"] = given.get("max_shingle_size", 3)
        return {name: shown[name] for name in _SHOWN_ORDER if name in shown}

    def make_parts(self, build: BuildContext) -> None:
        """Keep rows of each size, and the beginnings of the longest ones, which may end with the text."""
        if not self.indexed:
            return
        most = self.get("max_shingle_size")
        prefixes = PrefixPart(
            self,
            build,
            1,
            _LONGEST,
            indexing=(fixed_shingles(most, beyond=most - 1), beginnings(1, _LONGEST, preserve=True)),
            searching=(fixed_shingles(most),),
        )
        rows = tuple(ShinglePart(f"_{size}gram", self, build, size) for size in range(2, most + 1))
        self.prefix_part = prefixes
        self.phrase_parts = rows
        for row in rows:
            row.prefix_part = prefixes
        self.parts = (*rows, prefixes)
