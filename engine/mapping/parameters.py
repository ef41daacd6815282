"""Mapping parameters of a field, declared: how each is read, shown, and whether it may change later."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from lanner.engine.common.body import java_text, parse_double, parse_integer, read_boolean
from lanner.engine.common.errors import IllegalArgument, MapperParsingError

Reader: TypeAlias = Callable[[str, Any], Any]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a field type.

    read: (field, value) -> value. updateable: whether it may change, or a rule of old and new. explicit:
    shown whenever it was given, even if it is the default. ignored: read and forgotten.
    """

    name: str
    default: Any
    read: Reader
    updateable: bool | Callable[[Any, Any], bool] = False
    nullable: bool = False
    explicit: bool = False
    ignored: bool = False
    deprecated_names: tuple[str, ...] = ()

    def may_change(self, old: Any, new: Any) -> bool:
        """Return whether a merge may replace one value by another."""
        if old == new:
            return True
        return self.updateable(old, new) if callable(self.updateable) else self.updateable


def boolean(_: str, value: Any) -> bool:
    """Read true or false, as such or as text."""
    return read_boolean(value)


def integer(_: str, value: Any) -> int:
    """Read a 32-bit integer."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return int(value)
    return parse_integer(java_text(value))


def number(_: str, value: Any) -> float:
    """Read a floating-point number."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return parse_double(java_text(value))


def text(_: str, value: Any) -> str:
    """Read anything as text."""
    return java_text(value)


def choice(name: str, values: tuple[str, ...]) -> Reader:
    """Return a reader that takes one of several words."""

    def read(_: str, value: Any) -> str:
        chosen = java_text(value)
        if chosen not in values:
            raise MapperParsingError(
                f"Unknown value [{chosen}] for field [{name}] - accepted values are [{', '.join(values)}]"
            )
        return chosen

    return read


def meta(field: str, value: Any) -> dict[str, str]:
    """Read the free annotations of a field: at most five short strings, sorted by key."""
    if not isinstance(value, dict):
        raise MapperParsingError(f"[meta] must be an object, got {_shown(value)} for field [{field}]")
    if len(value) > 5:
        raise MapperParsingError(
            f"[meta] can't have more than 5 entries, but got {len(value)} on field [{field}]"
        )
    for key, item in value.items():
        if len(key) > 20:
            raise MapperParsingError(
                f"[meta] keys can't be longer than 20 chars, but got [{key}] for field [{field}]"
            )
        if item is None:
            raise MapperParsingError(f"[meta] values can't be null (field [{field}])")
        if not isinstance(item, str):
            raise MapperParsingError(
                f"[meta] values can only be strings, but got {_shown(item)} for field [{field}]"
            )
        if len(item) > 50:
            raise MapperParsingError(
                f"[meta] values can't be longer than 50 chars, but got [{item}] for field [{field}]"
            )
    return dict(sorted(value.items()))


def _shown(value: Any) -> str:
    from lanner.engine.common.body import java_class

    return f"{java_class(value).rsplit('.', 1)[-1]}[{java_text(value)}]"


META = Parameter("meta", {}, meta, updateable=True)
BOOST = Parameter("boost", 1.0, number, updateable=True)
STORE = Parameter("store", False, boolean)
INDEX = Parameter("index", True, boolean)
DOC_VALUES = Parameter("doc_values", True, boolean)
IGNORE_MALFORMED = Parameter("ignore_malformed", False, boolean, updateable=True, explicit=True)


def read_parameters(
    field: str, type_name: str, declared: tuple[Parameter, ...], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the values of the parameters that were given.

    Raises what the API answers for unknown or bad ones.
    """
    table = {parameter.name: parameter for parameter in declared}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name == "type":
            continue
        parameter = table.get(name)
        if parameter is None:
            raise MapperParsingError(f"unknown parameter [{name}] on mapper [{field}] of type [{type_name}]")
        if value is None and not parameter.nullable:
            raise MapperParsingError(
                f"[{name}] on mapper [{field}] of type [{type_name}] must not have a [null] value"
            )
        if not parameter.ignored:
            values[name] = None if value is None else parameter.read(field, value)
    return values


def merge_parameters(
    field: str, declared: tuple[Parameter, ...], old: Mapping[str, Any], new: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the parameters after a merge; raises IllegalArgument that lists every conflict."""
    conflicts = []
    for parameter in declared:
        before = old.get(parameter.name, parameter.default)
        after = new.get(parameter.name, parameter.default)
        if not parameter.may_change(before, after):
            conflicts.append(
                f"\n\tCannot update parameter [{parameter.name}] from [{java_text(before)}] to "
                f"[{java_text(after)}]"
            )
    if conflicts:
        raise IllegalArgument(f"Mapper for [{field}] conflicts with existing mapper:{''.join(conflicts)}")
    return dict(new)


def render_parameters(declared: tuple[Parameter, ...], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what GET _mapping shows: given values that differ from the default, in declared order."""
    return {
        parameter.name: values[parameter.name]
        for parameter in declared
        if parameter.name in values and (parameter.explicit or values[parameter.name] != parameter.default)
    }


def check_analyzer(name: str, registry: Any) -> None:
    """Refuse the name of an analyzer that an index does not have."""
    try:
        registry.analyzer(name)
    except IllegalArgument:
        raise IllegalArgument(f"analyzer [{name}] has not been configured in mappings") from None
