"""An analyzer ready to run: char filters, one tokenizer, token filters (see chain.pxd)."""

from cpython.ref cimport PyObject
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc, realloc

from lanner.ext.analysis.token_stream cimport Token, TokenStream
from lanner.ext.types cimport uint8_t, uint32_t

from lanner.ext.analysis.token_stream import token_types

cdef tuple type_names = token_types


cdef class FilteredText:
    def __dealloc__(self):
        free(self.data)
        free(self.corrections)

    cdef void clear(self) noexcept nogil:
        """Forget the text; keep the memory."""
        self.size = 0
        self.n_corrections = 0

    cdef uint8_t* reserve(self, Py_ssize_t n) except NULL nogil:
        """Return where the next n bytes go."""
        cdef Py_ssize_t capacity
        cdef void* moved
        if self.data == NULL or n > self.capacity - self.size:
            capacity = self.capacity + (self.capacity >> 1) + n + 256
            moved = realloc(self.data, capacity)
            if moved == NULL:
                with gil:
                    raise MemoryError()
            self.data = <uint8_t*>moved
            self.capacity = capacity
        return self.data + self.size

    cdef int correct(self, uint32_t offset, int32_t difference) except -1 nogil:
        """Note what to add to offsets from here on; offsets ascend, the last note for one offset counts."""
        cdef Py_ssize_t capacity
        cdef void* moved
        if self.n_corrections and self.corrections[self.n_corrections - 1].offset == offset:
            self.corrections[self.n_corrections - 1].difference = difference
            return 0
        if self.n_corrections == self.corrections_capacity:
            capacity = self.corrections_capacity * 2 + 16
            moved = realloc(self.corrections, capacity * sizeof(Correction))
            if moved == NULL:
                with gil:
                    raise MemoryError()
            self.corrections = <Correction*>moved
            self.corrections_capacity = capacity
        self.corrections[self.n_corrections].offset = offset
        self.corrections[self.n_corrections].difference = difference
        self.n_corrections += 1
        return 0

    cdef uint32_t original(self, uint32_t offset) noexcept nogil:
        """The offset before filtering."""
        cdef Py_ssize_t lo = 0, hi = self.n_corrections, mid
        while lo < hi:
            mid = (lo + hi) >> 1
            if self.corrections[mid].offset <= offset:
                lo = mid + 1
            else:
                hi = mid
        if lo == 0:
            return offset
        # what is put before a text belongs to its start
        return <uint32_t>max(<int64_t>0, <int64_t>offset + self.corrections[lo - 1].difference)


cdef class CharFilter:
    cdef int filter(self, const uint8_t* text, Py_ssize_t n, FilteredText out) except -1 nogil:
        with gil:
            raise NotImplementedError(type(self).__name__)


cdef class Tokenizer:
    cdef int tokenize(self, const uint8_t* text, Py_ssize_t n, TokenStream out) except -1 nogil:
        with gil:
            raise NotImplementedError(type(self).__name__)


cdef class TokenFilter:
    cdef int apply(self, TokenStream stream) except -1 nogil:
        with gil:
            raise NotImplementedError(type(self).__name__)


cdef class Chain:
    """Char filters, one tokenizer, token filters; immutable, for any number of threads."""

    def __cinit__(self, char_filters, Tokenizer tokenizer not None, token_filters):
        cdef Py_ssize_t i
        self.char_filters = tuple(char_filters)
        self.tokenizer = tokenizer
        self.token_filters = tuple(token_filters)
        for part in self.char_filters:
            if not isinstance(part, CharFilter):
                raise TypeError(f"not a char filter: {part!r}")
        for part in self.token_filters:
            if not isinstance(part, TokenFilter):
                raise TypeError(f"not a token filter: {part!r}")
        parts = (*self.char_filters, tokenizer, *self.token_filters)
        self.refuses = any([part.refuses for part in parts])
        self.graph = not any([part.disables_graph for part in self.token_filters])
        self.bounded = tokenizer.bounded and not any([part.grows for part in self.token_filters])
        self.n_char_filters = len(self.char_filters)
        self.n_filters = len(self.token_filters)
        self.filters = <PyObject**>malloc((self.n_filters + 1) * sizeof(PyObject*))
        if self.filters == NULL:
            raise MemoryError()
        for i in range(self.n_filters):
            self.filters[i] = <PyObject*>self.token_filters[i]

    def __dealloc__(self):
        free(self.filters)

    cdef int analyze(self, const uint8_t* text, Py_ssize_t length, TokenStream out) except -1 nogil:
        """Fill out with the tokens of the text."""
        cdef Py_ssize_t i
        if length > 0x7FFFFFFF:
            with gil:
                raise ValueError("a text of more than 2 gigabytes cannot be analysed")
        out.clear()
        if self.n_char_filters:
            with gil:
                self.analyze_filtered(text, length, out)
        else:
            self.tokenizer.tokenize(text, length, out)
        for i in range(self.n_filters):
            (<TokenFilter>self.filters[i]).apply(out)
        return 0

    cdef int analyze_filtered(self, const uint8_t* text, Py_ssize_t length, TokenStream out) except -1:
        """Char filters, the tokenizer, then offsets back to those of the original text."""
        cdef FilteredText filtered
        cdef CharFilter char_filter
        cdef Py_ssize_t i, j, n_texts = self.n_char_filters
        cdef Token* token
        while len(out.filtered) < n_texts:
            out.filtered.append(FilteredText())
        for i in range(n_texts):
            filtered = out.filtered[i]
            char_filter = self.char_filters[i]
            filtered.clear()
            filtered.reserve(length)
            with nogil:
                char_filter.filter(text, length, filtered)
            text, length = filtered.data, filtered.size
        with nogil:
            self.tokenizer.tokenize(text, length, out)
        for i in range(n_texts - 1, -1, -1):
            filtered = out.filtered[i]
            with nogil:
                for j in range(out.size):
                    token = out.tokens + j
                    token.start_offset = filtered.original(token.start_offset)
                    token.end_offset = filtered.original(token.end_offset)
                out.end_offset = filtered.original(out.end_offset)
        return 0

    cdef int analyze_text(self, str text, TokenStream out) except -1:
        """Fill out with the tokens of the text."""
        cdef Py_ssize_t length
        cdef const char* source
        cdef const uint8_t* src
        try:
            source = PyUnicode_AsUTF8AndSize(text, &length)
        except UnicodeEncodeError:
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            source = PyUnicode_AsUTF8AndSize(text, &length)
        src = <const uint8_t*>source
        with nogil:
            self.analyze(src, length, out)
        return 0

    def run(self, str text not None):
        """Return (tokens, end_offset, trailing_increment).

        A token is (term, start_offset, end_offset, position, type, position_length, frequency, keyword,
        payload).
        Code units that are no characters (halves of surrogate pairs) become U+FFFD.
        """
        cdef TokenStream stream = TokenStream()
        cdef list found = []
        cdef Token* token
        cdef Py_ssize_t i
        cdef long position = -1
        self.analyze_text(text, stream)
        for i in range(stream.size):
            token = stream.tokens + i
            position += token.increment
            found.append((
                (<const char*>stream.data)[token.start:token.start + token.length],
                token.start_offset,
                token.end_offset,
                position,
                type_names[token.type],
                token.position_length,
                token.frequency,
                token.keyword != 0,
                stream.payloads[token.payload],
            ))
        return found, stream.end_offset, stream.trailing_increment

    def tokens(self, str text not None):
        """Return the tokens of run."""
        return self.run(text)[0]

    def filtered(self, str text not None):
        """Return the text after each char filter."""
        cdef FilteredText out = FilteredText()
        cdef CharFilter char_filter
        cdef bytes source = text.encode("utf-8", "replace")
        cdef list found = []
        for part in self.char_filters:
            char_filter = part
            out.clear()
            char_filter.filter(<const uint8_t*><const char*>source, len(source), out)
            source = (<const char*>out.data)[:out.size] if out.size else b""
            found.append(source.decode())
        return found
