"""Scoring formulas by name: the ready-made ones and those of the index settings."""

import math
from collections.abc import Mapping
from typing import Any

from lanner.engine.common.errors import IllegalArgument, MapperParsingError
from lanner.engine.mapping.number_encoding import to_float
from lanner.engine.mapping.tree import FieldNode, Node

_NORMALIZATIONS = ("normalization.h1.c", "normalization.h2.c", "normalization.h3.c", "normalization.z.z")
_KNOWN_SETTINGS = {
    "BM25": frozenset(("k1", "b", "discount_overlaps", "type")),
    "boolean": frozenset(("type",)),
    "DFR": frozenset(("basic_model", "after_effect", "normalization", *_NORMALIZATIONS, "type")),
    "DFI": frozenset(("independence_measure", "type")),
    "IB": frozenset(("distribution", "lambda", "normalization", *_NORMALIZATIONS, "type")),
    "LMDirichlet": frozenset(("mu", "type")),
    "LMJelinekMercer": frozenset(("lambda", "type")),
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
    if kind == "scripted":
        raise IllegalArgument(f"Similarity type [{kind}] is not supported by this version")
    if kind not in _KNOWN_SETTINGS:
        raise IllegalArgument(f"Unknown Similarity type [{kind}] for [{name or 'default'}]")
    unknown = sorted(configured.keys() - _KNOWN_SETTINGS[kind])
    if unknown:
        raise IllegalArgument(f"Unknown settings for similarity of type [{kind}]: [{', '.join(unknown)}]")
    if kind == "boolean":
        return BooleanSimilarity()
    if kind != "BM25":
        return _formula(kind, configured)
    k1, b = _number(configured, "k1", 1.2), _number(configured, "b", 0.75)
    if not (math.isfinite(k1) and k1 >= 0):
        raise IllegalArgument(f"illegal k1 value: {_java(k1)}, must be a non-negative finite value")
    if not 0 <= b <= 1:
        raise IllegalArgument(f"illegal b value: {_java(b)}, must be between 0 and 1")
    overlaps = configured.get("discount_overlaps", "true")
    if overlaps not in ("true", "false"):
        raise IllegalArgument(f"Failed to parse value [{overlaps}] as only [true] or [false] are allowed.")
    return BM25(k1=k1, b=b)


def _formula(kind: str, configured: Mapping[str, str]) -> Any:
    """Return a formula that scores every posting; raises IllegalArgument."""
    from lanner.ext.query.formulas import Formula

    if kind == "LMDirichlet":
        return Formula(kind, number=_not_negative("mu", _number(configured, "mu", 2000.0)))
    if kind == "LMJelinekMercer":
        share = _number(configured, "lambda", 0.1)
        if not 0 < share <= 1:
            raise IllegalArgument("lambda must be in the range (0 .. 1]")
        return Formula(kind, number=to_float(share))
    if kind == "DFI":
        measures = ("standardized", "saturated", "chisquared")
        return Formula(
            kind, model=_choice(configured, "independence_measure", "IndependenceMeasure", measures)
        )
    if kind == "DFR":
        model = configured.get("basic_model", "")
        if model in ("be", "d", "p"):
            raise IllegalArgument(f"Basic model [{model}] isn't supported anymore, please use another model.")
        if configured.get("after_effect") == "no":
            raise IllegalArgument("After effect [no] isn't supported anymore, please use another effect.")
        model = _choice(configured, "basic_model", "BasicModel", ("ine", "in", "g", "if"))
        effect = _choice(configured, "after_effect", "AfterEffect", ("b", "l"))
    else:
        model = _choice(configured, "distribution", "Distribution", ("ll", "spl"), told=False)
        effect = _choice(configured, "lambda", "Lambda", ("df", "ttf"), told=False)
    normalization = _choice(
        configured, "normalization", "Normalization", ("no", "h1", "h2", "h3", "z"), told=False
    )
    number = 0.0
    if normalization in ("h1", "h2"):
        number = _not_negative("c", _number(configured, f"normalization.{normalization}.c", 1.0))
    elif normalization == "h3":
        number = _not_negative("mu", _number(configured, "normalization.h3.c", 800.0))
    elif normalization == "z":
        number = to_float(_number(configured, "normalization.z.z", 0.3))
        if not 0 < number < 0.5:
            shown = _java(_number(configured, "normalization.z.z", 0.3))
            raise IllegalArgument(f"illegal z value: {shown}, must be in the range (0 .. 0.5)")
    return Formula(kind, model=model, effect=effect, normalization=normalization, number=number)


def _choice(
    configured: Mapping[str, str], key: str, name: str, known: tuple[str, ...], *, told: bool = True
) -> str:
    """Return one of several words. told: whether the error lists them."""
    chosen = configured.get(key, "null")
    if chosen not in known:
        hint = f", expected one of [{', '.join(known)}]" if told else ""
        raise IllegalArgument(f"Unsupported {name} [{chosen}]{hint}")
    return chosen


def _not_negative(name: str, number: float) -> float:
    """Return a number of a formula as a 32-bit float."""
    if not (math.isfinite(number) and number >= 0):
        raise IllegalArgument(f"illegal {name} value: {_java(number)}, must be a non-negative finite value")
    return to_float(number)


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
