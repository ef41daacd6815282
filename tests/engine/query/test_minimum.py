import pytest

from lanner.engine.common.errors import NumberFormatError
from lanner.engine.query.minimum import clauses_needed


@pytest.mark.parametrize(
    ("n", "spec", "needed"),
    [
        (5, "2", 2),
        (5, "-1", 4),
        (5, "-9", 0),
        (4, "75%", 3),
        (4, "-25%", 3),
        (3, "50%", 1),
        (3, "3<90%", 3),
        (10, "3<90%", 9),
        (2, "2<-25% 9<-3", 2),
        (9, "2<-25% 9<-3", 7),
        (12, "2 < -25% 9 < -3", 9),
        (5, "7", 7),
    ],
)
def test_clauses_needed(n: int, spec: str, needed: int) -> None:
    assert clauses_needed(n, spec) == needed


@pytest.mark.parametrize("spec", ["x", "2<x", "%"])
def test_malformed(spec: str) -> None:
    with pytest.raises(NumberFormatError):
        clauses_needed(5, spec)
