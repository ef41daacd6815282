"""The char filters, by the names that settings and requests use."""

import re
from collections.abc import Callable

from lanner.engine.analysis.analyzer import PartType
from lanner.engine.analysis.parameters import Parameters
from lanner.engine.analysis.words import refuse_path
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.java_regex import Replacement, compile_java
from lanner.ext.analysis.chain import CharFilter
from lanner.ext.analysis.python_parts import FunctionCharFilter

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


def _html_strip(parameters: Parameters) -> Callable[[], CharFilter]:
    from lanner.engine.analysis.html_strip import strip_html  # few indexes have one

    escaped = frozenset(name.lower() for name in parameters.strings("escaped_tags") or ())
    return lambda: FunctionCharFilter(lambda text: strip_html(text, escaped))


def _pattern_replace(parameters: Parameters) -> Callable[[], CharFilter]:
    pattern = parameters.string("pattern")
    if not pattern:
        raise IllegalArgument(
            f"pattern is missing for [{parameters.name}] char filter of type 'pattern_replace'"
        )
    compiled = compile_java(pattern, parameters.string("flags"))
    replacement = parameters.string("replacement") or ""

    def replace(text: str) -> list[tuple[int, int, str]]:
        return [
            (match.start(), match.end(), Replacement(replacement, compiled).expand(match))
            for match in compiled.find_all(text)
        ]

    return lambda: FunctionCharFilter(replace, refuses=True)


CHAR_FILTERS: dict[str, PartType[CharFilter]] = {
    "html_strip": PartType(_html_strip),
    "htmlStrip": PartType(_html_strip),
    "mapping": PartType(_mapping, normalizing=True, bare=None),
    "pattern_replace": PartType(_pattern_replace, normalizing=True, bare=None),
}
