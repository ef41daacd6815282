"""The walk over a sorted dictionary that visits only terms which a machine may take.

A term is read on from where it differs from the one before. Where the machine refuses a character, the least text that it would not
refuse comes next: its block is looked for in steps that double, then by halves. A machine that refuses nothing reads all terms
through its table, where they lie.
"""

from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy

from lanner.ext.analysis.utf8 cimport decode_utf8, encode_utf8
from lanner.ext.automaton.automaton cimport NO_CHAR
from lanner.ext.automaton.machine cimport AutomatonMachine, Machine
from lanner.ext.codec.terms cimport MAX_TERM, TERMS_PER_BLOCK, TermsCursor, TermsReader
from lanner.ext.codec.varint cimport read_vint
from lanner.ext.index.segment_reader cimport FieldReader
from lanner.ext.search.reader cimport IndexReader
from lanner.ext.types cimport uint8_t, uint32_t, uint64_t

cdef enum:
    EVERY = 0x7FFFFFFF


cdef class TermWalk:
    """Ords of terms, ascending, and what the machine says they are worth."""

    def __dealloc__(self):
        free(self.ords)
        free(self.values)


cdef bint take(TermWalk found, uint32_t ord, int value) noexcept nogil:
    """Note a term; False without memory."""
    cdef void* grown
    if found.n == found.room:
        found.room = 2 * found.room + 64
        grown = realloc(found.ords, found.room * 4)
        if grown == NULL:
            return False
        found.ords = <uint32_t*>grown
        grown = realloc(found.values, found.room)
        if grown == NULL:
            return False
        found.values = <uint8_t*>grown
    found.ords[found.n] = ord
    found.values[found.n] = <uint8_t>value
    found.n += 1
    return True


cdef int compare(const uint8_t* a, Py_ssize_t n, const uint8_t* b, Py_ssize_t m) noexcept nogil:
    """Order of two byte strings."""
    cdef int order = memcmp(a, b, n if n < m else m)
    return order if order else (n > m) - (n < m)


cdef bint go_to(TermsCursor cursor, const uint8_t* target, Py_ssize_t length) noexcept nogil:
    """Stand on the first term after this one that is not less than the target; False beyond the last one."""
    cdef uint32_t here = cursor.ord // TERMS_PER_BLOCK
    cdef uint32_t block = cursor.reader.block_from(here, target, length)
    if block > here:
        if not cursor.seek(block * TERMS_PER_BLOCK):
            return False
        if compare(cursor.data, cursor.length, target, length) >= 0:
            return True
    while cursor.advance():
        if compare(cursor.data, cursor.length, target, length) >= 0:
            return True
    return False


cdef int run(
    TermsCursor cursor, Machine machine, TermWalk found, Py_ssize_t most, int* offsets, uint8_t* target
) noexcept nogil:
    """Walk; return -1 without memory."""
    cdef int depth = 0, value
    cdef uint32_t c = 0
    cdef Py_ssize_t length, shared
    offsets[0] = 0
    if not cursor.seek(0):
        return 0
    while True:
        depth = machine.read_on(depth, cursor.data, cursor.length, offsets, &c)
        if offsets[depth] == cursor.length:
            value = machine.value(depth)
            if value >= 0:
                if not take(found, cursor.ord, value):
                    return -1
                if found.n >= most:
                    return 0
            if not cursor.advance():
                return 0
            shared = cursor.shared
        else:
            c = machine.after(depth, c)
            while c == NO_CHAR:
                if depth == 0:
                    return 0
                depth -= 1
                decode_utf8(cursor.data + offsets[depth], cursor.data + cursor.length, &c)
                c = machine.after(depth, c)
            memcpy(target, cursor.data, offsets[depth])
            length = offsets[depth] + encode_utf8(c, target + offsets[depth])
            if not go_to(cursor, target, length):
                return 0
            shared = 0
            while shared < length and shared < cursor.length and target[shared] == cursor.data[shared]:
                shared += 1
        while offsets[depth] > shared:
            depth -= 1


cdef int run_all(
    TermsReader terms, const uint8_t* table, const uint8_t* accept, TermWalk found, Py_ssize_t most, uint8_t* states
) noexcept nogil:
    """Read every term, byte by byte from where it differs from the one before; return -1 without memory.

    states: that after so many bytes; zeros, of MAX_TERM + 1.
    """
    cdef const uint8_t* place = terms.terms
    cdef const uint8_t* end = place + terms.terms_length
    cdef uint8_t* after
    cdef uint64_t shared, rest, i
    cdef uint32_t ord
    cdef uint8_t state
    for ord in range(terms.size):
        shared = 0
        if ord % TERMS_PER_BLOCK:
            place = read_vint(place, end, &shared)
            if place == NULL:
                return 0
        place = read_vint(place, end, &rest)
        if place == NULL or rest > <uint64_t>(end - place) or shared + rest > MAX_TERM:
            return 0
        after = states + shared
        state = after[0]
        for i in range(rest):
            state = table[<uint32_t>state << 8 | place[i]]
            after[i + 1] = state
        place += rest
        if accept[state]:
            if not take(found, ord, 0):
                return -1
            if found.n >= most:
                return 0
    return 0


cdef TermWalk walk(TermsReader terms, Machine machine, Py_ssize_t most):
    """The first terms, in order, that the machine takes; at most so many."""
    cdef TermWalk found = TermWalk.__new__(TermWalk)
    if isinstance(machine, AutomatonMachine) and (<AutomatonMachine>machine).total:
        walk_all(terms, <AutomatonMachine>machine, found, most)
    else:
        walk_some(terms, machine, found, most)
    return found


cdef int walk_all(TermsReader terms, AutomatonMachine machine, TermWalk found, Py_ssize_t most) except -1:
    cdef uint8_t* states = <uint8_t*>calloc(MAX_TERM + 1, 1)
    cdef int status
    if states == NULL:
        raise MemoryError()
    with nogil:
        status = run_all(terms, machine.table, machine.automaton.accept, found, most, states)
    free(states)
    if status < 0:
        raise MemoryError()
    return 0


cdef int walk_some(TermsReader terms, Machine machine, TermWalk found, Py_ssize_t most) except -1:
    cdef TermsCursor cursor = TermsCursor(terms)
    cdef int* offsets = <int*>malloc((MAX_TERM + 2) * sizeof(int))
    cdef uint8_t* target = <uint8_t*>malloc(MAX_TERM + 16)
    cdef int status
    try:
        if offsets == NULL or target == NULL:
            raise MemoryError()
        with nogil:
            status = run(cursor, machine, found, most, offsets, target)
        if status < 0:
            raise MemoryError()
    finally:
        free(offsets)
        free(target)
    return 0


def matching(TermsReader terms not None, Machine machine not None, Py_ssize_t most=EVERY) -> list:
    """Return (ord, value) of the terms of a dictionary that a machine takes, in order, at most so many."""
    cdef TermWalk found = walk(terms, machine, most)
    cdef Py_ssize_t i
    return [(found.ords[i], found.values[i]) for i in range(found.n)]


def matching_terms(IndexReader reader not None, str field not None, Machine machine not None, Py_ssize_t most=EVERY) -> dict:
    """Return the terms of all segments that a machine takes, with their values.

    Of each segment the first ones, at most so many.
    """
    cdef FieldReader part
    cdef TermWalk found
    cdef Py_ssize_t i
    cdef dict out = {}
    for part in reader.parts(field):
        if part is not None:
            found = walk(part.terms, machine, most)
            for i in range(found.n):
                out[part.terms.term(found.ords[i])] = found.values[i]
    return out
