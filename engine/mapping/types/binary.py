"""Bytes in base64, which are kept with the document and cannot be searched."""

import base64
import binascii
from typing import Any

from lanner.engine.common.errors import IllegalArgument, QueryShardError
from lanner.engine.mapping.field_type import BuildContext, FieldType, Handler, Values
from lanner.engine.mapping.parameters import META, STORE, Parameter, boolean
from lanner.engine.mapping.types.keyword import text_of
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.term import TermQuery
from lanner.ext.index.schema import Field


class BinaryFieldType(FieldType):
    """Bytes."""

    type_name = "binary"
    parameters = (
        STORE,
        Parameter("doc_values", False, boolean),
        Parameter("index", False, boolean, ignored=True),
        META,
    )

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        super().__init__(name, given, build)
        #: whether anything but the source knows of the values
        self.kept: bool = self.has_doc_values or self.get("store")

    def make_field(self, build: BuildContext) -> Field | None:
        """Make no column: the source has the bytes."""
        return None

    def handler(self) -> Handler:
        """Check the bytes if they would be kept beside the source, and note that there are some."""
        names, own_name, kept = self.metadata.field_names, self.name.encode(), self.kept

        def handle(value: Any, out: Values) -> None:
            if value is None or not kept:
                return
            given = value if isinstance(value, str) else text_of(value, self)
            try:
                base64.b64decode(given, validate=True)
            except (binascii.Error, ValueError) as error:
                raise self.fault(value, IllegalArgument(f"Illegal base64: {error}")) from None
            out.append((names, own_name))

        return handle

    @property
    def searchable(self) -> bool:
        """Return that nothing can be searched."""
        return False

    def exists_query(self) -> Query:
        """Return the documents with bytes that are kept."""
        return TermQuery("_field_names", self.name.encode()) if self.kept else MatchNoneQuery()

    def term_query(self, value: Any) -> Query:
        """Refuse."""
        raise QueryShardError("Binary fields do not support searching")

    def check_sortable(self) -> None:
        """Refuse."""
        if self.has_doc_values:
            raise IllegalArgument("can't sort on binary field")
        super().check_sortable()
