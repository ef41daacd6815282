"""The char filters, by the names that settings and requests use."""

import re
from collections.abc import Callable

from lanner.engine.analysis.analyzer import PartType
from lanner.engine.analysis.parameters import Parameters
from lanner.engine.analysis.words import refuse_path
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.chain import CharFilter

_RULE = re.compile(r"(.*)\s*=>\s*(.*)\s*$", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|u|(.)|$)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _unescape(text: str, line: int) -> str:
    """Return the text without its backslashes; raises IllegalArgument."""

    def replace(match: re.Match[str]) -> str:
        code, char = match.groups()
        if code is not None:
            return chr(int(code, 16))
        if char is None:
            raise IllegalArgument(f"Line [{line}]: Invalid escaped char in [{text}]")
        return _ESCAPED.get(char, char)

    return _ESCAPE.sub(replace, text)


def _mapping_rules(lines: list[str]) -> list[tuple[str, str]]:
    """Return pairs of the rules ``a => b``; raises IllegalArgument."""
    rules: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        match = _RULE.match(line)
        if match is None:
            raise IllegalArgument(f"Line [{number}]: Invalid mapping rule : [{line}]")
        source, target = (_unescape(side.strip(), number) for side in match.groups())
        if not source:
            raise IllegalArgument("cannot match the empty string")
        if source in rules:
            raise IllegalArgument(f'match "{source}" was already added')
        rules[source] = target
    return list(rules.items())


def _mapping(parameters: Parameters) -> Callable[[], CharFilter]:
    from lanner.ext.analysis.mapping_char_filter import MappingCharFilter  # few indexes have one

    refuse_path(parameters, "mappings")
    lines = parameters.strings("mappings")
    if lines is None:
        raise IllegalArgument("mapping requires either `mappings` or `mappings_path` to be configured")
    rules = _mapping_rules(lines)
    return lambda: MappingCharFilter(rules)


CHAR_FILTERS: dict[str, PartType[CharFilter]] = {
    "mapping": PartType(_mapping, normalizing=True, bare=None),
}
