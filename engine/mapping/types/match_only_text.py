"""Text that is matched but not ranked: every term scores its boost."""

from collections.abc import Mapping
from typing import Any

from lanner.engine.common.errors import MapperParsingError
from lanner.engine.mapping.types.text import TextFieldType

_FIXED = {"norms": False, "similarity": "boolean", "index_options": "positions"}


class MatchOnlyTextFieldType(TextFieldType):
    """Text without norms; positions are kept, so that phrases need no source."""

    type_name = "match_only_text"

    @classmethod
    def read(cls, name: str, given: Mapping[str, Any], build_registry: Any) -> dict[str, Any]:
        """Refuse norms; what else would not change anything is left out."""
        values = super().read(name, given, build_registry)
        if values.get("norms"):
            raise MapperParsingError("Norms cannot be enabled on for match_only_text field")
        return {key: value for key, value in values.items() if key not in _FIXED}

    def get(self, name: str) -> Any:
        """Return a parameter; some are the same for all fields of this type."""
        return _FIXED[name] if name in _FIXED else super().get(name)
