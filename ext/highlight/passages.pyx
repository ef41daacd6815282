"""Passages: stretches of a text between two boundaries that something is marked in, the best ones by BM25.

A passage counts each term of it as a document counts it, with the passages as the collection; those near the beginning count more.
Source: UnifiedHighlighter, FieldHighlighter and PassageScorer of Lucene 9.
"""

from libc.math cimport log
from libc.stdlib cimport calloc, free, malloc, qsort

from lanner.ext.highlight.breaks cimport DONE, Breaks
from lanner.ext.highlight.marks cimport Mark, Marks
from lanner.ext.types cimport uint32_t

cdef extern from "Python.h":
    str PyUnicode_Substring(str text, Py_ssize_t start, Py_ssize_t end)

cdef double PIVOT = 87.0  # characters of a passage of common length
cdef double K1 = 1.2
cdef double B = 0.75
cdef str BLANKS = "".join([chr(c) for c in range(33)])

cdef struct Passage:
    Py_ssize_t value
    Py_ssize_t base  # where the value begins in all of the text
    Py_ssize_t start  # in the value
    Py_ssize_t end
    Py_ssize_t first_mark
    Py_ssize_t end_mark
    double score

cdef struct Term:
    double weight
    uint32_t freq


cdef int by_score_then_last(const void* a, const void* b) noexcept nogil:
    cdef const Passage* one = <const Passage*>a
    cdef const Passage* other = <const Passage*>b
    if one.score != other.score:
        return -1 if one.score > other.score else 1
    return -1 if one.base + one.start > other.base + other.start else 1


cdef int by_score_then_first(const void* a, const void* b) noexcept nogil:
    cdef const Passage* one = <const Passage*>a
    cdef const Passage* other = <const Passage*>b
    if one.score != other.score:
        return -1 if one.score > other.score else 1
    return -1 if one.first_mark < other.first_mark else 1


cdef int by_place(const void* a, const void* b) noexcept nogil:
    return -1 if (<const Passage*>a).first_mark < (<const Passage*>b).first_mark else 1


cdef Py_ssize_t find_passages(list values, Marks marks, object breaks_of, Passage* out) except -1:
    """Write the passages around all marks, in the order of the text; return how many they are."""
    cdef Passage* passage = NULL
    cdef Breaks breaks = None
    cdef Py_ssize_t n_values = len(values), value = 0, base = 0, length = len(values[0]), broken = -1, n = 0, i, start, last
    for i in range(marks.size):
        while value + 1 < n_values and base + length < marks.items[i].start:
            base += length + 1
            value += 1
            length = len(values[value])
        start = marks.items[i].start - base
        if passage == NULL or value != passage.value or start >= passage.end:
            if value != broken:
                breaks = breaks_of(values[value])
                broken = value
            passage = out + n
            n += 1
            passage.value = value
            passage.base = base
            passage.start = max(breaks.before(start + 1), 0)
            last = breaks.after(start)
            passage.end = length if last == DONE else min(last, length)
            passage.first_mark = i
        passage.end_mark = i + 1
    return n


cdef void weigh(Marks marks, double length, Term* terms) noexcept:
    """Tell what each term counts. length: of all of the text."""
    cdef double count = 1 + length / PIVOT
    cdef Py_ssize_t i
    cdef Term* term
    for i in range(marks.size):
        terms[marks.items[i].term].freq += 1
    for i in range(marks.size):
        term = terms + marks.items[i].term
        if term.freq:
            term.weight = (K1 + 1) * log(1 + (count + 0.5) / (term.freq + 0.5))
            term.freq = 0  # from here on: in a passage


cdef double score(const Passage* passage, const Mark* marks, Term* terms) noexcept:
    """Tell how good a passage is. Terms add up in the order in which they come first."""
    cdef double norm = K1 * ((1 - B) + B * ((passage.end - passage.start) / PIVOT)), total = 0
    cdef Py_ssize_t i
    cdef Term* term
    for i in range(passage.first_mark, passage.end_mark):
        terms[marks[i].term].freq += 1
    for i in range(passage.first_mark, passage.end_mark):
        term = terms + marks[i].term
        if term.freq:
            total += term.freq / (term.freq + norm) * term.weight
            term.freq = 0
    return total * (1 + 1 / log(PIVOT + passage.base + passage.start))


cdef str show(const Passage* passage, const Mark* marks, str value, str before, str behind, object encode):
    """Mark what is to be marked in a passage."""
    cdef list parts = []
    cdef Py_ssize_t at = passage.start, i, start, end
    cdef str piece
    for i in range(passage.first_mark, passage.end_mark):
        start, end = marks[i].start - passage.base, marks[i].end - passage.base
        if start > at:
            piece = PyUnicode_Substring(value, at, start)
            parts.append(piece if encode is None else encode(piece))
        if end > at:
            piece = PyUnicode_Substring(value, max(start, at), end)
            parts.append(before)
            parts.append(piece if encode is None else encode(piece))
            parts.append(behind)
            at = end
    piece = PyUnicode_Substring(value, at, passage.end)
    parts.append(piece if encode is None else encode(piece))
    return "".join(parts).strip(BLANKS)


def fragments(
    list values not None, Marks marks not None, breaks_of, Py_ssize_t most, str before not None, str behind not None, *, encode=None,
    bint by_score=False,
):
    """Return the best passages of the values of a field (see the .pyi)."""
    cdef Passage* passages
    cdef Term* terms
    cdef Py_ssize_t n, i, length = len(values) - 1
    if not values or marks.size == 0 or most < 1:
        raise ValueError("nothing is marked, or nothing to be shown")
    for value in values:
        length += len(<str?>value)
    marks.sort()
    passages = <Passage*>malloc(marks.size * sizeof(Passage))
    terms = <Term*>calloc(marks.n_terms, sizeof(Term))
    try:
        if passages == NULL or terms == NULL:
            raise MemoryError()
        n = find_passages(values, marks, breaks_of, passages)
        weigh(marks, length, terms)
        for i in range(n):
            passages[i].score = score(passages + i, marks.items, terms)
        if n > most:
            qsort(passages, n, sizeof(Passage), by_score_then_last)
            n = most
            qsort(passages, n, sizeof(Passage), by_place)
        if by_score:
            qsort(passages, n, sizeof(Passage), by_score_then_first)
        return [
            show(passages + i, marks.items, values[passages[i].value], before, behind, encode) for i in range(n)
        ]
    finally:
        free(passages)
        free(terms)
