"""What fields of points and of shapes share."""

from typing import Any

from lanner.engine.common.errors import QueryShardError
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.query.base import Query


class GeometryFieldType(FieldType):
    """A field on the earth, which no query for a value finds."""

    def term_query(self, value: Any) -> Query:
        """Refuse."""
        raise QueryShardError(
            "Geometry fields do not support exact searching, use dedicated geometry queries instead: "
            f"[{self.name}]"
        )

    def terms_query(self, values: list[Any]) -> Query:
        """Refuse."""
        return self.term_query(None)
