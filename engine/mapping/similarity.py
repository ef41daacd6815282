"""Scoring formulas by name: the ready-made ones and those of the index settings."""

from collections.abc import Mapping
from typing import Any

from lanner.engine.common.errors import IllegalArgument, MapperParsingError
from lanner.engine.mapping.tree import FieldNode, Node

_NOT_BUILT = frozenset(("DFR", "DFI", "IB", "LMDirichlet", "LMJelinekMercer", "scripted"))
_BM25_SETTINGS = frozenset(("k1", "b", "discount_overlaps", "type"))


def check_similarity(node: Node, settings: Mapping[str, str]) -> None:
    """Refuse a field whose formula is not known."""
    if not isinstance(node, FieldNode):
        return
    name = node.given.get("similarity")
    if name is None or name in ("BM25", "boolean") or f"index.similarity.{name}.type" in settings:
        return
    if name == "classic":
        raise IllegalArgument(
            "The [classic] similarity may not be used anymore. Please use the [BM25] similarity or "
            "build a custom "
            "[scripted] similarity instead."
        )
    raise MapperParsingError(f"Unknown Similarity type [{name}] for field [{node.name}]")


def similarity_named(name: str | None, settings: Mapping[str, str]) -> Any:
    """Return the formula of a name; None is the index's default."""
    from lanner.ext.query.similarity import BM25, BooleanSimilarity

    configured = {
        key.removeprefix(prefix): value
        for prefix in (f"index.similarity.{name or 'default'}.",)
        for key, value in settings.items()
        if key.startswith(prefix)
    }
    kind = configured.get("type", "BM25" if name in (None, "BM25") else name)
    if kind == "boolean":
        return BooleanSimilarity()
    if kind == "BM25":
        unknown = sorted(configured.keys() - _BM25_SETTINGS)
        if unknown:
            raise IllegalArgument(f"Unknown settings for similarity of type [BM25]: [{', '.join(unknown)}]")
        return BM25(k1=float(configured.get("k1", 1.2)), b=float(configured.get("b", 0.75)))
    if kind in _NOT_BUILT:
        raise IllegalArgument(f"Similarity type [{kind}] is not supported by this version")
    raise IllegalArgument(f"Unknown Similarity type [{kind}]")
