"""Positive numbers that scores are made of: a field that is one feature, and one that holds many by name.

A value is kept as Lucene's FeatureField does: the upper half of the bits of a 32-bit float, here as a term.
"""

import struct
from collections.abc import Callable
from math import inf, isfinite
from typing import Any, ClassVar

from lanner.engine.common.body import parse_double, token_name
from lanner.engine.common.errors import IllegalArgument, LannerError, MapperParsingError
from lanner.engine.mapping.field_type import (
    BuildContext,
    FieldType,
    Handler,
    Values,
    each,
    token_fault,
    token_of,
)
from lanner.engine.mapping.number_encoding import PACK_FLOAT, to_float
from lanner.engine.mapping.parameters import META, Parameter, boolean
from lanner.engine.query.base import Query
from lanner.ext.index.schema import DOCS, TERM, Field
from lanner.ext.json.number import float32, float32_text

_LEAST = struct.unpack("<f", b"\x00\x00\x80\x00")[0]  # the least normal number
_SEPARATOR = b"\x00"  # between a name and a value


def feature_term(name: str) -> bytes:
    """Return what the terms of a feature begin with, in a column of many."""
    return name.encode("utf-8", "replace") + _SEPARATOR


def feature_bytes(value: float, feature: str, column: str) -> bytes:
    """Return what is kept of a value; raises IllegalArgument for one that is no positive normal float."""
    if not isfinite(value):
        shown = float32_text(value).decode().strip('"')
        raise IllegalArgument(
            f"featureValue must be finite, got: {shown} for feature {feature} on field {column}"
        )
    if value < _LEAST:
        raise IllegalArgument(
            f"featureValue must be a positive normal float, got: {float32_text(value).decode()} for "
            f"feature {feature} on field {column} which is less than the "
            "minimum positive normal float: 1.17549435E-38"
        )
    bits: int = struct.unpack("<I", PACK_FLOAT(value))[0]
    return (bits >> 15).to_bytes(2, "big")


class FeatureFieldType(FieldType):
    """What both kinds share. positive: whether a greater value makes a greater score."""

    parameters = (
        Parameter("positive_score_impact", True, boolean),
        Parameter("index", True, boolean, ignored=True),
        META,
    )

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        super().__init__(name, given, build)
        self.positive: bool = self.get("positive_score_impact")

    takes_lists = True  # to see that there are not several

    def make_field(self, build: BuildContext) -> Field | None:
        """Return a column of terms."""
        return Field(self.name, build.number(self.name), TERM, postings=DOCS)

    def kept(self, value: float, feature: str, column: str) -> bytes:
        """Return what is kept of a value, turned around if less is better."""
        if not self.positive:
            value = to_float(1 / value) if value else inf
        return feature_bytes(value, feature, column)

    def term_query(self, value: Any) -> Query:
        """Refuse."""
        raise IllegalArgument(f"Queries on [{self.type_name}] fields are not supported")

    def terms_query(self, values: list[Any]) -> Query:
        """Refuse."""
        return self.term_query(None)

    def check_sortable(self) -> None:
        """Refuse."""
        raise IllegalArgument(f"[{self.type_name}] fields do not support sorting, scripting or aggregating")

    def source_shower(self, pattern: str | None) -> Callable[[Any], list[Any]]:
        """Show the values."""
        if pattern is not None:
            raise IllegalArgument(f"Field [{self.name}] of type [{self.type_name}] doesn't support formats.")
        return lambda value: [self.shown(value)]

    def shown(self, value: Any) -> Any:
        """Return a value of a source as ``fields`` shows it."""
        return value


class RankFeatureFieldType(FeatureFieldType):
    """One feature."""

    type_name = "rank_feature"
    prefix: ClassVar[bytes] = b""  # of its terms

    def handler(self) -> Handler:
        """Take one number."""
        field, names, own_name = self.field, self.metadata.field_names, self.name.encode()
        assert field is not None

        def handle(value: Any, out: Values) -> None:
            if type(value) is list:
                each(value, lambda one: handle(one, out))
                return
            if value is None:
                return
            try:
                number = self.read_number(value)
                if any(column is field for column, _ in out):
                    raise IllegalArgument(
                        "[rank_feature] fields do not support indexing multiple values for the same field "
                        f"[{self.name}] in the same document"
                    )
                kept = self.kept(number, self.name, "_feature")
            except LannerError as error:
                beyond = isinstance(value, float) and not isfinite(to_float(value))
                raise self.fault(to_float(value) if beyond else value, error) from None
            out.append((field, kept))
            out.append((names, own_name))

        return handle

    @staticmethod
    def read_number(value: Any) -> float:
        """Return a number of a document as a 32-bit float."""
        if isinstance(value, str):
            return to_float(parse_double(value))
        if isinstance(value, bool | dict):
            raise token_fault(token_of(value), value, "not numeric, can not use numeric value accessors")
        return to_float(value)

    def shown(self, value: Any) -> Any:
        """Return the number."""
        return float32(self.read_number(value))


class RankFeaturesFieldType(FeatureFieldType):
    """Many features by name."""

    type_name = "rank_features"

    def handler(self) -> Handler:
        """Take objects of names and numbers."""
        field = self.field
        assert field is not None

        def handle(value: Any, out: Values) -> None:
            if type(value) is list:
                each(value, lambda one: handle(one, out))
                return
            try:
                take(value, out)
            except LannerError as error:
                raise MapperParsingError("failed to parse", caused_by=error) from None

        def take(value: Any, out: Values) -> None:
            if not isinstance(value, dict):
                raise IllegalArgument(
                    "[rank_features] fields must be json objects, expected a START_OBJECT but got: "
                    f"{token_name(value)}"
                )
            # several objects of one document must not name a feature twice
            seen = {term[:-2] for column, term in out if column is field} if value else set()
            for feature, number in value.items():
                if number is None:
                    continue
                if isinstance(number, bool | dict | list):
                    raise IllegalArgument(
                        "[rank_features] fields take hashes that map a feature to a strictly positive float, "
                        f"but got unexpected token {token_name(number)}"
                    )
                name = feature_term(feature)
                if name in seen:
                    raise IllegalArgument(
                        "[rank_features] fields do not support indexing multiple values for the same rank "
                        f"feature [{self.name}.{feature}] in the same document"
                    )
                read = parse_double(number) if isinstance(number, str) else number
                out.append((field, name + self.kept(to_float(read), feature, self.name)))

        return handle

    def exists_query(self) -> Query:
        """Refuse."""
        raise IllegalArgument("[rank_features] fields do not support [exists] queries")
