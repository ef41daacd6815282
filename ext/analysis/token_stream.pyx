"""The tokens of one text: growing arrays of term bytes and of tokens (see token_stream.pxd)."""

from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from lanner.ext.types cimport uint8_t, uint32_t

cdef Py_ssize_t MAX_DATA = 0xFFFFFFFF  # what the 32-bit positions of tokens reach

token_types = (
    "<EMOJI>",
    "<NUM>",
    "<HANGUL>",
    "<KATAKANA>",
    "<ALPHANUM>",
    "<SOUTHEAST_ASIAN>",
    "<IDEOGRAPHIC>",
    "<HIRAGANA>",
    "word",
    "<ACRONYM>",
    "<ACRONYM_DEP>",
    "<APOSTROPHE>",
    "<CJ>",
    "<COMPANY>",
    "<DOUBLE>",
    "<EMAIL>",
    "<HOST>",
    "<SINGLE>",
    "<SYNONYM>",
    "<URL>",
    "SYNONYM",
    "MIN_HASH",
    "fingerprint",
    "gram",
    "shingle",
)


cdef class TokenStream:
    def __cinit__(self):
        self.filtered = []
        self.payloads = [None]

    def __dealloc__(self):
        free(self.data)
        free(self.tokens)
        free(self.source)

    cdef void clear(self) noexcept nogil:
        """Forget the text; keep the memory."""
        self.data_size = 0
        self.size = 0
        self.trailing_increment = 0
        self.end_offset = 0

    cdef uint8_t* reserve_data(self, Py_ssize_t n) except NULL nogil:
        """Return where the next n bytes go."""
        cdef Py_ssize_t capacity
        cdef void* moved
        if self.data == NULL or n > self.data_capacity - self.data_size:
            capacity = self.data_capacity + (self.data_capacity >> 1) + n + 256
            if capacity > MAX_DATA:
                with gil:
                    raise MemoryError("the terms of one text exceed 4 gigabytes")
            moved = realloc(self.data, capacity + PADDING)
            if moved == NULL:
                with gil:
                    raise MemoryError()
            self.data = <uint8_t*>moved
            # what block loads may see past the end is always initialised
            memset(self.data + self.data_capacity, 0, capacity + PADDING - self.data_capacity)
            self.data_capacity = capacity
        return self.data + self.data_size

    cdef Token* reserve_tokens(self, Py_ssize_t n) except NULL nogil:
        """Return where the next n tokens go."""
        cdef Py_ssize_t capacity
        cdef void* moved
        if self.tokens == NULL or n > self.capacity - self.size:
            capacity = self.capacity + (self.capacity >> 1) + n + 16
            moved = realloc(self.tokens, capacity * sizeof(Token))
            if moved == NULL:
                with gil:
                    raise MemoryError()
            self.tokens = <Token*>moved
            self.capacity = capacity
        return self.tokens + self.size

    cdef Token* append(self, uint32_t start, uint32_t length) except NULL nogil:
        """Add a token over bytes of data."""
        cdef Token* token = self.reserve_tokens(1)
        token.start = start
        token.length = length
        token.start_offset = 0
        token.end_offset = 0
        token.increment = 1
        token.position_length = 1
        token.frequency = 1
        token.type = ALPHANUM
        token.keyword = 0
        token.payload = 0
        self.size += 1
        return token

    cdef uint8_t* take_text(self, const uint8_t* text, Py_ssize_t n) except NULL nogil:
        """Copy the text to the start of data and return it there."""
        cdef uint8_t* out = self.reserve_data(n)
        memcpy(out, text, n)
        memset(out + n, 0, PADDING)
        self.data_size = n
        return out

    cdef void move_term(self, Token* token, Py_ssize_t n) noexcept nogil:
        """Point the token at the n bytes after data_size and count them in."""
        assert self.data_size + n <= self.data_capacity
        token.start = <uint32_t>self.data_size
        token.length = <uint32_t>n
        self.data_size += n

    cdef void begin_rewrite(self) noexcept nogil:
        """Exchange tokens and source."""
        self.tokens, self.source = self.source, self.tokens
        self.capacity, self.source_capacity = self.source_capacity, self.capacity
        self.source_size = self.size
        self.size = 0

    cdef Token* append_copy(self, const Token* token) except NULL nogil:
        """Add a token like another one."""
        cdef Token* out = self.reserve_tokens(1)
        out[0] = token[0]
        self.size += 1
        return out
