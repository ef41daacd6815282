"""What the settings of an index say about analysis: its own parts beside the ready-made ones."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from lanner.engine.analysis.analyzer import (
    POSITION_INCREMENT_GAP,
    Analyzer,
    Component,
    Normalizer,
    bind_filters,
)
from lanner.engine.analysis.analyzers import ANALYZERS, LOWERCASE, WHOLE
from lanner.engine.analysis.char_filters import CHAR_FILTERS
from lanner.engine.analysis.parameters import NO_SETTINGS, Limits, Parameters, flatten
from lanner.engine.analysis.token_filters import TOKEN_FILTERS
from lanner.engine.analysis.tokenizers import TOKENIZERS
from lanner.engine.common.errors import IllegalArgument, SettingsError
from lanner.ext.analysis.chain import CharFilter, TokenFilter, Tokenizer

Kind: TypeAlias = Literal["char_filter", "tokenizer", "filter"]
Reference: TypeAlias = str | Mapping[str, Any]  # the name of a part, or its definition in place


@functools.cache
def ready_made(name: str) -> Analyzer | None:
    """Return a ready-made analyzer; the same one for everybody, because it never changes."""
    create = ANALYZERS.get("standard" if name == "default" else name)
    return create(name, Parameters({})) if create else None


def create_part(kind: Kind, type_name: str, name: str, parameters: Parameters) -> Component[Any] | None:
    """Return a part of a type, None for an unknown type; raises IllegalArgument for bad parameters."""
    parameters.name = name
    if kind == "tokenizer":
        create = TOKENIZERS.get(type_name)
        return Component(name, create(parameters)) if create else None
    found = TOKEN_FILTERS.get(type_name) if kind == "filter" else CHAR_FILTERS.get(type_name)
    return found.component(name, parameters) if found else None


def bare_part(kind: Kind, name: str, limits: Limits, *, strict: bool) -> Component[Any] | None:
    """Return the part that goes by the bare name of its type. strict: complain if it needs parameters."""
    if kind == "tokenizer":
        create = TOKENIZERS.get(name)
        return Component(name, create(Parameters({}, limits, name))) if create else None
    found = TOKEN_FILTERS.get(name) if kind == "filter" else CHAR_FILTERS.get(name)
    part = found.bare_component(name, limits) if found else None
    if found and part is None and strict:
        raise IllegalArgument("Analysis settings required - can't instantiate analysis factory")
    return part


class AnalysisRegistry:
    """Analyzers, normalizers and parts of one index. Settings are checked when it is made."""

    def __init__(
        self,
        settings: Mapping[str, Any] | None = None,
        limits: Limits = NO_SETTINGS,
        *,
        index: str = "",
    ) -> None:
        """settings: the "analysis" object of an index, nested or with dotted keys; raises IllegalArgument."""
        self.limits = limits
        groups = _groups(settings or {}, limits)
        self._parts: dict[Kind, dict[str, Component[Any]]] = {
            "char_filter": self._define("char_filter", groups["char_filter"]),
            "tokenizer": self._define("tokenizer", groups["tokenizer"]),
            "filter": self._define("filter", groups["filter"]),
        }
        self._analyzers: dict[str, Analyzer] = {}
        for name, parameters in groups["analyzer"].items():
            if name.startswith("_"):
                raise IllegalArgument(f"analyzer name must not start with '_'. got \"{name}\"")
            self._analyzers[name] = self._define_analyzer(name, parameters)
        if "default_index" in self._analyzers:
            raise IllegalArgument(
                "setting [index.analysis.analyzer.default_index] is not supported anymore, use "
                f"[index.analysis.analyzer.default] instead for index [{index}]"
            )
        self._normalizers = {
            name: self._define_normalizer(name, parameters)
            for name, parameters in groups["normalizer"].items()
        }

    def find_analyzer(self, name: str) -> Analyzer | None:
        """Return the analyzer of that name: the index's own or a ready-made one."""
        return self._analyzers.get(name) or ready_made(name)

    def analyzer(self, name: str) -> Analyzer:
        """Return the analyzer of that name; raises IllegalArgument."""
        found = self.find_analyzer(name)
        if found is None:
            raise IllegalArgument(f"failed to find analyzer [{name}]")
        return found

    @property
    def default(self) -> Analyzer:
        """What text fields use that name no analyzer: `default` of the index, else standard."""
        return self.analyzer("default")

    @property
    def default_search(self) -> Analyzer | None:
        """What searches use in place of `default`, if the index names it."""
        return self._analyzers.get("default_search")

    def find_normalizer(self, name: str) -> Normalizer | None:
        """Return the normalizer of that name: the index's own, or `lowercase`."""
        found = self._normalizers.get(name)
        if found is None and name == "lowercase":
            return Normalizer("lowercase", WHOLE, [LOWERCASE], position_increment_gap=0)
        return found

    def normalizer(self, name: str) -> Normalizer:
        """Return the normalizer of that name; raises IllegalArgument."""
        found = self.find_normalizer(name)
        if found is None:
            raise IllegalArgument(f"failed to find normalizer under [{name}]")
        return found

    def keyword_analyzer(self, normalizer: str | None = None) -> Analyzer:
        """Return what a keyword field goes through, as `_analyze` shows it."""
        return (
            self.normalizer(normalizer)
            if normalizer
            else Analyzer("_keyword", WHOLE, position_increment_gap=0)
        )

    def part(self, kind: Kind, name: str) -> Component[Any] | None:
        """Return a named part: the index's own, or one that goes by the bare name of its type."""
        return self._parts[kind].get(name) or bare_part(kind, name, self.limits, strict=False)

    def _define(self, kind: Kind, group: Mapping[str, Parameters]) -> dict[str, Component[Any]]:
        parts = {}
        for name, parameters in group.items():
            type_name = parameters.string("type")
            if type_name is None:
                raise IllegalArgument(f"{kind} [{name}] must specify either an analyzer type, or a tokenizer")
            part = create_part(kind, type_name, name, parameters)
            if part is None:
                raise IllegalArgument(f"Unknown {kind} type [{type_name}] for [{name}]")
            parts[name] = part
        return parts

    def _named(self, kind: Kind, owner: str, names: Sequence[str]) -> list[Component[Any]]:
        """Resolve the names in an analyzer's settings. owner begins the complaint."""
        parts = []
        for name in names:
            part = self.part(kind, name)
            if part is None:
                raise IllegalArgument(f"{owner} failed to find {kind} under name [{name}]")
            parts.append(part)
        return parts

    def _define_analyzer(self, name: str, parameters: Parameters) -> Analyzer:
        type_name = parameters.string("type")
        tokenizer = parameters.string("tokenizer")
        if type_name is None and tokenizer is None:
            raise IllegalArgument(f"analyzer [{name}] must specify either an analyzer type, or a tokenizer")
        if type_name not in (None, "custom"):
            create = ANALYZERS.get(type_name)
            if create is None:
                raise IllegalArgument(f"Unknown analyzer type [{type_name}] for [{name}]")
            return create(name, parameters)
        if tokenizer is None:
            raise IllegalArgument(f"Custom Analyzer [{name}] must be configured with a tokenizer")
        owner = f"Custom Analyzer [{name}]"
        whole = self._named("tokenizer", owner, [tokenizer])[0]
        chars = self._named("char_filter", owner, parameters.strings("char_filter") or [])
        filters = self._named("filter", owner, parameters.strings("filter") or [])
        return Analyzer(
            name,
            whole,
            char_filters=chars,
            token_filters=bind_filters(whole, chars, filters, lambda other: self.part("filter", other)),
            position_increment_gap=parameters.integer("position_increment_gap", POSITION_INCREMENT_GAP),
            custom=True,
        )

    def _define_normalizer(self, name: str, parameters: Parameters) -> Normalizer:
        type_name = parameters.string("type")
        if type_name not in (None, "custom"):
            raise IllegalArgument(f"Unknown normalizer type [{type_name}] for [{name}]")
        if parameters.string("tokenizer") is not None:
            raise IllegalArgument(f"Custom normalizer [{name}] cannot configure a tokenizer")
        owner = f"Custom normalizer [{name}]"
        chars = self._named("char_filter", owner, parameters.strings("char_filter") or [])
        filters = self._named("filter", f"Custom Analyzer [{name}]", parameters.strings("filter") or [])
        for noun, parts in (("char filter", chars), ("filter", filters)):
            for part in parts:
                if not part.normalizing:
                    raise IllegalArgument(f"{owner} may not use {noun} [{part.name}]")
        return Normalizer(name, WHOLE, filters, chars, position_increment_gap=0, custom=True)


def transient_analyzer(
    registry: AnalysisRegistry | None,
    tokenizer: Reference | None,
    char_filters: Sequence[Reference],
    token_filters: Sequence[Reference],
) -> Analyzer:
    """Return an analyzer put together for one request; without a tokenizer it may only normalize."""
    whole: Component[Tokenizer] = WHOLE if tokenizer is None else _resolve(registry, "tokenizer", tokenizer)
    chars: list[Component[CharFilter]] = [_resolve(registry, "char_filter", part) for part in char_filters]
    filters: list[Component[TokenFilter]] = [_resolve(registry, "filter", part) for part in token_filters]
    if tokenizer is None:
        for noun, parts in (("char filter", chars), ("filter", filters)):
            for part in parts:
                if not part.normalizing:
                    raise IllegalArgument(f"Custom normalizer may not use {noun} [{part.name}]")
    bound = bind_filters(whole, chars, filters, lambda name: _resolve(registry, "filter", name))
    return Analyzer("", whole, bound, chars, custom=True, explained_gap=0)


def _resolve(registry: AnalysisRegistry | None, kind: Kind, reference: Reference) -> Component[Any]:
    """Return the part that a request names or defines."""
    if isinstance(reference, str):
        part = (
            registry.part(kind, reference)
            if registry
            else bare_part(kind, reference, NO_SETTINGS, strict=True)
        )
        if part is None:
            whose = "" if registry else "global "
            raise IllegalArgument(f"failed to find {whose}{kind} under [{reference}]")
        return part
    parameters = Parameters(reference, registry.limits if registry else NO_SETTINGS)
    type_name = parameters.string("type")
    if type_name is None:
        raise IllegalArgument(f"Missing [type] setting for anonymous {kind}: {parameters}")
    part = create_part(kind, type_name, f"__anonymous__{type_name}", parameters)
    if part is None:
        raise IllegalArgument(f"failed to find global {kind} under [{type_name}]")
    return part


def _groups(settings: Mapping[str, Any], limits: Limits) -> dict[str, dict[str, Parameters]]:
    """Return parameters by kind and name, in order of names; kinds that nobody knows are left out."""
    kinds = ("char_filter", "tokenizer", "filter", "analyzer", "normalizer")
    groups: dict[str, dict[str, dict[str, Any]]] = {kind: {} for kind in kinds}
    for key, value in sorted(flatten(settings)):
        kind, _, rest = key.partition(".")
        if kind not in groups:
            continue
        name, dot, parameter = rest.partition(".")
        if not dot:
            raise SettingsError(
                f"Failed to get setting group for [index.analysis.{kind}.] setting prefix and setting "
                f"[index.analysis.{key}] because of a missing '.'"
            )
        groups[kind].setdefault(name, {})[parameter] = value
    return {
        kind: {name: Parameters(values, limits) for name, values in group.items()}
        for kind, group in groups.items()
    }
