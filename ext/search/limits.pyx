"""When a search must stop early: a deadline, or somebody cancelled it. Asked once per window."""

from lanner.ext.types cimport int64_t

cdef extern from "time.h" nogil:
    ctypedef long time_t
    cdef struct timespec:
        time_t tv_sec
        long tv_nsec
    int clock_gettime(int clock, timespec* out)
    const int CLOCK_MONOTONIC


cdef class Limits:
    """deadline_ns: on the clock of time.monotonic_ns; None for no limit."""

    def __init__(self, deadline_ns=None):
        self.deadline = 0 if deadline_ns is None else max(deadline_ns, 1)
        self.cancelled = False
        self.timed_out = False

    def cancel(self) -> None:
        """Stop the search at its next window."""
        self.cancelled = True

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody cancelled it."""
        return self.cancelled

    cdef bint reached(self) noexcept nogil:
        cdef timespec now
        if self.cancelled:
            return True
        if self.deadline:
            clock_gettime(CLOCK_MONOTONIC, &now)
            if <int64_t>now.tv_sec * 1000000000 + now.tv_nsec >= self.deadline:
                self.timed_out = True
                return True
        return False
