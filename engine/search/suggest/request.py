"""The ``suggest`` of a search body, and of a URL, as typed values."""

from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    anchored,
    java_text,
    token_name,
)
from lanner.engine.common.errors import IllegalArgument, NamedObjectNotFound, ParseError
from lanner.engine.search.suggest import SUGGESTERS
from lanner.engine.search.suggest.base import Suggest, Suggestion
from lanner.engine.search.suggest.options import is_scalar

_TEXTS = ("text", "prefix", "regex")


def parse_suggest(container: dict[str, Any], key: str) -> Suggest | None:
    """Return a body's ``suggest``; raises what the API answers."""
    given = container[key]
    if not isinstance(given, dict):
        raise LocatedError(f"Unknown key for a {token_name(given)} in [{key}].", Anchor(container, key))
    text: str | None = None
    found: dict[str, Suggestion] = {}
    for name, value in given.items():
        if isinstance(value, dict):
            found[name] = replace(_suggestion(value), name=name)
        elif not is_scalar(value):
            raise LocatedError(f"unexpected token [{token_name(value)}] after [{name}]", Anchor(given, name))
        elif name == "text":
            text = java_text(value)
        else:
            raise IllegalArgument(f"[suggest] does not support [{name}]")
    return Suggest(tuple(found[name] for name in sorted(found)), text)


def _suggestion(given: dict[str, Any]) -> Suggestion:
    texts: dict[str, Any] = {}
    made: Suggestion | None = None
    for key, value in given.items():
        if isinstance(value, dict):
            if key not in SUGGESTERS:
                error = NamedObjectNotFound(f"unknown field [{key}]")
                raise anchored(error, Anchor(given, key))
            made = _reader(key)(value)
        elif is_scalar(value):
            if key not in _TEXTS:
                raise LocatedError(f"suggestion does not support [{key}]", Anchor(given, key))
            texts[key] = java_text(value)
    if made is None:
        raise ParseError("missing suggestion object")
    return replace(made, **texts)


@cache
def _reader(name: str) -> Any:
    """Return what reads the objects of a name of the table."""
    module, _, function = SUGGESTERS[name].partition(".")
    return getattr(import_module(f"lanner.engine.search.suggest.{module}"), function)


def uri_suggest(field: str, text: str | None, mode: str | None, size: int | None) -> Suggest:
    """Return the suggestion that a URL asks for: terms of a field, under its name."""
    from lanner.engine.search.suggest.term import parse_term

    given = {"field": field, "suggest_mode": mode, "size": size}
    made = parse_term({key: value for key, value in given.items() if value is not None})
    return Suggest((replace(made, name=field, text=text),))
