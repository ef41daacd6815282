from lanner.engine.common.wildcards import is_pattern, matches, matches_any


def test_matches() -> None:
    assert matches("*", "anything")
    assert matches("a*c", "abbc")
    assert matches("a.b", "a.b")
    assert not matches("a.b", "axb")
    assert not matches("a*", "ba")
    assert matches("*.x", "o.p.x")
    assert matches_any(["q", "a*"], "ab")
    assert is_pattern("a*")
    assert not is_pattern("a?")
