from lanner.ext.query.scorer import Weight
from lanner.ext.search.reader import IndexReader

FUNCTIONS: dict[str, int]

class FeatureWeight(Weight):
    def __init__(
        self,
        reader: IndexReader,
        field: str,
        name: bytes,
        function: str,
        *,
        boost: float = 1.0,
        first: float = 1.0,
        second: float = 1.0,
    ) -> None: ...

def mean_value(reader: IndexReader, field: str, name: bytes) -> float: ...
