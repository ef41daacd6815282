"""Finite automata over code points: how they are combined.

The constructions keep as many states as Lucene's (org.apache.lucene.util.automaton), because the limit on the work of making an
automaton deterministic (determinize.pyx) is counted in them. Every construction is bounded, here by MOST_ARCS.
"""

from libc.stdlib cimport calloc, free, malloc, qsort, realloc

from lanner.ext.types cimport uint8_t, uint32_t

cdef enum:
    MOST_ARCS = 2000000


class TooComplexError(ValueError):
    """More work than the limit allows."""


cdef int by_target(const void* a, const void* b) noexcept nogil:
    cdef const Arc* x = <const Arc*>a
    cdef const Arc* y = <const Arc*>b
    if x.src != y.src:
        return -1 if x.src < y.src else 1
    if x.dst != y.dst:
        return -1 if x.dst < y.dst else 1
    if x.lo != y.lo:
        return -1 if x.lo < y.lo else 1
    return 0


cdef int by_range(const void* a, const void* b) noexcept nogil:
    cdef const Arc* x = <const Arc*>a
    cdef const Arc* y = <const Arc*>b
    if x.src != y.src:
        return -1 if x.src < y.src else 1
    if x.lo != y.lo:
        return -1 if x.lo < y.lo else 1
    if x.hi != y.hi:
        return -1 if x.hi < y.hi else 1
    if x.dst != y.dst:
        return -1 if x.dst < y.dst else 1
    return 0


cdef class Automaton:
    def __dealloc__(self):
        free(self.arcs)
        free(self.accept)
        free(self.first)

    cdef int add_state(self, bint accept) except -1:
        """Return the number of a new state."""
        cdef void* grown
        if self.n_states == self.states_room:
            self.states_room = 2 * self.states_room + 8
            grown = realloc(self.accept, self.states_room)
            if grown == NULL:
                raise MemoryError()
            self.accept = <uint8_t*>grown
        self.accept[self.n_states] = accept
        self.n_states += 1
        return self.n_states - 1

    cdef int add_arc(self, int src, int dst, uint32_t lo, uint32_t hi) except -1:
        cdef void* grown
        if self.n_arcs == self.arcs_room:
            if self.n_arcs >= MOST_ARCS:
                raise TooComplexError(f"An automaton would have more than {MOST_ARCS} transitions.")
            self.arcs_room = 2 * self.arcs_room + 8
            grown = realloc(self.arcs, self.arcs_room * sizeof(Arc))
            if grown == NULL:
                raise MemoryError()
            self.arcs = <Arc*>grown
        self.arcs[self.n_arcs] = Arc(src, dst, lo, hi)
        self.n_arcs += 1
        return 0

    cdef int copy(self, Automaton other) except -1:
        """Add the states and arcs of another; return the number that its start has now."""
        cdef int offset = self.n_states, i
        cdef Py_ssize_t j
        for i in range(other.n_states):
            self.add_state(other.accept[i])
        for j in range(other.n_arcs):
            self.add_arc(other.arcs[j].src + offset, other.arcs[j].dst + offset, other.arcs[j].lo, other.arcs[j].hi)
        return offset

    cdef int link(self, int src, Automaton other, int offset) except -1:
        """Give a state the arcs of the start of another automaton, whose copy begins at offset."""
        cdef int j
        for j in range(other.first[0], other.first[1]):
            self.add_arc(src, other.arcs[j].dst + offset, other.arcs[j].lo, other.arcs[j].hi)
        return 0

    cdef Automaton finish(self):
        """Sort the arcs, join those that touch, and note where those of each state begin."""
        cdef Py_ssize_t i, kept = 0
        cdef int state
        cdef Arc* arc
        cdef Arc* last
        if self.n_arcs:
            qsort(self.arcs, self.n_arcs, sizeof(Arc), by_target)
        for i in range(self.n_arcs):
            arc = &self.arcs[i]
            if kept:
                last = &self.arcs[kept - 1]
                if last.src == arc.src and last.dst == arc.dst and arc.lo <= last.hi + 1:
                    if arc.hi > last.hi:
                        last.hi = arc.hi
                    continue
            self.arcs[kept] = arc[0]
            kept += 1
        self.n_arcs = kept
        if self.n_arcs:
            qsort(self.arcs, self.n_arcs, sizeof(Arc), by_range)
        free(self.first)
        self.first = <int*>malloc((self.n_states + 1) * sizeof(int))
        if self.first == NULL:
            raise MemoryError()
        i = 0
        self.deterministic = True
        for state in range(self.n_states):
            self.first[state] = <int>i
            while i < self.n_arcs and self.arcs[i].src == state:
                if i > self.first[state] and self.arcs[i].lo <= self.arcs[i - 1].hi:
                    self.deterministic = False
                i += 1
        self.first[self.n_states] = <int>i
        return self

    def accepts(self, str text not None) -> bool:
        """Return whether a text belongs to the set. For tests: it visits sets of states, one code point at a time."""
        cdef set now = {0} if self.n_states else set()
        cdef set then
        cdef int j, state
        for c in text:
            then = set()
            for state in now:
                for j in range(self.first[state], self.first[state + 1]):
                    if self.arcs[j].lo <= <uint32_t>ord(c) <= self.arcs[j].hi:
                        then.add(self.arcs[j].dst)
            now = then
        return any([self.accept[state] for state in now])


# -- leaves


def empty() -> Automaton:
    """Return the set of no text."""
    return (<Automaton>Automaton.__new__(Automaton)).finish()


def text(str given not None) -> Automaton:
    """Return the set of one text."""
    cdef Automaton made = Automaton.__new__(Automaton)
    cdef int i
    made.add_state(not given)
    for i in range(len(given)):
        made.add_state(i + 1 == len(given))
        made.add_arc(i, i + 1, <uint32_t>ord(given[i]), <uint32_t>ord(given[i]))
    return made.finish()


def chars(list ranges not None) -> Automaton:
    """Return the set of the texts of one code point that lies in any of (lo, hi)."""
    cdef Automaton made = Automaton.__new__(Automaton)
    made.add_state(False)
    made.add_state(True)
    for lo, hi in ranges:
        if lo <= hi:
            made.add_arc(0, 1, lo, hi)
    return made.finish()


def any_text() -> Automaton:
    """Return the set of all texts."""
    cdef Automaton made = Automaton.__new__(Automaton)
    made.add_state(True)
    made.add_arc(0, 0, 0, LAST_CODE_POINT)
    return made.finish()


# -- combinations


def union(list parts not None) -> Automaton:
    """Return what belongs to any part."""
    cdef Automaton made = Automaton.__new__(Automaton)
    cdef Automaton part
    cdef int offset
    made.add_state(False)
    for part in parts:
        if part.n_states == 0:
            continue
        offset = made.copy(part)
        made.link(0, part, offset)
        if part.accept[0]:
            made.accept[0] = True
    return without_dead(made.finish())


def concatenate(list parts not None) -> Automaton:
    """Return texts that are one of each part, in order."""
    cdef Automaton made = Automaton.__new__(Automaton)
    cdef Automaton part, following
    cdef int i, j, n = len(parts), state
    cdef list offsets = []
    for part in parts:
        if part.n_states == 0:
            return empty()
        offsets.append(made.copy(part))
    if n == 0:
        made.add_state(True)
        return made.finish()
    for i in range(n - 1):
        part = parts[i]
        for state in range(part.n_states):
            if not part.accept[state]:
                continue
            made.accept[<int>offsets[i] + state] = False
            for j in range(i + 1, n):  # also past the parts that may be empty
                following = parts[j]
                made.link(<int>offsets[i] + state, following, offsets[j])
                if not following.accept[0]:
                    break
            else:
                made.accept[<int>offsets[i] + state] = True
    return made.finish()


def optional(Automaton part not None) -> Automaton:
    """Return the part, and the empty text."""
    cdef Automaton made = Automaton.__new__(Automaton)
    cdef int offset
    made.add_state(True)
    if part.n_states:
        offset = made.copy(part)
        made.link(0, part, offset)
    return made.finish()


def repeat(Automaton part not None) -> Automaton:
    """Return any number of the part, one after the other."""
    cdef Automaton made = Automaton.__new__(Automaton)
    cdef int offset, state
    if part.n_states == 0:
        return part
    made.add_state(True)
    offset = made.copy(part)
    made.link(0, part, offset)
    for state in range(part.n_states):
        if part.accept[state]:
            made.link(offset + state, part, offset)
    return made.finish()


def repeat_range(Automaton part not None, int least, int most) -> Automaton:
    """Return the part least to most times."""
    cdef Automaton made = Automaton.__new__(Automaton)
    cdef Automaton base
    cdef list ends = []
    cdef int offset, state, i
    if least > most or part.n_states == 0 and least:
        return empty()
    if least == 0:
        base = text("")
    elif least == 1:
        base = part
    else:
        base = concatenate([part] * least)
    if part.n_states == 0:
        return base
    made.copy(base)
    ends = [state for state in range(base.n_states) if base.accept[state]]
    for i in range(least, most):
        offset = made.copy(part)
        for state in ends:
            made.link(state, part, offset)
            if part.accept[0]:
                made.accept[state] = True
        ends = [offset + state for state in range(part.n_states) if part.accept[state]]
    return made.finish()


def intersection(Automaton one not None, Automaton other not None) -> Automaton:
    """Return what belongs to both."""
    cdef Automaton made = Automaton.__new__(Automaton)
    cdef dict numbers
    cdef list waiting
    cdef int a, b, i, j, state
    cdef uint32_t lo, hi
    if one.n_states == 0 or other.n_states == 0:
        return empty()
    numbers = {(0, 0): 0}
    waiting = [(0, 0)]
    made.add_state(one.accept[0] and other.accept[0])
    while waiting:
        pair = waiting.pop()
        a, b = pair
        state = numbers[pair]
        for i in range(one.first[a], one.first[a + 1]):
            for j in range(other.first[b], other.first[b + 1]):
                lo = max(one.arcs[i].lo, other.arcs[j].lo)
                hi = min(one.arcs[i].hi, other.arcs[j].hi)
                if lo > hi:
                    continue
                pair = (one.arcs[i].dst, other.arcs[j].dst)
                if pair not in numbers:
                    if len(numbers) > 200000:
                        raise TooComplexError("An intersection of automata would have more than 200000 states.")
                    numbers[pair] = made.add_state(one.accept[one.arcs[i].dst] and other.accept[other.arcs[j].dst])
                    waiting.append(pair)
                made.add_arc(state, numbers[pair], lo, hi)
    return without_dead(made.finish())


cdef Automaton without_dead(Automaton part):
    """The same set without the states that are not reached, or from which nothing is accepted."""
    cdef Automaton made = Automaton.__new__(Automaton)
    cdef int n = part.n_states, state, top, at
    cdef Py_ssize_t j
    cdef int* stack = <int*>malloc((n + 1) * sizeof(int))
    cdef uint8_t* live = <uint8_t*>calloc(n + 1, 1)  # 1: reached; 2: leads to acceptance
    cdef int* heads = <int*>malloc((n + 1) * sizeof(int))
    cdef int* following = <int*>malloc((part.n_arcs + 1) * sizeof(int))
    try:
        if stack == NULL or live == NULL or heads == NULL or following == NULL:
            raise MemoryError()
        if n == 0:
            return part
        top = 1
        stack[0] = 0
        live[0] = 1
        while top:
            top -= 1
            state = stack[top]
            for at in range(part.first[state], part.first[state + 1]):
                if not live[part.arcs[at].dst]:
                    live[part.arcs[at].dst] = 1
                    stack[top] = part.arcs[at].dst
                    top += 1
        for state in range(n):
            heads[state] = -1
        for j in range(part.n_arcs):
            following[j] = heads[part.arcs[j].dst]
            heads[part.arcs[j].dst] = <int>j
        for state in range(n):
            if part.accept[state]:
                live[state] |= 2
                stack[top] = state
                top += 1
        while top:
            top -= 1
            at = heads[stack[top]]
            while at >= 0:
                if not live[part.arcs[at].src] & 2:
                    live[part.arcs[at].src] |= 2
                    stack[top] = part.arcs[at].src
                    top += 1
                at = following[at]
        for state in range(n):
            heads[state] = made.add_state(part.accept[state]) if live[state] == 3 else -1
        for j in range(part.n_arcs):
            if heads[part.arcs[j].src] >= 0 and heads[part.arcs[j].dst] >= 0:
                made.add_arc(heads[part.arcs[j].src], heads[part.arcs[j].dst], part.arcs[j].lo, part.arcs[j].hi)
    finally:
        free(stack)
        free(live)
        free(heads)
        free(following)
    return made.finish()
