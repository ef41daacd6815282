"""Random queries twice: as weights of the core, and as dictionaries from document to score."""

from collections.abc import Sequence

from pyroaring import BitMap

from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import ConstantWeight, MatchAllWeight, MatchNoneWeight
from lanner.ext.query.dis_max import DisMaxWeight
from lanner.ext.query.exists import ExistsWeight
from lanner.ext.query.multi_term import PrefixWeight, TermRangeWeight, TermsWeight
from lanner.ext.query.phrase import PhraseWeight
from lanner.ext.query.range import NumberRangeWeight
from lanner.ext.query.scorer import Weight
from lanner.ext.query.similarity import BM25
from lanner.ext.query.synonym import SynonymWeight
from lanner.ext.query.term import TermWeight
from lanner.ext.search.reader import IndexReader
from tests.ext.query.model import sloppy_freq
from tests.ext.segments import BODY, TAG, VIEWS, document, merge_files, open_files
from tests.oracle.codec import Dictionary
from tests.oracle.generate import Row, Tree
from tests.oracle.scoring import K1, Collection

Scores = dict[int, float]


def write(rows: Sequence[Row], base: int = 0) -> SegmentReader:
    """Index rows whose documents are numbered from base."""
    buffer = WriteBuffer()
    buffer.add(
        [
            document(
                base + i,
                [(BODY, " ".join(r.tokens)), *((TAG, tag) for tag in r.tags), *((VIEWS, v) for v in r.views)],
            )
            for i, r in enumerate(rows)
        ]
    )
    return open_files(buffer.write_segment())


class Shard:
    """The same rows in segments of given sizes, with some documents deleted."""

    def __init__(self, rows: Sequence[Row], sizes: Sequence[int], deleted: Sequence[int] = ()) -> None:
        assert sum(sizes) == len(rows)
        self.bases = [sum(sizes[:i]) for i in range(len(sizes))]
        gone = set(deleted)
        self.reader = IndexReader(
            [
                write(rows[base : base + size], base).with_deleted(
                    BitMap(d for d in range(size) if base + d in gone)
                )
                for base, size in zip(self.bases, sizes, strict=True)
            ]
        )

    def merged(self) -> IndexReader:
        """Everything in one segment, deletions dropped."""
        return IndexReader([open_files(merge_files(self.reader.segments)[0])])

    def number(self, segment: int, doc: int) -> int:
        return self.bases[segment] + doc


class Model:
    """What the queries should find; deleted documents count for the statistics and are never found."""

    def __init__(self, rows: Sequence[Row], deleted: Sequence[int] = ()) -> None:
        self.rows = rows
        self.live = set(range(len(rows))) - set(deleted)
        self.collection = Collection([row.tokens for row in rows])
        self.tags = Dictionary(tag for row in rows for tag in row.tags)
        self.leaves: dict[Tree, Scores] = {}

    def find(self, tree: Tree) -> Scores:
        return {doc: score for doc, score in self.evaluate(tree).items() if doc in self.live}

    def evaluate(self, tree: Tree) -> Scores:
        if tree.kind == "bool":
            return self.combine(tree)
        if tree.kind == "dis_max":
            (share,) = tree.arguments
            assert isinstance(share, float)
            return disjoin([self.evaluate(child) for child in tree.children], share)
        if tree.kind == "constant":
            (score,) = tree.arguments
            assert isinstance(score, float)
            return dict.fromkeys(self.evaluate(tree.children[0]), score)
        if tree not in self.leaves:
            self.leaves[tree] = self.leaf(tree)
        return self.leaves[tree]

    def combine(self, tree: Tree) -> Scores:
        (least,) = tree.arguments
        assert isinstance(least, int)
        if not (tree.must or tree.filter):
            least = max(least, 1)
        must = [self.evaluate(child) for child in tree.must]
        should = [self.evaluate(child) for child in tree.should]
        required = [*must, *(self.evaluate(child) for child in tree.filter)]
        prohibited = [self.evaluate(child) for child in tree.must_not]
        found = {}
        for doc in required[0] if required else {doc for part in should for doc in part}:
            if (
                all(doc in part for part in required)
                and sum(doc in part for part in should) >= least
                and not any(doc in part for part in prohibited)
            ):
                found[doc] = sum(part.get(doc, 0.0) for part in (*must, *should))
        return found

    def leaf(self, tree: Tree) -> Scores:
        match tree.kind, tree.arguments:
            case "term", (str(word), float(boost)):
                freqs = self.collection.freqs
                return {
                    d: boost * self.collection.term(d, word) for d in range(len(self.rows)) if freqs[d][word]
                }
            case "synonym", words:
                return self.synonym([str(word) for word in words])
            case "phrase", (tuple(words), int(slop)):
                return self.phrase([str(word) for word in words], slop)
            case "tag", (tag,):
                return dict.fromkeys(self.tagged([tag]), 0.0)
            case "tags", tags:
                return dict.fromkeys(self.tagged(tags), 1.0)
            case "prefix", (bytes(prefix),):
                return dict.fromkeys(self.tagged(self.tags.prefixed(prefix)), 1.0)
            case "tag_range", (
                bytes() | None as lower,
                bytes() | None as upper,
                bool(with_lower),
                bool(with_upper),
            ):
                found = self.tags.between(lower, upper, include_lower=with_lower, include_upper=with_upper)
                return dict.fromkeys(self.tagged(found), 1.0)
            case "range", (int(lo), int(hi)):
                return {d: 1.0 for d, row in enumerate(self.rows) if any(lo <= v <= hi for v in row.views)}
            case "exists", (name,):
                if name == "body":  # every row has a text, be it one without tokens
                    return dict.fromkeys(range(len(self.rows)), 1.0)
                values = {"tag": "tags", "views": "views"}.get(str(name))
                return {d: 1.0 for d, row in enumerate(self.rows) if values and getattr(row, values)}
            case "all", ():
                return dict.fromkeys(range(len(self.rows)), 1.0)
            case "none", ():
                return {}
        raise AssertionError(tree)

    def tagged(self, tags: Sequence[object]) -> list[int]:
        return [doc for doc, row in enumerate(self.rows) if any(tag in tags for tag in row.tags)]

    def synonym(self, words: Sequence[str]) -> Scores:
        """As one term: the commonest says how rare it is, frequencies add up."""
        weight = (K1 + 1) * min(
            (self.collection.idf(word) for word in words if self.collection.doc_freq[word]), default=0.0
        )
        freqs = [sum(freqs[word] for word in words) for freqs in self.collection.freqs]
        return {doc: weight * self.collection.saturation(doc, freq) for doc, freq in enumerate(freqs) if freq}

    def phrase(self, words: Sequence[str], slop: int) -> Scores:
        found = {}
        weight = (K1 + 1) * sum(map(self.collection.idf, words))
        for doc, row in enumerate(self.rows):
            if slop:
                at = [[i for i, token in enumerate(row.tokens) if token == word] for word in words]
                freq = sloppy_freq(words, range(len(words)), at, slop)
            else:
                freq = self.collection.phrase_freq(doc, words)
            if freq:
                found[doc] = weight * self.collection.saturation(doc, freq)
        return found


def disjoin(parts: Sequence[Scores], share: float) -> Scores:
    found = {}
    for doc in {doc for part in parts for doc in part}:
        scores = [part.get(doc, 0.0) for part in parts]
        found[doc] = max(scores) + share * (sum(scores) - max(scores))
    return found


def build(reader: IndexReader, tree: Tree) -> Weight:
    """Return the weight of a query; sets are wrapped, as their own score counts only when alone."""
    if tree.kind == "bool":
        (least,) = tree.arguments
        assert isinstance(least, int)
        return BooleanWeight(
            must=[build(reader, child) for child in tree.must],
            should=[build(reader, child) for child in tree.should],
            filter=[build(reader, child) for child in tree.filter],
            must_not=[build(reader, child) for child in tree.must_not],
            minimum_should_match=least,
        )
    match tree.kind, tree.arguments:
        case "dis_max", (float(share),):
            return DisMaxWeight([build(reader, child) for child in tree.children], share)
        case "constant", (float(score),):
            return ConstantWeight(build(reader, tree.children[0]), score)
        case "term", (str(word), float(boost)):
            return TermWeight(reader, "body", word.encode(), boost=boost, similarity=BM25())
        case "synonym", words:
            return SynonymWeight(reader, "body", [str(word).encode() for word in words], similarity=BM25())
        case "phrase", (tuple(words), int(slop)):
            terms = [[str(word).encode()] for word in words]
            return PhraseWeight(reader, "body", terms, range(len(terms)), slop=slop, similarity=BM25())
        case "tag", (bytes(tag),):
            return TermWeight(reader, "tag", tag)
        case "tags", tags:
            return ConstantWeight(TermsWeight(reader, "tag", [t for t in tags if isinstance(t, bytes)]), 1.0)
        case "prefix", (bytes(prefix),):
            return ConstantWeight(PrefixWeight(reader, "tag", prefix), 1.0)
        case "tag_range", (
            bytes() | None as lower,
            bytes() | None as upper,
            bool(with_lower),
            bool(with_upper),
        ):
            weight = TermRangeWeight(
                reader, "tag", lower, upper, include_lower=with_lower, include_upper=with_upper
            )
            return ConstantWeight(weight, 1.0)
        case "range", (int(lo), int(hi)):
            return ConstantWeight(NumberRangeWeight(reader, "views", lo, hi), 1.0)
        case "exists", (str(name),):
            return ConstantWeight(ExistsWeight(reader, name), 1.0)
        case "all", ():
            return MatchAllWeight(reader)
        case "none", ():
            return MatchNoneWeight(reader)
    raise AssertionError(tree)
