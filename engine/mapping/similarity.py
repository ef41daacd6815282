"""Scoring formulas by name: the ready-made ones and those of the index settings."""

import math
from collections.abc import Mapping
from typing import Any

from lanner.engine.common.errors import IllegalArgument, MapperParsingError
from lanner.engine.mapping.tree import FieldNode, Node

_NOT_BUILT = frozenset(("DFR", "DFI", "IB", "LMDirichlet", "LMJelinekMercer", "scripted"))
_KNOWN_SETTINGS = {
    "BM25": frozenset(("k1", "b", "discount_overlaps", "type")),
    "boolean": frozenset(("type",)),
}
_PREFIX = "index.similarity."
_CLASSIC = (
    "The [classic] similarity may not be used anymore. Please use the [BM25] similarity or build a custom "
    "[scripted] similarity instead."
)


def check_similarity(node: Node, settings: Mapping[str, str]) -> None:
    """Refuse a field whose formula is not known."""
    if not isinstance(node, FieldNode):
        return
    name = node.given.get("similarity")
    if name is None or name in ("BM25", "boolean") or f"index.similarity.{name}.type" in settings:
        return
    if name == "classic":
        raise IllegalArgument(_CLASSIC)
    raise MapperParsingError(f"Unknown Similarity type [{name}] for field [{node.name}]")


def check_similarities(settings: Mapping[str, str]) -> None:
    """Refuse settings that define a formula which is not there, or one with impossible numbers."""
    names = sorted({key.split(".")[2] for key in settings if key.startswith(_PREFIX)})
    for name in names:
        if name in ("BM25", "boolean"):
            raise IllegalArgument(f"illegal value for [{_PREFIX}{name}] cannot redefine built-in similarity")
        if f"{_PREFIX}{name}.type" not in settings:
            raise IllegalArgument(f"Similarity [{name}] must have an associated type")
        similarity_named(name, settings)


def similarity_named(name: str | None, settings: Mapping[str, str]) -> Any:
    """Return the formula of a name; None is the index's default."""
    from lanner.ext.query.similarity import BM25, BooleanSimilarity

    prefix = f"{_PREFIX}{name or 'default'}."
    configured = {
        key.removeprefix(prefix): value for key, value in settings.items() if key.startswith(prefix)
    }
    kind = configured.get("type", "BM25" if name in (None, "BM25") else name)
    if kind == "classic":
        raise IllegalArgument(_CLASSIC)
    if kind in _NOT_BUILT:
        raise IllegalArgument(f"Similarity type [{kind}] is not supported by this version")
    if kind not in _KNOWN_SETTINGS:
        raise IllegalArgument(f"Unknown Similarity type [{kind}] for [{name or 'default'}]")
    unknown = sorted(configured.keys() - _KNOWN_SETTINGS[kind])
    if unknown:
        raise IllegalArgument(f"Unknown settings for similarity of type [{kind}]: [{', '.join(unknown)}]")
    if kind == "boolean":
        return BooleanSimilarity()
    k1, b = _number(configured, "k1", 1.2), _number(configured, "b", 0.75)
    if not (math.isfinite(k1) and k1 >= 0):
        raise IllegalArgument(f"illegal k1 value: {_java(k1)}, must be a non-negative finite value")
    if not 0 <= b <= 1:
        raise IllegalArgument(f"illegal b value: {_java(b)}, must be between 0 and 1")
    overlaps = configured.get("discount_overlaps", "true")
    if overlaps not in ("true", "false"):
        raise IllegalArgument(f"Failed to parse value [{overlaps}] as only [true] or [false] are allowed.")
    return BM25(k1=k1, b=b)


def _number(configured: Mapping[str, str], key: str, default: float) -> float:
    """Return a setting of a formula as a number."""
    try:
        return float(configured.get(key, default))
    except ValueError:
        reason = f"Failed to parse float setting [{key}] with value [{configured[key]}]"
        raise IllegalArgument(reason) from None


def _java(number: float) -> str:
    """Return a number as messages spell it."""
    return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(str(number), str(number))
