"""Flattens a graph of tokens into a sausage, which is what an index can hold.

Source: FlattenGraphFilter of Lucene 9.12. Input nodes are positions; each is mapped to an output node one
after that of a token that arrives at it, and moved on when a later token arrives from further on.
"""

from collections.abc import Callable
from typing import TypeAlias

from lanner.engine.analysis.parameters import Parameters
from lanner.ext.analysis.chain import TokenFilter
from lanner.ext.analysis.python_parts import StreamFilter, Token, TokenList

FilterMaker: TypeAlias = Callable[[], TokenFilter]

_FAR = 2**31


class _InputNode:
    __slots__ = ("max_to", "min_to", "output", "seen", "tokens")

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.seen = False
        self.min_to = _FAR
        self.max_to = -1
        self.output = -1


class _OutputNode:
    __slots__ = ("end", "inputs", "start")

    def __init__(self) -> None:
        self.inputs: list[int] = []
        self.start = self.end = -1


class _Flattener:
    """The state of one text."""

    def __init__(self) -> None:
        self.inputs: dict[int, _InputNode] = {}
        self.outputs: dict[int, _OutputNode] = {}
        self.last_output = -1  # the highest that was asked for
        start = self.input(0)
        start.seen, start.output = True, 0
        first = self.output(0)
        first.inputs.append(0)
        first.start = 0

    def input(self, number: int) -> _InputNode:
        return self.inputs.setdefault(number, _InputNode())

    def output(self, number: int) -> _OutputNode:
        self.last_output = max(self.last_output, number)
        return self.outputs.setdefault(number, _OutputNode())

    def take(self, tokens: list[Token]) -> None:
        """Map the nodes of all tokens."""
        position = -1
        for token in tokens:
            position += token.increment
            to = position + token.position_length
            source = self.input(position)
            if not source.seen:
                self.recover(source, position, token)
            else:
                self.leave(source, position, token)
            source.tokens.append(token)
            source.max_to = max(source.max_to, to)
            source.min_to = min(source.min_to, to)
            target = self.input(to)
            target.seen = True
            end_node = source.output + 1
            if end_node > target.output:
                if target.output != -1:
                    self.output(target.output).inputs.remove(to)
                self.output(end_node).inputs.append(to)
                target.output = end_node
            reached = self.output(target.output)
            if reached.end == -1 or token.end < reached.end:
                reached.end = token.end

    def leave(self, source: _InputNode, position: int, token: Token) -> None:
        """Note a token that leaves a node which others have arrived at."""
        output = self.output(source.output)
        before = self.input(position - token.increment) if token.increment > 1 else None
        if before is not None and source.output - before.output <= 1 and before.min_to != position:
            # a hole at the end of another path: the node is further on than that path knows
            output.inputs.remove(position)
            end = output.end
            source.output = -1
            output = self.recover(source, position, token)
            output.end = end
        if output.start == -1 or token.start > output.start:
            output.start = max(token.start, output.start)

    def recover(self, source: _InputNode, position: int, token: Token) -> _OutputNode:
        """Place a node that no token has arrived at: it follows a hole."""
        source.seen = True
        previous = position - token.increment
        if previous < 0:
            number = self.last_output + 1
        else:
            before = self.input(previous)
            number = (
                self.input(before.min_to).output + 1 if before.min_to < position else max(self.last_output, 0)
            )
        output = self.output(number)
        source.output = number
        output.start = max(token.start, output.start)
        output.inputs.append(position)
        return output

    def release(self) -> list[Token]:
        """Return the tokens by their output nodes."""
        found: list[Token] = []
        last_node = -1
        last_start = 0
        for number in range(self.last_output + 1):
            output = self.outputs.get(number)
            if output is None:
                continue
            for at in output.inputs:
                node = self.inputs[at]
                for token in node.tokens:
                    reached = self.inputs[at + token.position_length].output
                    start = max(last_start, output.start)
                    made = token.copy(token.term)
                    made.increment = number - last_node
                    made.position_length = reached - number
                    made.start, made.end = start, max(start, self.outputs[reached].end)
                    last_node, last_start = number, start
                    found.append(made)
        return found


def _flatten(stream: TokenList) -> None:
    # text without a graph stays; a list of tokens is no graph as long as each spans one position
    flattener = _Flattener()
    flattener.take(stream.tokens)
    stream.tokens = flattener.release()


def flatten_graph(_: Parameters) -> FilterMaker:
    """The graph as a row of positions."""
    return lambda: StreamFilter(_flatten)
