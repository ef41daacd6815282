"""The functions of function_score: each reads its body, and becomes a compiled function over an index."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import partial
from math import log
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    java_text,
    parse_double,
    read_number,
    read_text,
    token_name,
)
from lanner.engine.common.errors import IllegalArgument, ParseError
from lanner.engine.common.geo import Point, decode_point, parse_distance, parse_point
from lanner.engine.common.java_hash import java_hash
from lanner.engine.common.units import parse_time
from lanner.engine.dsl.base import DslContext
from lanner.engine.dsl.range import DirectError
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.types.date import DateFieldType
from lanner.engine.mapping.types.geo_point import GeoPointFieldType
from lanner.engine.mapping.types.numeric import NumberFieldType
from lanner.engine.query.explanation_functions import DecayWords, FieldValueWords, RandomWords
from lanner.engine.query.function_score import ScoringFunction
from lanner.ext.query import function_score as compiled

_MODIFIERS = frozenset(
    ["none", "log", "log1p", "log2p", "ln", "ln1p", "ln2p", "square", "sqrt", "reciprocal"]
)
_MODES = {"min": "min", "max": "max", "avg": "avg", "sum": "sum"}


@dataclass(frozen=True, slots=True)
class FunctionDsl(ABC):
    """A function as it was asked for."""

    weight: float = 1.0

    @abstractmethod
    def resolve(self, context: DslContext) -> ScoringFunction:
        """Return the function over the fields of an index."""

    def weighted(self, weight: float) -> "FunctionDsl":
        """Return the same function with its values multiplied."""
        return replace(self, weight=weight)


@dataclass(frozen=True, slots=True)
class WeightFunction(FunctionDsl):
    """The same number for every document."""

    def resolve(self, context: DslContext) -> ScoringFunction:
        """Return the constant."""
        return ScoringFunction(compiled.constant(self.weight))


@dataclass(frozen=True, slots=True)
class FieldValueFactor(FunctionDsl):
    """A number of the document, changed by a modifier."""

    field: str = ""
    factor: float = 1.0
    modifier: str = "none"
    missing: float | None = None

    def resolve(self, context: DslContext) -> ScoringFunction:
        """Ask for the field's numbers."""
        field = context.mapping.field_type(self.field)
        if field is None and self.missing is None:
            raise IllegalArgument(
                f"Unable to find a field mapper for field [{self.field}]. No 'missing' value defined."
            )
        if field is not None:
            field.check_sortable()
            if field.numbers is None:
                raise IllegalArgument(f"[field_value_factor] needs numbers, but [{self.field}] has none")
        function = compiled.field_value(
            None if field is None else field.name,
            "long" if field is None or field.numbers is None else field.numbers,
            factor=self.factor,
            modifier=self.modifier,
            missing=self.missing,
            weight=self.weight,
        )
        words = FieldValueWords(self.field, self.factor, self.modifier, self.missing)
        return ScoringFunction(function, about=self.field, modifier=self.modifier, words=words)


def parse_field_value_factor(body: dict[str, Any], key: str) -> FunctionDsl:
    """Read the body of a field_value_factor."""
    given = body[key]
    values: dict[str, Any] = {}
    for name in given:
        match name:
            case "field":
                values[name] = read_text(key, given, name)
            case "factor" | "missing":
                values[name] = read_number(key, given, name)
            case "modifier":
                modifier = read_text(key, given, name)
                if modifier.lower() not in _MODIFIERS:
                    raise IllegalArgument(
                        "No enum constant org.opensearch.common.lucene.search.function."
                        f"FieldValueFactorFunction.Modifier.{modifier.upper()}"
                    )
                values[name] = modifier.lower()
            case _:
                raise LocatedError(f"{key} query does not support [{name}]", Anchor(given, name))
    if "field" not in values:
        raise LocatedError(f"[{key}] required field 'field' missing", Anchor(given, None, "close"))
    return FieldValueFactor(**values)


# -- random_score


def _fold(number: int) -> int:
    """Return the hash code of a long."""
    bits = number & 0xFFFF_FFFF_FFFF_FFFF
    return (bits ^ bits >> 32) & 0xFFFF_FFFF


def _mix(k: int) -> int:
    """Return the finalizer of MurmurHash3."""
    k = ((k ^ k >> 16) * 0x85EBCA6B) & 0xFFFF_FFFF
    k = ((k ^ k >> 13) * 0xC2B2AE35) & 0xFFFF_FFFF
    return k ^ k >> 16


@dataclass(frozen=True, slots=True)
class RandomScore(FunctionDsl):
    """A number in [0, 1), the same for a seed and a value of the field; without a seed it changes."""

    seed: int | None = None
    field: str | None = None

    def resolve(self, context: DslContext) -> ScoringFunction:
        """Salt the seed with the name of the index and the number of the shard."""
        salt = (java_hash(context.index) << 10 | context.shard) & 0xFFFF_FFFF
        name: str | None = None
        seed = self.seed
        if seed is None:
            seed = _fold(context.now())
        else:
            name = self.field or "_id"
            field = context.mapping.field_type(name)
            if field is None and name != "_id" and name != "_seq_no":
                raise IllegalArgument(
                    f"Field [{name}] is not mapped on [{context.index}] and cannot be used as a source of "
                    "random numbers."
                )
            if field is not None and name not in ("_id", "_seq_no"):
                field.check_sortable()
                if field.numbers not in (None, "long"):
                    raise IllegalArgument(f"[random_score] does not take field [{name}] in this version")
        function = compiled.random(name, seed=_mix(seed ^ salt), weight=self.weight)
        return ScoringFunction(function, words=RandomWords(self.seed, self.field))


def parse_random_score(body: dict[str, Any], key: str) -> FunctionDsl:
    """Read the body of a random_score."""
    given = body[key]
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name == "seed":
            if isinstance(value, str):
                values[name] = java_hash(value)
            elif type(value) is int and -(2**63) <= value < 2**63:
                small = -(2**31) <= value < 2**31
                values[name] = value & 0xFFFF_FFFF if small else _fold(value)
            elif value is not None:
                raise LocatedError(
                    f"random_score seed must be an int, long or string, not '{token_name(value)}'",
                    Anchor(given, name),
                )
        elif name == "field":
            values[name] = None if value is None else read_text(key, given, name)
        else:
            raise LocatedError(f"random_score query does not support [{name}]", Anchor(given, name))
    return RandomScore(**values)


# -- decay


@dataclass(frozen=True, slots=True)
class Decay(FunctionDsl):
    """One at an origin, falling with the distance from it."""

    curve: str = "gauss"
    field: str = ""
    given: tuple[tuple[str, Any], ...] = ()
    mode: str = "min"

    def resolve(self, context: DslContext) -> ScoringFunction:
        """Read the distances as the field's kind wants them."""
        field = context.mapping.field_type(self.field)
        if field is None:
            raise _direct(f"unknown field [{self.field}]")
        on_earth = isinstance(field, GeoPointFieldType)
        if field.numbers is None and not on_earth:
            raise _direct(
                f"field [{self.field}] is of type [{field.type_name}], but only numeric types are supported."
            )
        given = dict(self.given)
        unknown = next((key for key in given if key not in ("origin", "scale", "offset", "decay")), None)
        if unknown is not None:
            raise ParseError(f"parameter [{unknown}] not supported!")
        decay = _number(given.get("decay", 0.5))
        origin: float | Point
        if on_earth:
            if given.get("scale") is None:
                raise ParseError("[origin] and [scale] must be set for geo fields.")
            origin = parse_point(given.get("origin", [0, 0]))
            scale, offset = parse_distance(given["scale"]), parse_distance(given.get("offset", 0))
        elif any(isinstance(value, list | dict | bool) for value in given.values()):
            raise IllegalArgument(f"[{self.curve}] takes numbers or texts for field [{self.field}]")
        elif isinstance(field, DateFieldType):
            if given.get("scale") is None:
                raise ParseError("[scale] must be set for date fields.")
            asked = given.get("origin")
            origin = float(context.now() if asked is None else field.moment(java_text(asked), context.now))
            cells = field.cells_per_milli
            scale = cells * parse_time(java_text(given["scale"]), "DecayFunctionParser.scale")
            offset = cells * parse_time(java_text(given.get("offset", "0d")), "DecayFunctionParser.offset")
        else:
            if given.get("scale") is None or given.get("origin") is None:
                raise ParseError("both [scale] and [origin] must be set for numeric fields.")
            origin, scale = _number(given["origin"]), _number(given["scale"])
            offset = _number(given.get("offset", 0))
        if not scale > 0:
            raise IllegalArgument("function_score : scale must be > 0.0.")
        if not 0 < decay < 1:
            raise IllegalArgument("function_score : decay must be in the range [0..1].")
        if offset < 0:
            raise IllegalArgument("function_score : offset must be > 0.0")
        field.check_sortable()
        curved = _scale(self.curve, scale, decay)
        function = compiled.decay(
            field.name,
            field.numbers,
            curve=self.curve,
            mode=self.mode,
            origin=origin,
            scale=curved,
            offset=offset,
            weight=self.weight,
        )
        decode = decode_point if on_earth else partial(_as_double, field)
        words = DecayWords(self.curve, field.name, self.mode, origin, curved, offset, decode)
        return ScoringFunction(function, about=self.field, words=words)


def _as_double(field: FieldType, encoded: int) -> float:
    return float(field.show(encoded)) if isinstance(field, NumberFieldType) else float(encoded)


def _scale(curve: str, scale: float, decay: float) -> float:
    """Return the scale as the curve wants it, so that at its distance the value is the decay."""
    if curve == "gauss":
        return 0.5 * scale**2 / log(decay)
    return log(decay) / scale if curve == "exp" else scale / (1.0 - decay)


def _number(value: Any) -> float:
    return parse_double(value) if isinstance(value, str) else float(value)


def _direct(reason: str) -> DirectError:
    error = LocatedError(reason, Anchor(None))
    error.fields = {"line": 1, "col": 1}
    return DirectError(error)


def parse_decay(body: dict[str, Any], key: str) -> FunctionDsl:
    """Read the body of a gauss, exp or linear function."""
    given = body[key]
    values: dict[str, Any] = {}
    for name, value in given.items():
        if isinstance(value, dict):
            for option, inner in value.items():
                if inner is None or (isinstance(inner, list | dict | bool) and option != "origin"):
                    raise LocatedError(
                        f"[{key}] takes a number or text for [{option}]", Anchor(value, option)
                    )
            values["field"], values["given"] = name, tuple(value.items())
        elif name == "multi_value_mode":
            mode = read_text(key, given, name)
            if mode.lower() == "median":
                raise LocatedError(f"[{name}] [{mode}] is not supported by this version", Anchor(given, name))
            if mode.lower() not in _MODES:
                raise IllegalArgument(f"Illegal sort mode: {mode}")
            values["mode"] = mode.lower()
        else:
            raise LocatedError("malformed score function score parameters.", Anchor(given, name))
    if "field" not in values:
        raise LocatedError("malformed score function score parameters.", Anchor(given, None, "close"))
    return Decay(curve=key, **values)


def parse_script_score(body: dict[str, Any], key: str) -> FunctionDsl:
    """Refuse: there are no scripts."""
    if "script" not in body[key]:
        raise LocatedError("script_score requires 'script' field", Anchor(body[key], None, "close"))
    raise LocatedError("[script_score] is not supported by this version", Anchor(body, key))


FUNCTIONS = {
    "exp": parse_decay,
    "field_value_factor": parse_field_value_factor,
    "gauss": parse_decay,
    "linear": parse_decay,
    "random_score": parse_random_score,
    "script_score": parse_script_score,
}
