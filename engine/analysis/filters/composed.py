"""Filters that are made of other filters."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from lanner.engine.analysis.analyzer import Component, Surroundings, bind_filters
from lanner.engine.analysis.parameters import Parameters
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.chain import TokenFilter
from lanner.ext.analysis.python_parts import StreamFilter, Token, TokenList, filter_token

FilterMaker: TypeAlias = Callable[[], TokenFilter]


def _chain(names: Sequence[str], around: Surroundings, owner: str) -> list[Component[TokenFilter]]:
    """Return the named filters, bound to what stands before them; raises IllegalArgument."""
    parts = []
    for name in names:
        part = around.find(name)
        if part is None:
            raise IllegalArgument(f"Multiplexer filter [{owner}] refers to undefined tokenfilter [{name}]")
        parts.append(part)
    tokenizer, chars = around.tokenizer, around.char_filters
    bound = bind_filters(tokenizer, chars, [*around.token_filters, *parts], around.find)
    return bound[len(around.token_filters) :]


class _Branches:
    """Several chains that each token goes through by itself."""

    def __init__(self, chains: Sequence[Sequence[TokenFilter]]) -> None:
        self.chains = [tuple(chain) for chain in chains]

    def __call__(self, stream: TokenList) -> None:
        """Put what the chains make of each token at its place, each term once."""
        found: list[Token] = []
        skipped = 0
        seen: set[str] = set()
        for token in stream.tokens:
            increment = token.increment + skipped
            skipped = 0
            if increment > 0:
                seen = set()
            for chain in self.chains:
                for made in filter_token(chain, token):
                    if made.term in seen and increment == 0:
                        continue
                    seen.add(made.term)
                    made.increment, increment = increment, 0
                    found.append(made)
            skipped = increment
        stream.tokens = found
        stream.trailing_increment += skipped


def multiplexer(parameters: Parameters) -> Callable[[Surroundings], FilterMaker]:
    """What each of several chains makes of a token, all at one place; each term once."""
    lists = parameters.strings("filters") or []
    preserve = parameters.boolean("preserve_original", True)

    def bind(around: Surroundings) -> FilterMaker:
        chains = [
            _chain([name.strip() for name in line.split(",") if name.strip()], around, parameters.name)
            for line in lists
        ]
        if preserve or not chains:
            chains.insert(0, [])
        return lambda: StreamFilter(
            _Branches([[part.make() for part in chain] for chain in chains]), marks_keywords=True
        )

    return bind


def _check_script(parameters: Parameters) -> None:
    if not any(parameters.has(key) for key in ("script", "script.source", "script.id")):
        raise IllegalArgument("must specify either [source] for an inline script or [id] for a stored script")


def _no_scripts(parameters: Parameters) -> Callable[[Surroundings], FilterMaker]:
    """Return a binding that refuses the filter wherever an analyzer uses it."""

    def bind(_: Surroundings) -> FilterMaker:
        raise IllegalArgument(f"token filter [{parameters.name}]: scripts on tokens are not available")

    return bind


def condition(parameters: Parameters) -> Callable[[Surroundings], FilterMaker]:
    """Filters for tokens that a script chooses."""
    _check_script(parameters)
    return _no_scripts(parameters)


def predicate(parameters: Parameters) -> Callable[[Surroundings], FilterMaker]:
    """Tokens that a script chooses."""
    _check_script(parameters)
    return _no_scripts(parameters)
