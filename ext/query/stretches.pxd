"""Stretches of positions in one document; see stretches.pyx."""

cdef enum Operation:
    TERM  # a: number of the term
    GAP  # a: width; only inside ORDERED_NEAR
    SPAN_OR
    ORDERED_NEAR  # a: slop
    UNORDERED_NEAR  # a: slop
    SPAN_NOT  # a: pre, b: post
    SPAN_FIRST  # a: end
    SPAN_CONTAINING
    SPAN_WITHIN
    ANY  # intervals from here on
    BLOCK
    ORDERED
    UNORDERED
    REPEAT  # a: times
    EXTEND  # a: before
    MOST_GAPS  # a: gaps
    CONTAINING
    CONTAINED_BY
    NOT_CONTAINING
    NOT_CONTAINED_BY
    OVERLAPPING
    NOT_OVERLAPPING
    BEFORE
    AFTER

cdef struct Stretch:
    int start
    int end
    int rest  # spans: the width that the score wants; intervals: the positions that no part takes

cdef struct Step:
    Operation operation
    int a
    int b
    int n  # children
    int* children  # numbers of earlier steps
    int* at  # where each child stands, -1 before its first stretch; in the memory of children
    Stretch* list
    int size
    int room

cdef bint push(Step* step, int start, int end, int rest) noexcept nogil
cdef bint run_step(Step* steps, Step* step) noexcept nogil
