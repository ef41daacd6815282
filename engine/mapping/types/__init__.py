"""The field types, by the name that a mapping gives them.

This table reads as the list of what fields can be.
"""

from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.types.boolean import BooleanFieldType
from lanner.engine.mapping.types.date import DateFieldType
from lanner.engine.mapping.types.floating import DoubleFieldType, FloatFieldType, HalfFloatFieldType
from lanner.engine.mapping.types.integer import (
    ByteFieldType,
    Integer32FieldType,
    LongFieldType,
    ShortFieldType,
)
from lanner.engine.mapping.types.ip import IpFieldType
from lanner.engine.mapping.types.keyword import KeywordFieldType
from lanner.engine.mapping.types.text import TextFieldType

FIELD_TYPES: dict[str, type[FieldType]] = {
    "text": TextFieldType,
    "keyword": KeywordFieldType,
    "long": LongFieldType,
    "integer": Integer32FieldType,
    "short": ShortFieldType,
    "byte": ByteFieldType,
    "double": DoubleFieldType,
    "float": FloatFieldType,
    "half_float": HalfFloatFieldType,
    "boolean": BooleanFieldType,
    "date": DateFieldType,
    "ip": IpFieldType,
}

#: what the API has beside these; a mapping that names one is refused with a text that says so
UNSUPPORTED_TYPES = frozenset(
    (
        "alias",
        "binary",
        "completion",
        "constant_keyword",
        "date_nanos",
        "date_range",
        "derived",
        "double_range",
        "flat_object",
        "float_range",
        "geo_point",
        "geo_shape",
        "integer_range",
        "ip_range",
        "join",
        "long_range",
        "match_only_text",
        "nested",
        "percolator",
        "rank_feature",
        "rank_features",
        "scaled_float",
        "search_as_you_type",
        "star_tree",
        "token_count",
        "unsigned_long",
        "wildcard",
    )
)
