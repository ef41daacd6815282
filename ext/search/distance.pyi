from collections.abc import Iterable

class Distance:
    def __init__(
        self, lats: Iterable[float], lons: Iterable[float], unit: float, *, plane: bool = False
    ) -> None: ...

def metres(lat: float, lon: float, cell: int) -> float: ...
