from array import array

from lanner.ext.index.document import Operation

def pack_records(operations: list[Operation]) -> tuple[bytes, array[int]]: ...
