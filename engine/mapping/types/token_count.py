"""How many tokens an analyzer makes of a text."""

from collections.abc import Mapping
from typing import Any

from lanner.engine.common.errors import IllegalArgument, MapperParsingError
from lanner.engine.mapping.field_type import BuildContext, FieldType, Handler, Values
from lanner.engine.mapping.parameters import DOC_VALUES, INDEX, META, STORE, Parameter, boolean, integer, text
from lanner.engine.mapping.types.integer import Integer32FieldType
from lanner.engine.mapping.types.keyword import text_of
from lanner.ext.index.document_plan import Leaf


class TokenCountFieldType(Integer32FieldType):
    """A number that is counted."""

    type_name = "token_count"
    parameters = (
        INDEX,
        DOC_VALUES,
        STORE,
        Parameter("analyzer", None, text),
        Parameter("null_value", None, integer, nullable=True),
        Parameter("enable_position_increments", True, boolean),
        META,
    )

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        super().__init__(name, given, build)
        self.analyzer = build.registry.analyzer(self.get("analyzer"))

    @classmethod
    def read(cls, name: str, given: Mapping[str, Any], build_registry: Any) -> dict[str, Any]:
        """Refuse a definition without an analyzer, or with one that is not there."""
        values = super().read(name, given, build_registry)
        if "analyzer" not in values:
            raise MapperParsingError(f"Analyzer must be set for field [{name}] but wasn't.")
        try:
            build_registry.analyzer(values["analyzer"])
        except IllegalArgument:
            raise IllegalArgument(
                f"analyzer [{values['analyzer']}] has not been configured in mappings"
            ) from None
        return values

    def handler(self) -> Handler:
        """Count the tokens of a value's text, or the steps between their positions as well."""
        field, names, own_name = self.field, self.metadata.field_names, self.name.encode()
        report, null_value = self.reports_names(), self.null_value
        count = self.count_positions if self.get("enable_position_increments") else self.count_tokens

        def handle(value: Any, out: Values) -> None:
            if value is None:
                if null_value is None:
                    return
                number = null_value
            else:
                number = count(value if isinstance(value, str) else text_of(value, self))
            if field is not None:
                out.append((field, number))
                if report:
                    out.append((names, own_name))

        return handle

    def leaf(self) -> Leaf:
        """Leave all values to Python."""
        return FieldType.leaf(self)

    def count_positions(self, value: str) -> int:
        """Return how many positions a text takes."""
        positions = self.analyzer.positions(value)
        return positions[-1] + 1 if positions else 0

    def count_tokens(self, value: str) -> int:
        """Return on how many positions a text has tokens."""
        return len(set(self.analyzer.positions(value)))
