"""Synonyms: rules in the formats of Solr and WordNet, and the filters that apply them.

Source: SynonymFilter and SynonymGraphFilter of Lucene 9.12 for order, positions and offsets.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from lanner.engine.analysis.analyzer import Surroundings
from lanner.engine.analysis.parameters import Parameters
from lanner.engine.analysis.words import refuse_path
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.chain import Chain, TokenFilter
from lanner.ext.analysis.python_parts import StreamFilter, Token, TokenList

FilterMaker: TypeAlias = Callable[[], TokenFilter]
Words: TypeAlias = tuple[str, ...]


class _Node:
    """A place in the tree of the rules' left sides; each step is a word."""

    __slots__ = ("groups", "keeps", "next")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.groups: list[tuple[Sequence[Words], int]] = []  # right sides, and which of them is the left side
        self.keeps = False  # the words of the left side stay

    def outputs(self) -> list[Words]:
        """Return the right sides, each once."""
        found: dict[Words, None] = {}
        for group, own in self.groups:
            for number, words in enumerate(group):
                if number != own:
                    found[words] = None
        return list(found)


class _Rules:
    """Rules as they are read."""

    def __init__(self, chain: Chain, *, expand: bool, lenient: bool) -> None:
        self.root = _Node()
        self.chain = chain
        self.expand = expand
        self.lenient = lenient

    def analyze(self, text: str) -> Words | None:
        """Return the words of a side, None if they are no words and that is nobody's concern."""
        words: list[str] = []
        last = -1
        for term, _, _, position, *_ in self.chain.tokens(text):
            if not term or position != last + 1:
                words = []
                break
            last = position
            words.append(term.decode("utf-8", "replace"))
        if words:
            return tuple(words)
        if self.lenient:
            return None
        raise IllegalArgument("Failed to build synonyms")

    def add(self, left: Words, group: Sequence[Words], own: int, *, keeps: bool) -> None:
        """Map words to a group of right sides; own: the number of the one that is left out, or -1."""
        node = self.root
        for word in left:
            node = node.next.setdefault(word, _Node())
        node.groups.append((group, own))
        node.keeps = node.keeps or keeps

    def add_equal(self, sides: Sequence[Words]) -> None:
        """Add words that mean the same."""
        if not self.expand:
            for side in sides:
                self.add(side, sides[:1], -1, keeps=False)
        elif len(sides) > 1:
            for number, side in enumerate(sides):
                self.add(side, sides, number, keeps=True)

    def analyzed(self, sides: Iterable[str]) -> list[Words]:
        """Return the words of sides that are words."""
        return [words for side in sides if (words := self.analyze(side)) is not None]

    def read_solr(self, lines: Iterable[str]) -> None:
        """Read rules like ``a, b => c`` and ``a, b, c``."""
        for line in lines:
            if not line or line.startswith("#"):
                continue
            sides = list(_split(line, "=>"))
            if len(sides) > 2:
                raise IllegalArgument("Failed to build synonyms")
            left = self.analyzed(_unescape(side).strip() for side in _split(sides[0], ",")) if sides else []
            if len(sides) == 2:
                right = self.analyzed(_unescape(side).strip() for side in _split(sides[1], ","))
                for words in left:
                    if right:
                        self.add(words, right, -1, keeps=False)
            else:
                self.add_equal(left)

    def read_wordnet(self, lines: Iterable[str]) -> None:
        """Read the Prolog form of WordNet, lines like ``s(100000001,1,'word',v,1,0).``."""
        last = ""
        group: list[Words] = []
        for line in lines:
            first, end = line.find("'") + 1, line.rfind("'")
            if len(line) < 11 or end < first:
                raise IllegalArgument("Failed to build synonyms")
            if line[2:11] != last and len(group) > 1:
                self.add_equal(group)
            if line[2:11] != last:
                group = []
            last = line[2:11]
            words = self.analyze(line[first:end].replace("''", "'"))
            if words is not None:
                group.append(words)
        if len(group) > 1:
            self.add_equal(group)


def _split(text: str, separator: str) -> Iterator[str]:
    """Yield the parts that are not empty; a backslash protects what follows it."""
    part = ""
    at = 0
    while at < len(text):
        if text.startswith(separator, at):
            if part:
                yield part
            part = ""
            at += len(separator)
            continue
        step = 2 if text[at] == "\\" else 1
        part += text[at : at + step]
        at += step
    if part:
        yield part


def _unescape(text: str) -> str:
    kept = ""
    at = 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            at += 1
        kept += text[at]
        at += 1
    return kept


class _Matcher:
    """Finds the longest rule at a token."""

    def __init__(self, root: _Node) -> None:
        self.root = root

    def find(self, tokens: Sequence[Token], at: int) -> tuple[_Node, int] | None:
        """Return the rule and how many tokens it takes."""
        node: _Node | None = self.root
        found: tuple[_Node, int] | None = None
        start = at
        while at < len(tokens):
            assert node is not None
            node = node.next.get(tokens[at].term)
            if node is None:
                break
            at += 1
            if node.groups:
                found = (node, at - start)
        return found


class _Synonyms(_Matcher):
    """Synonyms without graphs: words of a right side lie over the tokens from where the left side begins."""

    def __call__(self, stream: TokenList) -> None:
        """Put the synonyms in."""
        tokens = stream.tokens
        found: list[Token] = []
        # by token: words to put out with their ends (-1: that of the token) and lengths
        waiting: dict[int, list[tuple[str, int, int]]] = {}
        at = 0
        while at < len(tokens):
            match = self.find(tokens, at)
            n = 1
            replaced = False
            if match is not None:
                node, n = match
                replaced = not node.keeps
                self.place(node, tokens, at, n, waiting)
            for number in range(at, at + n):
                self.put(tokens[number], waiting.pop(number, ()), found, replaced=replaced)
            at += n
        last = tokens[-1] if tokens else None
        while at in waiting and last is not None:
            increment = 1
            for word, _, length in waiting.pop(at):
                made = Token(word, last.start, last.end, position_length=length, type="SYNONYM")
                made.increment, increment = increment, 0
                found.append(made)
            at += 1
        stream.tokens = found

    def place(
        self,
        node: _Node,
        tokens: Sequence[Token],
        at: int,
        n: int,
        waiting: dict[int, list[tuple[str, int, int]]],
    ) -> None:
        """Note the right sides of a rule at the tokens that they lie over."""
        for words in node.outputs():
            if len(words) == 1:
                waiting.setdefault(at, []).append((words[0], tokens[at + n - 1].end, n if node.keeps else 1))
                continue
            for number, word in enumerate(words):
                waiting.setdefault(at + number, []).append((word, -1, 1))

    def put(
        self, token: Token, words: Iterable[tuple[str, int, int]], found: list[Token], *, replaced: bool
    ) -> None:
        """Put out a token unless it is replaced, then the words at its place."""
        increment = 1
        if not replaced:
            found.append(token)
            increment = 0
        for word, end, length in words:
            made = Token(
                word, token.start, token.end if end < 0 else end, position_length=length, type="SYNONYM"
            )
            made.increment, increment = increment, 0
            found.append(made)


class _SynonymGraph(_Matcher):
    """Synonyms as paths beside the tokens that they stand for."""

    def __call__(self, stream: TokenList) -> None:
        """Put the synonyms in."""
        tokens = stream.tokens
        found: list[Token] = []
        at = next_node = 0
        last_node = -1
        while at < len(tokens):
            match = self.find(tokens, at)
            if match is None:
                token = tokens[at]
                last_node += token.increment
                next_node = last_node + token.position_length
                found.append(token)
                at += 1
                continue
            node, n = match
            edges, next_node = self.paths(node, tokens[at : at + n], next_node)
            for token, first, last in edges:
                token.increment, token.position_length = first - last_node, last - first
                last_node = first
                found.append(token)
            at += n
        stream.tokens = found

    def paths(
        self, node: _Node, matched: Sequence[Token], first_node: int
    ) -> tuple[list[tuple[Token, int, int]], int]:
        """Return the tokens of all paths with the nodes they lie between, and the node where they all end."""
        start, end = matched[0].start, matched[-1].end
        paths = [[Token(word, start, end, type="SYNONYM") for word in words] for words in node.outputs()]
        if node.keeps:
            paths.append(list(matched))
        last_node = first_node + sum(len(path) - 1 for path in paths) + 1
        heads: list[tuple[Token, int, int]] = []
        tails: list[tuple[Token, int, int]] = []
        inner = first_node
        for path in paths:
            if len(path) == 1:
                heads.append((path[0], first_node, last_node))
                continue
            heads.append((path[0], first_node, inner + 1))
            for number, token in enumerate(path[1:], 1):
                tails.append(
                    (token, inner + number, last_node if number == len(path) - 1 else inner + number + 1)
                )
            inner += len(path) - 1
        return heads + tails, last_node


def _synonyms(
    parameters: Parameters, matcher: type[_Synonyms] | type[_SynonymGraph]
) -> Callable[[Surroundings], FilterMaker]:
    wordnet = (parameters.string("format") or "").lower() == "wordnet"
    expand = parameters.boolean("expand", True)
    lenient = parameters.boolean("lenient", False)
    given = parameters.strings("synonyms")

    def bind(around: Surroundings) -> FilterMaker:
        parts = [part.for_synonyms() for part in around.token_filters]
        if given is None:
            refuse_path(parameters, "synonyms")
            raise IllegalArgument("synonym requires either `synonyms` or `synonyms_path` to be configured")
        chain = Chain(
            [part.make() for part in around.char_filters],
            around.tokenizer.make(),
            [part.make() for part in parts],
        )
        rules = _Rules(chain, expand=expand, lenient=lenient)
        if wordnet:
            rules.read_wordnet(given)
        else:
            rules.read_solr(given)
        apply = matcher(rules.root)
        return lambda: StreamFilter(apply)

    return bind


def synonym(parameters: Parameters) -> Callable[[Surroundings], FilterMaker]:
    """Synonyms at the places of the words they stand for."""
    return _synonyms(parameters, _Synonyms)


def synonym_graph(parameters: Parameters) -> Callable[[Surroundings], FilterMaker]:
    """Synonyms as a graph."""
    return _synonyms(parameters, _SynonymGraph)


def no_filter(_: Parameters) -> FilterMaker:
    """Return what synonyms are where rules of synonyms are read: nothing."""
    return lambda: StreamFilter(lambda stream: None)
