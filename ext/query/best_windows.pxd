"""Which windows to visit first: hits found early raise the threshold that the others must reach."""

cdef enum:
    FIRST_WINDOWS = 12  # windows visited first

cdef inline int best_windows(const float* bounds, int n, int* first) noexcept nogil:
    """Fill first with the windows of greatest bound, best first, FIRST_WINDOWS at most and none of bound 0; return how many."""
    cdef float least = 0  # that a window must exceed
    cdef int n_first = 0, w, i
    for w in range(n):
        if bounds[w] > least:
            i = n_first if n_first < FIRST_WINDOWS else FIRST_WINDOWS - 1
            if n_first < FIRST_WINDOWS:
                n_first += 1
            while i and bounds[first[i - 1]] < bounds[w]:
                first[i] = first[i - 1]
                i -= 1
            first[i] = w
            if n_first == FIRST_WINDOWS:
                least = bounds[first[FIRST_WINDOWS - 1]]
    return n_first
