from pyroaring import BitMap

from lanner.ext.query.scorer import Weight
from lanner.ext.search.limits import Limits
from lanner.ext.search.reader import IndexReader

def count(reader: IndexReader, weight: Weight, *, limits: Limits | None = None) -> int: ...
def matching(reader: IndexReader, weight: Weight) -> list[BitMap]: ...
