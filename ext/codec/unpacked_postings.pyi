class UnpackedCache:
    size: int
    most: int
    def __len__(self) -> int: ...
