"""Answers as bytes: compact JSON, JSON laid out for people, YAML."""

import json
from typing import Any

import msgspec

from lanner.engine.common.units import render_size, render_time
from lanner.ext.json.indent import indent
from lanner.ext.json.number import float64

_encoder = msgspec.json.Encoder()
_YAML_WIDTH = 80
_THROTTLED = frozenset({"throttled_millis", "throttled_until_millis"})
# Plain words that a YAML reader may take for something else; they are quoted when used as keys.
_YAML_RESERVED = frozenset(
    {"~", *(form for word in ("false", "n", "no", "null", "on", "off", "true", "y", "yes")
            for form in (word, word.capitalize(), word.upper()))}
)  # fmt: skip


def encode(value: Any) -> bytes:
    """Return value as compact JSON; msgspec.Raw parts are spliced in as they are."""
    try:
        return _encoder.encode(value)
    except (OverflowError, msgspec.MsgspecError, UnicodeEncodeError):
        return _encoder.encode(_plain(value))


def encode_pretty(value: Any) -> bytes:
    """Return value as JSON laid out for people."""
    return indent(value if isinstance(value, bytes) else encode(value))


def _plain(value: Any) -> Any:
    """Return value with what the encoder refuses written out: huge integers, lone surrogates."""
    if isinstance(value, dict):
        return {_name(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return msgspec.Raw(str(value).encode())
    if isinstance(value, str) and not value.isascii():
        return msgspec.Raw(json.dumps(value).encode())
    return value


def _name(name: Any) -> Any:
    return name.encode("utf-8", "replace").decode() if isinstance(name, str) else name


def with_texts(value: Any) -> Any:
    """Return value with a text before every size and duration: ``"x": "1kb", "x_in_bytes": 1024``."""
    if isinstance(value, dict):
        answer: dict[str, Any] = {}
        for name, inner in value.items():
            if isinstance(inner, (int, float)) and isinstance(name, str):
                if name.endswith("_in_bytes"):
                    answer.setdefault(name[:-9], render_size(int(inner)))
                elif name.endswith("_in_millis"):
                    answer.setdefault(name[:-10], render_time(inner))
                elif name in _THROTTLED:
                    answer.setdefault(name[:-7], render_time(inner))
                elif name.endswith("_size_bytes"):
                    answer.setdefault(name[:-6], render_size(int(inner)))
            answer[name] = with_texts(inner)
        return answer
    if isinstance(value, list):
        return [with_texts(inner) for inner in value]
    return value


def encode_yaml(value: Any) -> bytes:
    """Return value as YAML in Jackson's manner: texts in double quotes, keys plain."""
    import yaml

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
        """Quotes texts, leaves keys alone."""

        def ignore_aliases(self, data: Any) -> bool:
            return True

    def text(dumper: Any, data: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", data, style='"')

    def mapping(dumper: Any, data: dict[str, Any]) -> Any:
        pairs = []
        for name, inner in data.items():
            style = '"' if name in _YAML_RESERVED or not name else None
            pairs.append(
                (
                    dumper.represent_scalar("tag:yaml.org,2002:str", name, style=style),
                    dumper.represent_data(inner),
                )
            )
        return yaml.MappingNode("tag:yaml.org,2002:map", pairs, flow_style=not pairs)

    def sequence(dumper: Any, data: list[Any]) -> Any:
        items = [dumper.represent_data(inner) for inner in data]
        return yaml.SequenceNode("tag:yaml.org,2002:seq", items, flow_style=not items)

    def number(dumper: Any, data: float) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:float", bytes(float64(data)).decode().strip('"'))

    Dumper.add_representer(str, text)
    Dumper.add_representer(dict, mapping)
    Dumper.add_representer(list, sequence)
    Dumper.add_representer(float, number)
    data = msgspec.json.decode(value if isinstance(value, bytes) else encode(value))
    dumped: bytes = yaml.dump(
        data, Dumper=Dumper, explicit_start=True, allow_unicode=True, width=_YAML_WIDTH, encoding="utf-8"
    )
    return dumped
