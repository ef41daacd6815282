"""Regular expressions against Python's own where they agree, and the errors that OpenSearch 2.19.1 gave."""

import random
import re
from contextlib import suppress

import pytest

from lanner.engine.common.errors import IllegalArgument, LannerError, TooComplexToDeterminize
from lanner.engine.query.pattern import wildcard_automaton
from lanner.engine.query.regexp_syntax import interval_automaton, read_flags, regexp_automaton
from lanner.ext.automaton.automaton import Automaton, any_text
from lanner.ext.automaton.determinize import minimize


def read(pattern: str, **options: object) -> Automaton:
    return regexp_automaton(pattern, **{"limit": 10_000, **options})  # type: ignore[arg-type]


def random_pattern(rnd: random.Random, depth: int) -> str:
    """A pattern of the part of the syntax that Python reads alike."""
    kind = rnd.randrange(8 if depth else 3)
    if kind <= 1:
        return rnd.choice(["a", "b", "c", "é", "."])
    if kind == 2:
        return rnd.choice(["[ab]", "[^a]", "[a-c]", "\\.", "\\d", "\\w", "[^b-c]"])
    if kind <= 4:
        return "".join(random_pattern(rnd, depth - 1) for _ in range(rnd.randint(1, 3)))
    if kind == 5:
        return "(" + "|".join(random_pattern(rnd, depth - 1) for _ in range(rnd.randint(1, 3))) + ")"
    return (
        "("
        + random_pattern(rnd, depth - 1)
        + ")"
        + rnd.choice(["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}"])
    )


def test_as_python_reads_them() -> None:
    rnd = random.Random(5)
    compared = 0
    for _ in range(400):
        pattern = random_pattern(rnd, 3)
        ours, theirs = read(pattern), re.compile(pattern, re.ASCII | re.DOTALL)
        for _ in range(40):
            text = "".join(rnd.choices("abcé.1", k=rnd.randint(0, 6)))
            assert ours.accepts(text) == bool(theirs.fullmatch(text)), (pattern, text)
            compared += 1
    assert compared == 16_000


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("~abc", ["bbc", "bc", "xxbc"], ["abc", "ab"]),
        ("~(abc)", ["ab", "", "abcd"], ["abc"]),
        ("a.+&.+c", ["abc", "ac"], ["bc", "ab"]),
        ("@&~(foo.+)", ["foo", "bar", ""], ["foobar"]),
        ("#", [], ["", "#"]),
        ("a#|b", ["b"], ["a", "a#"]),
        ("<1-10>", ["1", "01", "10", "0010"], ["0", "11", ""]),
        ("<01-10>", ["01", "10"], ["1", "010"]),
        ('"a*"b', ["a*b"], ["ab"]),
        ("a||b", ["a", "|b"], ["b", ""]),
        ("*a", ["*a"], ["a"]),
        ("()", [""], ["a"]),
        ("[]a]", ["]", "a"], ["]a]", ""]),
    ],
)
def test_what_only_lucene_reads(pattern: str, yes: list[str], no: list[str]) -> None:
    automaton = read(pattern)
    assert [text for text in yes if not automaton.accepts(text)] == []
    assert [text for text in no if automaton.accepts(text)] == []


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("a{", "integer expected at position 2"),
        ("a{2", "expected '}' at position 3"),
        ("[abc", "expected ']' at position 4"),
        ('"abc', "expected '\"' at position 4"),
        ("(abc", "expected ')' at position 4"),
        ("abc)", "end-of-string expected at position 3"),
        ("a|", "unexpected end-of-string"),
        ("\\q", "invalid character class \\113"),
        ("<foo>", "'foo' not found"),
        ("[z-a]", "invalid range: from (122) cannot be > to (97)"),
        ("(" * 900, "unexpected end-of-string"),
        (
            "a{1,100}{1,1000}",
            "Determinizing a{1,100}{1,1000} would require more than 199000 effort.",
        ),
    ],
)
def test_faults(pattern: str, reason: str) -> None:
    with pytest.raises(IllegalArgument) as caught:
        read(pattern)
    assert caught.value.reason == reason


def test_the_limit_counts_as_lucene_counts() -> None:
    pattern = "[^a]*a[^a]{20}(a|b){20,30}.*x.{20}"
    with pytest.raises(TooComplexToDeterminize) as caught:
        read(pattern)
    cause = caught.value.caused_by
    assert cause is not None
    assert cause.reason == (
        "Determinizing automaton with 146 states and 209 transitions would require more than 10000 effort."
    )
    with pytest.raises(TooComplexToDeterminize, match="1500 states and 2498 transitions"):
        wildcard_automaton("*a" * 500)
    with pytest.raises(TooComplexToDeterminize, match="43 states and 43 transitions"):
        wildcard_automaton("*a" + "?" * 20)


def test_hostile_patterns_end() -> None:
    rnd = random.Random(11)
    parts = [
        ".*",
        "(",
        ")",
        "|",
        "&",
        "~",
        "a",
        "b?",
        "{1,99}",
        "{9}",
        "[^a]",
        "<1-999999999>",
        "*",
        "+",
        "@",
        "#",
    ]
    patterns = ["".join(rnd.choices(parts, k=rnd.randint(1, 60))) for _ in range(600)]
    patterns += ["(" * 450 + "a" + ")" * 450, "~" * 999, "(a|b|.)*" * 120, "~(a.*b)" * 140, "(.*&.*)" * 140]
    patterns += [
        ".*a.{0,9}" * 100,
        "((a{1,99}|b){1,50}|c)*" * 30,
        "(x{0,60}){0,160}" * 20,
        "[a-z]{1,90}" * 99,
    ]
    ended = 0
    for pattern in patterns:
        with suppress(LannerError):
            assert read(pattern).deterministic
        ended += 1
    assert ended == len(patterns) == 609
    for stars in (1, 30, 300, 3000, 30_000):
        assert wildcard_automaton("*" * stars).accepts("anything")
    assert wildcard_automaton("a" * 30_000).n_states == 60_000


def test_intervals_hold_each_number() -> None:
    rnd = random.Random(2)
    for _ in range(60):
        low, high = sorted((rnd.randrange(2000), rnd.randrange(2000)))
        automaton = interval_automaton(low, high, 0)
        for number in [*range(max(0, low - 3), low + 3), *range(high - 3, high + 4), rnd.randrange(3000)]:
            assert automaton.accepts(str(number)) == (low <= number <= high) or number < 0
        padded = interval_automaton(low, high, 4)
        assert padded.accepts(str(low).zfill(4))
        assert not padded.accepts(str(low).zfill(5))


def test_flags_and_small_machines() -> None:
    assert read_flags("ANYSTRING|INTERVAL") == 40
    assert read("a@", flags=0).accepts("a@")
    assert read("AbÉ", any_case=True).accepts("aBÉ")
    assert not read("AbÉ", any_case=True).accepts("aBé")
    assert minimize(any_text(), 10).n_states == 1
