from collections.abc import Iterable

from lanner.ext.query.scorer import Weight
from lanner.ext.query.similarity import Similarity
from lanner.ext.search.reader import IndexReader

KINDS: dict[str, int]
MODELS: dict[str, int]
EFFECTS: dict[str, int]
NORMALIZATIONS: dict[str, int]

class Formula(Similarity):
    name: str
    number: float
    def __init__(
        self, name: str, *, model: str = "", effect: str = "", normalization: str = "no", number: float = 0
    ) -> None: ...

class FormulaWeight(Weight): ...

class FormulaTermWeight(FormulaWeight):
    def __init__(
        self,
        reader: IndexReader,
        field: str,
        terms: Iterable[bytes],
        formula: Formula,
        *,
        boost: float = 1.0,
        doc_freq: int | None = None,
        total_freq: int | None = None,
    ) -> None: ...

class FormulaPhraseWeight(FormulaWeight):
    def __init__(
        self, child: Weight, field: str, terms: Iterable[bytes], formula: Formula, *, boost: float = 1.0
    ) -> None: ...
