from lanner.engine.query.term import blend


def test_blended_frequencies() -> None:
    # the commonest field keeps its frequency, each step down adds one
    assert blend([10, 4, 7], [1000, 1000, 1000], 500) == [10, 12, 11]
    assert blend([5, 5], [1000, 1000], 500) == [5, 5]
    assert blend([5, 0], [1000, 1], 500) == [5, 0]
    # never more than the tokens of the smallest field
    assert blend([10, 4], [1000, 6], 500) == [6, 6]
    assert blend([0, 0], [0, 0], 500) == [0, 0]
    assert blend([3], [10], 500) == [3]
