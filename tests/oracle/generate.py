"""Random collections and random queries, the same ones for the same seed."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Row:
    """A document of a small collection."""

    tokens: tuple[str, ...]
    tags: tuple[bytes, ...]
    views: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """A query: a leaf with arguments, or a combination of others."""

    kind: str
    arguments: tuple[object, ...] = ()
    must: tuple["Tree", ...] = ()
    should: tuple["Tree", ...] = ()
    filter: tuple["Tree", ...] = ()
    must_not: tuple["Tree", ...] = ()
    children: tuple["Tree", ...] = field(default=())


def row(rnd: random.Random, words: Sequence[str], weights: Sequence[float]) -> Row:
    return Row(
        tuple(rnd.choices(words, weights, k=rnd.choice([0, 1, 3, 8, 20]))),
        tuple(sorted({b"t%d" % rnd.randrange(40) for _ in range(rnd.choice([0, 1, 1, 2]))})),
        tuple(sorted(rnd.randint(-30, 300) for _ in range(rnd.choice([0, 1, 1, 1, 2])))),
    )


def rows(n: int, seed: int, *, n_words: int = 60) -> list[Row]:
    """Return documents whose words follow Zipf's law; some have no text, no tag or no number."""
    rnd = random.Random(seed)
    words = [f"w{i}" for i in range(n_words)]
    weights = [1 / (i + 1) for i in range(n_words)]
    return [row(rnd, words, weights) for _ in range(n)]


def leaf(rnd: random.Random, n_words: int) -> Tree:
    kind = rnd.choice(
        ["term"] * 5
        + ["synonym", "phrase", "tag", "tags", "range", "prefix", "tag_range", "exists", "all", "none"]
    )
    word = f"w{min(n_words, int(rnd.paretovariate(0.6)) - 1)}"  # one of them is in no document
    if kind == "term":
        return Tree(kind, (word, rnd.choice([1.0, 1.0, 2.5])))
    if kind == "synonym":
        return Tree(kind, tuple(rnd.sample([f"w{i}" for i in range(n_words + 1)], rnd.choice([2, 2, 3]))))
    if kind == "phrase":
        return Tree(kind, ((f"w{rnd.randrange(3)}", f"w{rnd.randrange(4)}"), rnd.choice([0, 0, 2])))
    if kind == "tag":
        return Tree(kind, (b"t%d" % rnd.randrange(42),))
    if kind == "tags":
        return Tree(kind, tuple(b"t%d" % rnd.randrange(42) for _ in range(rnd.randint(0, 5))))
    if kind == "range":
        lo = rnd.randint(-40, 310)
        return Tree(kind, (lo, lo + rnd.choice([-1, 0, 2, 60, 400])))
    if kind == "prefix":
        return Tree(kind, (rnd.choice([b"", b"t", b"t1", b"t3", b"t39", b"u"]),))
    if kind == "tag_range":
        ends = [b"t%d" % rnd.randrange(42) for _ in range(2)]
        return Tree(
            kind,
            (*(end if rnd.random() < 0.8 else None for end in ends), rnd.random() < 0.5, rnd.random() < 0.5),
        )
    if kind == "exists":
        return Tree(kind, (rnd.choice(["tag", "views", "body", "nothing"]),))
    return Tree(kind)


def tree(rnd: random.Random, depth: int, *, n_words: int = 60) -> Tree:
    """Return a random query of that depth at most."""
    if depth == 0 or rnd.random() < 0.15:
        return leaf(rnd, n_words)

    def some(most: int) -> tuple[Tree, ...]:
        return tuple(tree(rnd, depth - 1, n_words=n_words) for _ in range(rnd.randint(0, most)))

    kind = rnd.choice(["bool"] * 5 + ["terms", "dis_max", "constant"])
    if kind == "dis_max":
        return Tree(
            kind, (rnd.choice([0.0, 0.3, 1.0]),), children=(tree(rnd, depth - 1, n_words=n_words), *some(2))
        )
    if kind == "constant":
        return Tree(kind, (rnd.choice([1.0, 3.5, 0.0]),), children=(tree(rnd, depth - 1, n_words=n_words),))
    if kind == "terms":  # what has loops of its own
        words = [
            Tree("term", (f"w{min(n_words, int(rnd.paretovariate(0.6)) - 1)}", 1.0))
            for _ in range(rnd.randint(1, 5))
        ]
        if rnd.random() < 0.5:
            return Tree("bool", (0,), must=tuple(words))
        return Tree("bool", (rnd.choice([0, 1, 1, 2]),), should=tuple(words))
    must, should, filters, must_not = some(2), some(3), some(1), some(1)
    if not (must or should or filters):
        must = (tree(rnd, depth - 1, n_words=n_words),)
    return Tree(
        "bool",
        (rnd.choice([0, 0, 1, 2, len(should)]),),
        must=must,
        should=should,
        filter=filters,
        must_not=must_not,
    )
