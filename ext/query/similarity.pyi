class FieldStatistics:
    doc_count: int
    sum_total_term_freq: int

class Similarity:
    @property
    def key(self) -> tuple[object, ...]: ...
    @property
    def by_block(self) -> bool: ...

class BM25(Similarity):
    k1: float
    b: float
    plain: bool
    def __init__(self, k1: float = 1.2, b: float = 0.75, *, plain: bool = False) -> None: ...

class BooleanSimilarity(Similarity): ...
class RawFrequency(Similarity): ...
