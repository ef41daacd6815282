"""Another name of a field, for requests that read."""

from collections.abc import Mapping
from typing import Any

from lanner.engine.common.errors import IllegalArgument, MapperParsingError
from lanner.engine.mapping.field_type import BuildContext, FieldType, Handler, Values
from lanner.engine.mapping.parameters import Parameter, text
from lanner.engine.query.base import Query
from lanner.ext.index.schema import Field


class AliasFieldType(FieldType):
    """A field that stands for another. The mapping answers for it with the other, see `Mapping.fields`."""

    type_name = "alias"
    parameters = (Parameter("path", None, text, updateable=True),)

    @classmethod
    def read(cls, name: str, given: Mapping[str, Any], build_registry: Any) -> dict[str, Any]:
        """Refuse a definition without a path."""
        values = super().read(name, given, build_registry)
        if "path" not in values:
            raise MapperParsingError(f"The [path] property must be specified for field [{name}].")
        return values

    def make_field(self, build: BuildContext) -> Field | None:
        """Make no column."""
        return None

    def handler(self) -> Handler:
        """Refuse values."""

        def handle(value: Any, out: Values) -> None:
            raise MapperParsingError(
                "failed to parse", caused_by=IllegalArgument(f"Cannot write to a field alias [{self.name}].")
            )

        return handle

    def term_query(self, value: Any) -> Query:
        """Never asked: the other field is."""
        raise NotImplementedError
