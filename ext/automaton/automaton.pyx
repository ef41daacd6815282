"""Finite automata over code points: how they are combined, and how they are made deterministic.

The constructions keep as many states as Lucene's (org.apache.lucene.util.automaton), because the limit on the work of making an
automaton deterministic is counted in them: the sum of the sizes of the sets of states that the subset construction visits.

Every construction is bounded: by that limit, by MOST_ARCS, and by MOST_WORK steps of one subset construction.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcmp, memcpy, memset

from lanner.ext.types cimport int64_t, uint8_t, uint32_t

cdef enum:
    MOST_ARCS = 2000000
    MOST_WORK = 30000000
    MOST_REFINEMENT = 8000000
    EFFORT_PER_STATE = 10  # the limit is given in states, the effort counted in members of sets


class TooComplexError(ValueError):
    """More work than the limit allows."""


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


cdef int by_point(const void* a, const void* b) noexcept nogil:
    cdef const Point* x = <const Point*>a
    cdef const Point* y = <const Point*>b
    if x.at != y.at:
        return -1 if x.at < y.at else 1
    return 0


cdef int by_number(const void* a, const void* b) noexcept nogil:
    cdef int x = (<const int*>a)[0], y = (<const int*>b)[0]
    return (x > y) - (x < y)


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


# -- the subset construction


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
            if self.starts[known + 1] - start == k and (k == 0 or memcmp(self.members + start, given, k * sizeof(int)) == 0):
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
        if k:
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

