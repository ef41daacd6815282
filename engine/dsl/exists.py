"""exists: documents that have any value of a field."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, read_text
from lanner.engine.common.wildcards import is_pattern
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, check_field_name, read_common
from lanner.engine.query.base import Query
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.constant_score import ConstantScoreQuery
from lanner.engine.query.match_all import NO_MATCH


@dataclass(frozen=True, slots=True)
class ExistsDsl(DslQuery):
    """A field, an object or a pattern of fields."""

    field: str

    def build(self, context: DslContext) -> Query:
        """Return the documents with any of the fields that the name stands for."""
        mapping = context.mapping
        if is_pattern(self.field):
            names = mapping.match_fields(self.field)
        elif mapping.is_object(self.field):
            names = mapping.fields_below(self.field)
        else:
            field = mapping.field_type(self.field)
            if field is None:
                return NO_MATCH
            context.count(1)
            return ConstantScoreQuery(field.exists_query())
        fields = [found for name in names if (found := mapping.field_type(name)) is not None]
        if not fields:
            return NO_MATCH
        context.count(len(fields))
        return ConstantScoreQuery(BooleanQuery(should=tuple(one.exists_query() for one in fields)))


def parse_exists(body: dict[str, Any], context: ParseContext) -> ExistsDsl:
    """Read the body of an exists query."""
    values: dict[str, Any] = {}
    for key, value in body.items():
        if key == "field" or isinstance(value, dict | list) or value is None:
            text = read_text("exists", body, key)
            values["field"] = text
        else:
            read_common("exists", body, key, values)
    if "field" not in values:
        raise LocatedError("[exists] must be provided with a [field]", Anchor(body, None, "close"))
    check_field_name(values["field"])
    return ExistsDsl(**values)
