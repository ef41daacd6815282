"""The sorted terms of one field; layout in terms.pxd."""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from lanner.ext cimport simd
from lanner.ext.codec.bytes_writer cimport BytesWriter
from lanner.ext.codec.hashing cimport hash_bytes
from lanner.ext.codec.varint cimport read_vint
from lanner.ext.errors import CorruptIndexError
from lanner.ext.types cimport uint8_t, uint32_t, uint64_t

cdef int compare(const uint8_t* a, Py_ssize_t n, const uint8_t* b, Py_ssize_t m) noexcept nogil:
    """Order of two byte strings, as memcmp with the shorter one first."""
    cdef int order = memcmp(a, b, n if n < m else m)
    if order:
        return order
    return (n > m) - (n < m)


cdef class TermsWriter:
    """Collects the dictionary of one field; terms come in ascending order."""

    def __init__(self):
        self.terms = BytesWriter()
        self.starts = BytesWriter()
        self.hashes = BytesWriter()
        self.previous = BytesWriter()
        self.size = 0

    cdef int add(self, const uint8_t* term, Py_ssize_t length) except -1 nogil:
        cdef Py_ssize_t shared = 0, most
        cdef uint32_t start
        cdef uint64_t h = hash_bytes(term, length)
        self.hashes.append(&h, 8)
        if self.size % TERMS_PER_BLOCK == 0:
            if self.terms.size >> 32:
                with gil:
                    raise ValueError("a segment's dictionary of one field may not exceed 4 GB")
            start = <uint32_t>self.terms.size
            self.starts.append(&start, 4)
            self.terms.append_vint(length)
            self.terms.append(term, length)
        else:
            most = length if length < self.previous.size else self.previous.size
            while shared < most and term[shared] == self.previous.data[shared]:
                shared += 1
            self.terms.append_vint(shared)
            self.terms.append_vint(length - shared)
            self.terms.append(term + shared, length - shared)
        self.previous.size = 0
        self.previous.append(term, length)
        self.size += 1
        return 0

    def sections(self):
        """Return the buffers of "terms", "starts", "slots", "tags"; call it once, after the last term."""
        cdef uint32_t end = <uint32_t>self.terms.size, i
        cdef uint64_t size = 16, mask, h
        cdef BytesWriter slots = BytesWriter(), tags = BytesWriter()
        cdef const uint64_t* hashes = <const uint64_t*>self.hashes.data
        cdef uint32_t* table
        self.starts.append(&end, 4)
        while size * 17 < <uint64_t>self.size * 20:
            size *= 2
        mask = size - 1
        with nogil:
            table = <uint32_t*>slots.reserve(size * 4)
            memset(table, 0, size * 4)
            slots.size = size * 4
            memset(tags.reserve(size), 0, size)
            tags.size = size
            for i in range(self.size):
                h = hashes[i] & mask
                while table[h]:
                    h = (h + 1) & mask
                table[h] = i + 1
                tags.data[h] = <uint8_t>(hashes[i] >> 56)
        return {"terms": self.terms, "starts": self.starts, "slots": slots, "tags": tags}


cdef class TermsReader:
    """A dictionary over mapped sections, which it keeps alive.

    Raises CorruptIndexError if the sections do not fit each other.
    """

    def __init__(
        self, uint32_t size, const uint8_t[::1] terms, const uint8_t[::1] starts, const uint8_t[::1] slots, const uint8_t[::1] tags
    ):
        cdef uint32_t i
        self.owner = (terms, starts, slots, tags)
        self.size = size
        self.n_blocks = (size + TERMS_PER_BLOCK - 1) // TERMS_PER_BLOCK
        if starts.shape[0] != 4 * (<Py_ssize_t>self.n_blocks + 1) or slots.shape[0] != 4 * tags.shape[0] or tags.shape[0] == 0:
            raise CorruptIndexError("sizes of the term dictionary do not agree")
        if tags.shape[0] & (tags.shape[0] - 1) or <uint64_t>tags.shape[0] <= size:
            raise CorruptIndexError("hash table of the term dictionary has a wrong size")
        self.terms = &terms[0] if terms.shape[0] else NULL
        self.terms_length = terms.shape[0]
        self.starts = <const uint32_t*>&starts[0]
        self.slots = <const uint32_t*>&slots[0]
        self.tags = &tags[0]
        self.mask = tags.shape[0] - 1
        if self.starts[self.n_blocks] != terms.shape[0]:
            raise CorruptIndexError("term dictionary is cut short")

    cdef int64_t find(self, const uint8_t* term, Py_ssize_t length) noexcept nogil:
        """The ord of a term, or -1."""
        return self.find_hashed(hash_bytes(term, length), term, length)

    cdef void prefetch(self, uint64_t h) noexcept nogil:
        """Fetch what find_hashed reads first."""
        simd.prefetch(self.slots + (h & self.mask))
        simd.prefetch(self.tags + (h & self.mask))

    cdef int64_t find_hashed(self, uint64_t h, const uint8_t* term, Py_ssize_t length) noexcept nogil:
        """As find, for a term whose hash is known."""
        cdef uint64_t slot = h & self.mask
        cdef uint8_t tag = <uint8_t>(h >> 56)
        cdef uint32_t ord, tries
        for tries in range(self.size + 1):
            ord = self.slots[slot]
            if ord == 0:
                return -1
            if self.tags[slot] == tag and self.equals(ord - 1, term, length):
                return ord - 1
            slot = (slot + 1) & self.mask
        return -1

    cdef uint32_t candidate(self, uint64_t h) noexcept nogil:
        """The ord of the term that most likely has a hash, or size; fetches what equals reads first."""
        cdef uint64_t slot = h & self.mask
        cdef uint8_t tag = <uint8_t>(h >> 56)
        cdef uint32_t tries
        for tries in range(self.size + 1):
            if self.slots[slot] == 0 or self.slots[slot] > self.size:
                return self.size
            if self.tags[slot] == tag:
                simd.prefetch(self.starts + (self.slots[slot] - 1) // TERMS_PER_BLOCK)
                return self.slots[slot] - 1
            slot = (slot + 1) & self.mask
        return self.size

    cdef void prefetch_text(self, uint32_t ord) noexcept nogil:
        """Fetch the block of a term; starts was fetched before."""
        cdef uint32_t start = self.starts[ord // TERMS_PER_BLOCK]
        if <Py_ssize_t>start < self.terms_length:
            simd.prefetch(self.terms + start)
            simd.prefetch(self.terms + start + 64)

    cdef bint equals(self, uint32_t ord, const uint8_t* term, Py_ssize_t length) noexcept nogil:
        """Whether the term at ord is the given one, without building it."""
        cdef uint32_t block = ord // TERMS_PER_BLOCK, i = ord % TERMS_PER_BLOCK
        cdef const uint8_t* p
        cdef const uint8_t* end
        cdef uint64_t shared = 0, rest = 0
        cdef Py_ssize_t same = 0  # leading bytes that the current term and the wanted one share
        cdef Py_ssize_t current = 0, j
        cdef uint32_t k
        if block >= self.n_blocks or self.starts[block] > <uint64_t>self.terms_length:
            return False
        p = self.terms + self.starts[block]
        end = self.terms + self.terms_length
        for k in range(i + 1):
            if k:
                p = read_vint(p, end, &shared)
                if p == NULL:
                    return False
            p = read_vint(p, end, &rest)
            if p == NULL or rest > <uint64_t>(end - p):
                return False
            if <Py_ssize_t>shared <= same:
                j = 0
                same = <Py_ssize_t>shared
                while same < length and j < <Py_ssize_t>rest and term[same] == p[j]:
                    same += 1
                    j += 1
            current = <Py_ssize_t>(shared + rest)
            p += rest
        return same == length and current == length

    cdef uint32_t ceiling(self, const uint8_t* term, Py_ssize_t length) noexcept nogil:
        """The ord of the first term >= the given one; size if there is none."""
        cdef uint32_t lo = 0, hi = self.n_blocks, mid, i
        cdef const uint8_t* p
        cdef const uint8_t* end = self.terms + self.terms_length
        cdef uint64_t shared = 0, rest = 0
        cdef uint8_t data[MAX_TERM]
        if self.size == 0:
            return 0
        while hi - lo > 1:  # the last block whose first term is <= term
            mid = (lo + hi) >> 1
            p = read_vint(self.terms + self.starts[mid], end, &rest)
            if p == NULL or rest > <uint64_t>(end - p):
                return self.size
            if compare(p, <Py_ssize_t>rest, term, length) <= 0:
                lo = mid
            else:
                hi = mid
        p = self.terms + self.starts[lo]
        for i in range(TERMS_PER_BLOCK):
            if lo * TERMS_PER_BLOCK + i >= self.size:
                return self.size
            shared = 0
            if i:
                p = read_vint(p, end, &shared)
                if p == NULL:
                    return self.size
            p = read_vint(p, end, &rest)
            if p == NULL or rest > <uint64_t>(end - p) or shared + rest > MAX_TERM:
                return self.size
            memcpy(data + shared, p, rest)
            p += rest
            if compare(data, <Py_ssize_t>(shared + rest), term, length) >= 0:
                return lo * TERMS_PER_BLOCK + i
        return lo * TERMS_PER_BLOCK + TERMS_PER_BLOCK

    cdef bint starts_after(self, uint32_t block, const uint8_t* term, Py_ssize_t length) noexcept nogil:
        """Whether the first term of a block is greater than the given one, or damaged."""
        cdef const uint8_t* end = self.terms + self.terms_length
        cdef uint64_t rest = 0
        cdef const uint8_t* p = read_vint(self.terms + self.starts[block], end, &rest)
        return p == NULL or rest > <uint64_t>(end - p) or compare(p, <Py_ssize_t>rest, term, length) > 0

    cdef uint32_t block_from(self, uint32_t block, const uint8_t* term, Py_ssize_t length) noexcept nogil:
        """The last block, from the given one on, whose first term is not greater; the given one if none is. Near ones are found fast."""
        cdef uint32_t step = 1, hi, mid
        while block + step < self.n_blocks and not self.starts_after(block + step, term, length):
            block += step
            step *= 2
        hi = min(block + step, self.n_blocks)
        while hi - block > 1:
            mid = (block + hi) >> 1
            if self.starts_after(mid, term, length):
                hi = mid
            else:
                block = mid
        return block

    cdef Py_ssize_t read(self, uint32_t ord, uint8_t* out) noexcept nogil:
        """Write the term at ord into out (MAX_TERM bytes); return its length, or -1 if it is damaged."""
        cdef uint32_t block = ord // TERMS_PER_BLOCK, k
        cdef const uint8_t* p
        cdef const uint8_t* end = self.terms + self.terms_length
        cdef uint64_t shared = 0, rest = 0
        if ord >= self.size or self.starts[block] > <uint64_t>self.terms_length:
            return -1
        p = self.terms + self.starts[block]
        for k in range(ord % TERMS_PER_BLOCK + 1):
            if k:
                p = read_vint(p, end, &shared)
                if p == NULL:
                    return -1
            p = read_vint(p, end, &rest)
            if p == NULL or rest > <uint64_t>(end - p) or shared + rest > MAX_TERM:
                return -1
            memcpy(out + shared, p, rest)
            p += rest
        return <Py_ssize_t>(shared + rest)

    def term(self, uint32_t ord) -> bytes:
        """Return the term at ord."""
        cdef uint8_t data[MAX_TERM]
        cdef Py_ssize_t n = self.read(ord, data)
        if n < 0:
            raise CorruptIndexError(f"term {ord} of the dictionary is damaged")
        return data[:n]

    def ord(self, bytes term) -> int:
        """Return the ord of a term, or -1."""
        return self.find(term, len(term))

    def ceiling_ord(self, bytes term) -> int:
        """Return the ord of the first term that is not less."""
        return self.ceiling(term, len(term))


cdef class TermsCursor:
    def __cinit__(self, TermsReader reader):
        self.reader = reader
        self.data = <uint8_t*>malloc(MAX_TERM + 8)
        if self.data == NULL:
            raise MemoryError()
        self.length = 0
        self.ord = 0

    def __dealloc__(self):
        free(self.data)

    cdef bint seek(self, uint32_t ord) noexcept nogil:
        """Stand on the term at ord; False beyond the last one."""
        cdef uint32_t k
        if ord >= self.reader.size:
            return False
        self.ord = ord // TERMS_PER_BLOCK * TERMS_PER_BLOCK
        self.place = self.reader.terms + self.reader.starts[ord // TERMS_PER_BLOCK]
        if not self.step():
            return False
        for k in range(ord % TERMS_PER_BLOCK):
            self.ord += 1
            if not self.step():
                return False
        return True

    cdef bint step(self) noexcept nogil:
        cdef const uint8_t* end = self.reader.terms + self.reader.terms_length
        cdef uint64_t shared = 0, rest = 0
        cdef const uint8_t* p = self.place
        if self.ord % TERMS_PER_BLOCK:
            p = read_vint(p, end, &shared)
            if p == NULL:
                return False
        p = read_vint(p, end, &rest)
        if p == NULL or rest > <uint64_t>(end - p) or shared + rest > MAX_TERM:
            return False
        memcpy(self.data + shared, p, rest)
        self.length = <Py_ssize_t>(shared + rest)
        self.shared = <Py_ssize_t>shared
        self.place = p + rest
        return True

    cdef bint advance(self) noexcept nogil:
        """Go to the next term; False at the end."""
        if self.ord + 1 >= self.reader.size:
            return False
        self.ord += 1
        return self.step()
