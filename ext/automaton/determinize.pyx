"""Automata made deterministic, smallest, or into what they do not accept.

The work is limited as Lucene limits it: by the sum of the sizes of the sets of states that the subset construction visits. Besides,
no construction takes more than MOST_WORK steps.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcmp, memcpy, memset

from lanner.ext.automaton.automaton cimport LAST_CODE_POINT, Automaton, without_dead
from lanner.ext.types cimport int64_t, uint32_t

from lanner.ext.automaton.automaton import TooComplexError

cdef enum:
    MOST_WORK = 30000000
    MOST_REFINEMENT = 8000000
    EFFORT_PER_STATE = 10  # the limit is given in states, the effort counted in members of sets


cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    """Spread the bits of a number."""
    x ^= x >> 31
    x *= <uint64_t>1640531527 << 32 | <uint64_t>2127912213
    x ^= x >> 29
    x *= <uint64_t>915488749 << 32 | <uint64_t>1597334677
    return x ^ (x >> 32)


cdef struct Point:
    uint32_t at
    int dst
    int delta


cdef int by_point(const void* a, const void* b) noexcept nogil:
    cdef const Point* x = <const Point*>a
    cdef const Point* y = <const Point*>b
    if x.at != y.at:
        return -1 if x.at < y.at else 1
    return 0


cdef int by_number(const void* a, const void* b) noexcept nogil:
    cdef int x = (<const int*>a)[0], y = (<const int*>b)[0]
    return (x > y) - (x < y)


cdef class Subsets:
    """Numbered sets of states, each sorted."""

    cdef int* members
    cdef Py_ssize_t n_members
    cdef Py_ssize_t room
    cdef Py_ssize_t* starts  # n + 1
    cdef int n
    cdef int starts_room
    cdef int* slots  # number + 1 by hash
    cdef int mask

    def __dealloc__(self):
        free(self.members)
        free(self.starts)
        free(self.slots)

    cdef int find(self, const int* given, int k) except -1:
        """The number of a set, which is added if it is new."""
        cdef uint64_t h = 1469598103
        cdef int i, slot, known
        cdef Py_ssize_t start
        cdef void* grown
        if self.slots == NULL or 2 * self.n > self.mask:
            self.grow()
        for i in range(k):
            h = mix(h ^ <uint64_t>given[i])
        slot = <int>(h & <uint64_t>self.mask)
        while self.slots[slot]:
            known = self.slots[slot] - 1
            start = self.starts[known]
            if self.starts[known + 1] - start == k and memcmp(self.members + start, given, k * sizeof(int)) == 0:
                return known
            slot = (slot + 1) & self.mask
        if self.n_members + k > self.room:
            self.room = 2 * self.room + k
            grown = realloc(self.members, self.room * sizeof(int))
            if grown == NULL:
                raise MemoryError()
            self.members = <int*>grown
        if self.n + 2 > self.starts_room:
            self.starts_room = 2 * self.starts_room + 8
            grown = realloc(self.starts, self.starts_room * sizeof(Py_ssize_t))
            if grown == NULL:
                raise MemoryError()
            self.starts = <Py_ssize_t*>grown
        memcpy(self.members + self.n_members, given, k * sizeof(int))
        self.starts[self.n] = self.n_members
        self.n_members += k
        self.n += 1
        self.starts[self.n] = self.n_members
        self.slots[slot] = self.n
        return self.n - 1

    cdef int grow(self) except -1:
        cdef int size = 2 * (self.mask + 1) if self.slots != NULL else 64
        cdef int i, j, slot
        cdef uint64_t h
        cdef int* slots = <int*>calloc(size, sizeof(int))
        if slots == NULL:
            raise MemoryError()
        free(self.slots)
        self.slots = slots
        self.mask = size - 1
        for i in range(self.n):
            h = 1469598103
            for j in range(<int>(self.starts[i + 1] - self.starts[i])):
                h = mix(h ^ <uint64_t>self.members[self.starts[i] + j])
            slot = <int>(h & <uint64_t>self.mask)
            while slots[slot]:
                slot = (slot + 1) & self.mask
            slots[slot] = i + 1
        return 0


def determinize(Automaton part not None, int limit) -> Automaton:
    """Return the same set as a deterministic automaton. limit: of states, roughly. Raises TooComplexError."""
    cdef Automaton made
    cdef Subsets sets
    cdef int64_t effort = 0, most = <int64_t>limit * EFFORT_PER_STATE, work = 0
    cdef int at = 0, i, j, n_points, n_active, state, target
    cdef Py_ssize_t room = 0
    cdef Point* points = NULL
    cdef int* counts = NULL
    cdef int* active = NULL
    cdef int* place = NULL
    cdef int* scratch = NULL
    cdef uint32_t last
    cdef void* grown
    if part.deterministic or part.n_states <= 1:
        return part
    made = Automaton.__new__(Automaton)
    sets = Subsets.__new__(Subsets)
    try:
        counts = <int*>calloc(part.n_states, sizeof(int))
        active = <int*>malloc(part.n_states * sizeof(int))
        place = <int*>malloc(part.n_states * sizeof(int))
        scratch = <int*>malloc(part.n_states * sizeof(int))
        if counts == NULL or active == NULL or place == NULL or scratch == NULL:
            raise MemoryError()
        scratch[0] = 0
        sets.find(scratch, 1)
        made.add_state(part.accept[0])
        while at < sets.n:
            effort += sets.starts[at + 1] - sets.starts[at]
            if effort >= most or work > MOST_WORK:
                raise TooComplexError(
                    f"Determinizing automaton with {part.n_states} states and {part.n_arcs} transitions would require more "
                    f"than {limit if effort >= most else MOST_WORK} effort."
                )
            n_points = 0
            for i in range(<int>(sets.starts[at + 1] - sets.starts[at])):
                state = sets.members[sets.starts[at] + i]
                j = part.first[state + 1] - part.first[state]
                if n_points + 2 * j > room:
                    room = 2 * room + 2 * j
                    grown = realloc(points, room * sizeof(Point))
                    if grown == NULL:
                        raise MemoryError()
                    points = <Point*>grown
                for j in range(part.first[state], part.first[state + 1]):
                    points[n_points] = Point(part.arcs[j].lo, part.arcs[j].dst, 1)
                    points[n_points + 1] = Point(part.arcs[j].hi + 1, part.arcs[j].dst, -1)
                    n_points += 2
            if n_points:
                qsort(points, n_points, sizeof(Point), by_point)
            work += n_points
            n_active = 0
            last = 0
            i = 0
            while i < n_points:
                if n_active and points[i].at > last:
                    memcpy(scratch, active, n_active * sizeof(int))
                    qsort(scratch, n_active, sizeof(int), by_number)
                    work += n_active
                    target = sets.find(scratch, n_active)
                    if target == made.n_states:
                        made.add_state(False)
                        for j in range(n_active):
                            if part.accept[scratch[j]]:
                                made.accept[target] = True
                    made.add_arc(at, target, last, points[i].at - 1)
                    if work > MOST_WORK:
                        break
                last = points[i].at
                while i < n_points and points[i].at == last:
                    state = points[i].dst
                    if points[i].delta > 0:
                        if counts[state] == 0:
                            active[n_active] = state
                            place[state] = n_active
                            n_active += 1
                        counts[state] += 1
                    else:
                        counts[state] -= 1
                        if counts[state] == 0:
                            n_active -= 1
                            active[place[state]] = active[n_active]
                            place[active[n_active]] = place[state]
                    i += 1
            at += 1
    finally:
        free(points)
        free(counts)
        free(active)
        free(place)
        free(scratch)
    return made.finish()


def minimize(Automaton part not None, int limit) -> Automaton:
    """Return the same set as the smallest deterministic automaton, or a small one where that would take long.

    Raises TooComplexError.
    """
    cdef Automaton whole, made
    cdef int n, i, j, known, slot, size = 64, n_classes = 2, before = 0
    cdef int64_t work = 0
    cdef int* classes = NULL
    cdef int* refined = NULL
    cdef int* slots = NULL
    cdef uint64_t* hashes = NULL
    cdef uint64_t h, g
    cdef bint settled = False
    cdef uint32_t hi
    whole = without_dead(determinize(part, limit))
    n = whole.n_states
    if n == 0:
        return whole
    while size < 2 * n:
        size *= 2
    try:
        classes = <int*>malloc(n * sizeof(int))
        refined = <int*>malloc(n * sizeof(int))
        slots = <int*>malloc(size * sizeof(int))
        hashes = <uint64_t*>malloc(2 * n * sizeof(uint64_t))
        if classes == NULL or refined == NULL or slots == NULL or hashes == NULL:
            raise MemoryError()
        for i in range(n):
            classes[i] = whole.accept[i]
        # states that lead alike into classes stay together, until nothing parts any more (Moore); a state's signature is hashed
        # to 128 bits
        while not settled and work < MOST_REFINEMENT:
            n_classes = 0
            memset(slots, 0, size * sizeof(int))
            for i in range(n):
                h = <uint64_t>classes[i] * 1000003 + 12345
                g = <uint64_t>classes[i] * 998244353 + 54321
                j = whole.first[i]
                while j < whole.first[i + 1]:
                    hi = whole.arcs[j].hi
                    known = classes[whole.arcs[j].dst]
                    h = mix(h ^ (<uint64_t>whole.arcs[j].lo << 32 | <uint64_t>known))
                    g = mix(g + <uint64_t>whole.arcs[j].lo * 1000000007 + <uint64_t>known)
                    j += 1
                    while j < whole.first[i + 1] and whole.arcs[j].lo == hi + 1 and classes[whole.arcs[j].dst] == known:
                        hi = whole.arcs[j].hi
                        j += 1
                    h = mix(h + hi)
                    g = mix(g ^ hi)
                work += j - whole.first[i] + 1
                slot = <int>(h & <uint64_t>(size - 1))
                while slots[slot]:
                    known = slots[slot] - 1
                    if hashes[2 * known] == h and hashes[2 * known + 1] == g:
                        break
                    slot = (slot + 1) & (size - 1)
                else:
                    hashes[2 * n_classes] = h
                    hashes[2 * n_classes + 1] = g
                    n_classes += 1
                    slots[slot] = n_classes
                    known = n_classes - 1
                refined[i] = known
            memcpy(classes, refined, n * sizeof(int))
            settled = n_classes == before
            before = n_classes
        if not settled:
            return whole
        made = Automaton.__new__(Automaton)
        # state 0 is seen first, so that its class is the first
        for i in range(n_classes):
            made.add_state(False)
            refined[i] = -1
        for i in range(n):
            if refined[classes[i]] >= 0:
                continue
            refined[classes[i]] = i
            made.accept[classes[i]] = whole.accept[i]
            for j in range(whole.first[i], whole.first[i + 1]):
                made.add_arc(classes[i], classes[whole.arcs[j].dst], whole.arcs[j].lo, whole.arcs[j].hi)
    finally:
        free(classes)
        free(refined)
        free(slots)
        free(hashes)
    return made.finish()


def complement(Automaton part not None, int limit) -> Automaton:
    """Return every text that does not belong to the part. Raises TooComplexError."""
    cdef Automaton made = total(determinize(part, limit))
    cdef int i
    for i in range(made.n_states):
        made.accept[i] = not made.accept[i]
    return without_dead(made)


cdef Automaton total(Automaton part):
    """The same set with an arc for every code point in every state."""
    cdef Automaton made = Automaton.__new__(Automaton)
    cdef int state, j, dead
    cdef uint32_t at
    made.copy(part)
    dead = made.add_state(False)
    made.add_arc(dead, dead, 0, LAST_CODE_POINT)
    for state in range(part.n_states):
        at = 0
        for j in range(part.first[state], part.first[state + 1]):
            if part.arcs[j].lo > at:
                made.add_arc(state, dead, at, part.arcs[j].lo - 1)
            if part.arcs[j].hi + 1 > at:
                at = part.arcs[j].hi + 1
        if at <= LAST_CODE_POINT:
            made.add_arc(state, dead, at, LAST_CODE_POINT)
    return made.finish()
