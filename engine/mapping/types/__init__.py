"""The field types, by the name that a mapping gives them.

This table reads as the list of what fields can be.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from lanner.engine.mapping.field_type import FieldType


class FieldTypes(Mapping[str, type[FieldType]]):
    """Types by name: the module here and its class, imported when the first field of a type comes."""

    def __init__(self, table: dict[str, str]) -> None:
        self._table = table

    def __getitem__(self, name: str) -> type[FieldType]:
        return _load(self._table[name])

    def __contains__(self, name: object) -> bool:
        return name in self._table

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)


@cache
def _load(place: str) -> type[FieldType]:
    module, _, name = place.partition(".")
    found: type[FieldType] = getattr(import_module(f"{__name__}.{module}"), name)
    return found


FIELD_TYPES = FieldTypes(
    {
        "text": "text.TextFieldType",
        "keyword": "keyword.KeywordFieldType",
        "long": "integer.LongFieldType",
        "integer": "integer.Integer32FieldType",
        "short": "integer.ShortFieldType",
        "byte": "integer.ByteFieldType",
        "double": "floating.DoubleFieldType",
        "float": "floating.FloatFieldType",
        "half_float": "floating.HalfFloatFieldType",
        "boolean": "boolean.BooleanFieldType",
        "date": "date.DateFieldType",
        "date_nanos": "date_nanos.DateNanosFieldType",
        "ip": "ip.IpFieldType",
        "scaled_float": "scaled_float.ScaledFloatFieldType",
        "unsigned_long": "unsigned_long.UnsignedLongFieldType",
        "token_count": "token_count.TokenCountFieldType",
        "search_as_you_type": "search_as_you_type.SearchAsYouTypeFieldType",
        "match_only_text": "match_only_text.MatchOnlyTextFieldType",
        "constant_keyword": "constant_keyword.ConstantKeywordFieldType",
        "binary": "binary.BinaryFieldType",
        "wildcard": "wildcard.WildcardFieldType",
        "geo_point": "geo_point.GeoPointFieldType",
        "completion": "completion.CompletionFieldType",
        "geo_shape": "geo_shape.GeoShapeFieldType",
        "integer_range": "ranges.IntegerRangeFieldType",
        "long_range": "ranges.LongRangeFieldType",
        "float_range": "ranges.FloatRangeFieldType",
        "double_range": "ranges.DoubleRangeFieldType",
        "date_range": "ranges.DateRangeFieldType",
        "ip_range": "ranges.IpRangeFieldType",
        "rank_feature": "rank_feature.RankFeatureFieldType",
        "rank_features": "rank_feature.RankFeaturesFieldType",
        "flat_object": "flat_object.FlatObjectFieldType",
        "join": "join.JoinFieldType",
        "percolator": "percolator.PercolatorFieldType",
        "alias": "alias.AliasFieldType",
    }
)

#: what the API has beside these; a mapping that names one is refused with a text that says so
UNSUPPORTED_TYPES = frozenset(
    (
        "derived",
        "star_tree",
    )
)
