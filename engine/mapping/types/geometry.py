"""What fields of points and of shapes share."""

from collections.abc import Mapping
from typing import Any

from lanner.engine.common.body import java_text
from lanner.engine.common.errors import MapperParsingError, QueryShardError
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.query.base import Query


class GeometryFieldType(FieldType):
    """A field on the earth, which no query for a value finds."""

    @classmethod
    def read(cls, name: str, given: Mapping[str, Any], build_registry: Any) -> dict[str, Any]:
        """Refuse unknown parameters in the words of these types."""
        known = {parameter.name for parameter in cls.parameters} | {"type"}
        unknown = [f"[{key} : {java_text(value)}]" for key, value in given.items() if key not in known]
        if unknown:
            raise MapperParsingError(
                f"Mapping definition for [{name}] has unsupported parameters:  {' '.join(unknown)}"
            )
        return super().read(name, given, build_registry)

    def term_query(self, value: Any) -> Query:
        """Refuse."""
        raise QueryShardError(
            "Geometry fields do not support exact searching, use dedicated geometry queries instead: "
            f"[{self.name}]"
        )

    def terms_query(self, values: list[Any]) -> Query:
        """Refuse."""
        return self.term_query(None)
