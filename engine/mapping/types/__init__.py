"""The field types, by the name that a mapping gives them.

This table reads as the list of what fields can be.
"""

from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.types.alias import AliasFieldType
from lanner.engine.mapping.types.binary import BinaryFieldType
from lanner.engine.mapping.types.boolean import BooleanFieldType
from lanner.engine.mapping.types.completion import CompletionFieldType
from lanner.engine.mapping.types.constant_keyword import ConstantKeywordFieldType
from lanner.engine.mapping.types.date import DateFieldType
from lanner.engine.mapping.types.date_nanos import DateNanosFieldType
from lanner.engine.mapping.types.floating import DoubleFieldType, FloatFieldType, HalfFloatFieldType
from lanner.engine.mapping.types.geo_point import GeoPointFieldType
from lanner.engine.mapping.types.integer import (
    ByteFieldType,
    Integer32FieldType,
    LongFieldType,
    ShortFieldType,
)
from lanner.engine.mapping.types.ip import IpFieldType
from lanner.engine.mapping.types.keyword import KeywordFieldType
from lanner.engine.mapping.types.match_only_text import MatchOnlyTextFieldType
from lanner.engine.mapping.types.scaled_float import ScaledFloatFieldType
from lanner.engine.mapping.types.text import TextFieldType
from lanner.engine.mapping.types.token_count import TokenCountFieldType
from lanner.engine.mapping.types.unsigned_long import UnsignedLongFieldType
from lanner.engine.mapping.types.wildcard import WildcardFieldType

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
    "date_nanos": DateNanosFieldType,
    "ip": IpFieldType,
    "scaled_float": ScaledFloatFieldType,
    "unsigned_long": UnsignedLongFieldType,
    "token_count": TokenCountFieldType,
    "match_only_text": MatchOnlyTextFieldType,
    "constant_keyword": ConstantKeywordFieldType,
    "binary": BinaryFieldType,
    "wildcard": WildcardFieldType,
    "geo_point": GeoPointFieldType,
    "completion": CompletionFieldType,
    "alias": AliasFieldType,
}

#: what the API has beside these; a mapping that names one is refused with a text that says so
UNSUPPORTED_TYPES = frozenset(
    (
        "date_range",
        "derived",
        "double_range",
        "flat_object",
        "float_range",
        "geo_shape",
        "integer_range",
        "ip_range",
        "join",
        "long_range",
        "nested",
        "percolator",
        "rank_feature",
        "rank_features",
        "search_as_you_type",
        "star_tree",
    )
)
