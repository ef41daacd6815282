from lanner.ext.index.schema import Field

class Column:
    field: Field
    ram_bytes: int
    def __init__(self, field: Field) -> None: ...
