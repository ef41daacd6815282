"""Term dictionaries against a sorted list."""

from bisect import bisect_left

from hypothesis import example, given, settings
from hypothesis import strategies as st

from lanner.ext.codec.terms import TermsReader
from lanner.ext.index.write_buffer import WriteBuffer
from tests.ext.segments import TAG, document, open_files
from tests.oracle.codec import Dictionary

LONGEST = 32766
# few different bytes: many shared prefixes, and the least and the greatest byte often
TERM = st.one_of(
    st.lists(st.sampled_from([0, 1, 97, 98, 255]), max_size=12).map(bytes),
    st.binary(max_size=20),
    st.builds(lambda n, tail: b"ab" * n + tail, st.integers(0, 200), st.binary(max_size=2)),
    st.sampled_from([b"x" * LONGEST, b"x" * (LONGEST - 1) + b"y", b"\0" * LONGEST, b"\xff" * LONGEST]),
)


def write(terms: list[bytes]) -> TermsReader:
    buffer = WriteBuffer()
    buffer.add([document(i, [(TAG, term)]) for i, term in enumerate(terms)])
    found = open_files(buffer.write_segment()).fields_by_name["tag"].terms
    assert found is not None
    return found


@settings(max_examples=150, deadline=None)
@given(st.lists(TERM, min_size=1, max_size=80), st.lists(TERM, max_size=20))
@example([b""], [b"", b"\0", b"a"])
@example([b"%d" % i for i in range(16)], [b"", b"9", b"99", b"15"])
@example([b"%d" % i for i in range(17)], [b"", b"9", b"99", b"15"])
def test_a_dictionary_is_a_sorted_list(terms: list[bytes], others: list[bytes]) -> None:
    reader = write(terms)
    model = Dictionary(terms)
    assert reader.size == len(model.terms)
    assert [reader.term(ord_) for ord_ in range(reader.size)] == model.terms
    near = [term[:-1] for term in terms] + [term + b"\0" for term in terms]
    for term in (*terms, *others, *near, b"", b"\xff" * 3):
        assert reader.ord(term) == model.ord(term)
        assert reader.ceiling_ord(term) == model.ceiling(term)
        found = []
        at = reader.ceiling_ord(term)
        while at < reader.size and reader.term(at).startswith(term):
            found.append(reader.term(at))
            at += 1
        assert found == model.prefixed(term)


def test_many_terms() -> None:
    terms = [b"%x" % (i * 2654435761 % 2**32) for i in range(60_000)]
    reader = write(terms)
    ordered = sorted(set(terms))
    assert [reader.ord(term) for term in ordered[::7]] == list(range(0, len(ordered), 7))
    assert all(reader.ord(term + b"g") == -1 for term in ordered[::50])
    assert all(reader.ceiling_ord(term + b"g") == bisect_left(ordered, term + b"g") for term in ordered[::50])
