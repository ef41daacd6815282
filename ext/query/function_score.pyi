from collections.abc import Iterable

from lanner.ext.query.scorer import Weight

MISSING: int
NEGATIVE: int
INVALID: int

class ScoreFunction:
    weight: float

class FunctionScoreWeight(Weight):
    fault: int
    faulty_doc: int
    faulty_function: int
    faulty_value: float
    faulty_source: float
    def __init__(
        self,
        child: Weight,
        functions: Iterable[tuple[Weight | None, ScoreFunction]],
        *,
        score_mode: str = "multiply",
        boost_mode: str = "multiply",
        max_boost: float = ...,
        min_score: float | None = None,
    ) -> None: ...

def constant(weight: float) -> ScoreFunction: ...
def field_value(
    field: str | None,
    numbers: str,
    *,
    factor: float,
    modifier: str,
    missing: float | None,
    weight: float = 1.0,
) -> ScoreFunction: ...
def decay(
    field: str,
    numbers: str | None,
    *,
    curve: str,
    mode: str,
    origin: float | tuple[float, float],
    scale: float,
    offset: float,
    weight: float = 1.0,
) -> ScoreFunction: ...
def nearness(
    field: str, *, origin: int | tuple[float, float], pivot: float, weight: float = 1.0
) -> ScoreFunction: ...
def random(field: str | None, *, seed: int, weight: float = 1.0) -> ScoreFunction: ...
