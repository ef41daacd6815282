"""Tokenizers that look at one character at a time: white space, letters, and the whole text as one token."""

cimport cython

from lanner.ext.analysis.chain cimport TokenFilter, Tokenizer
from lanner.ext.analysis.token_stream cimport WORD, Token, TokenStream
from lanner.ext.analysis.unicode cimport LETTER, SPACE, Table, kinds, look_up
from lanner.ext.analysis.utf8 cimport decode_utf8, units_of, utf16_length
from lanner.ext.types cimport uint8_t, uint32_t


@cython.final
cdef class CharTokenizer(Tokenizer):
    """Stretches of letters, or of anything but white space; what is longer than max_token_length is cut."""

    cdef readonly uint32_t max_token_length
    cdef uint8_t kind  # bit of the table of kinds
    cdef uint8_t wanted  # that bit where a character belongs to a token, else 0

    def __cinit__(self, str characters not None, max_token_length=255):
        if not 0 < max_token_length <= 1024 * 1024:
            raise ValueError("max_token_length must be between 1 and 1048576")
        if characters == "letter":
            self.kind, self.wanted = LETTER, LETTER
        elif characters == "not_space":
            self.kind, self.wanted = SPACE, 0
        else:
            raise ValueError(f"no such characters: {characters}")
        self.max_token_length = max_token_length
        self.bounded = max_token_length <= 4096

    cdef int tokenize(self, const uint8_t* text, Py_ssize_t n, TokenStream out) except -1 nogil:
        cdef uint8_t* data = out.take_text(text, n)
        cdef Table table = kinds
        cdef Py_ssize_t at = 0, start = -1
        cdef uint32_t point, offset = 0, start_offset = 0
        cdef int n_bytes
        cdef bint wanted
        while at < n:
            n_bytes = decode_utf8(data + at, data + n, &point)
            wanted = (look_up(table, point) & self.kind) == self.wanted
            if wanted and start < 0:
                start = at
                start_offset = offset
            if not wanted and start >= 0:
                self.add(out, start, at, start_offset, offset)
                data = out.data
                start = -1
            at += n_bytes
            offset += units_of(n_bytes)
            # a surrogate pair may reach one unit beyond the limit
            if start >= 0 and offset - start_offset >= self.max_token_length:
                self.add(out, start, at, start_offset, offset)
                data = out.data
                start = -1
        if start >= 0:
            self.add(out, start, n, start_offset, offset)
        out.end_offset = offset
        return 0

    cdef int add(
        self, TokenStream out, Py_ssize_t start, Py_ssize_t end, uint32_t start_offset, uint32_t end_offset
    ) except -1 nogil:
        cdef Token* token = out.append(<uint32_t>start, <uint32_t>(end - start))
        token.start_offset = start_offset
        token.end_offset = end_offset
        token.type = WORD
        return 0


@cython.final
cdef class KeywordTokenizer(Tokenizer):
    """The whole text as one token, be it empty."""

    cdef int tokenize(self, const uint8_t* text, Py_ssize_t n, TokenStream out) except -1 nogil:
        cdef Token* token
        out.take_text(text, n)
        token = out.append(0, <uint32_t>n)
        token.end_offset = utf16_length(text, n)
        token.type = WORD
        out.end_offset = token.end_offset
        return 0


@cython.final
cdef class FilteredTokenizer(Tokenizer):
    """A tokenizer and a filter that count as one tokenizer (`lowercase`: letters, then lower case)."""

    cdef readonly Tokenizer tokenizer
    cdef readonly TokenFilter token_filter

    def __cinit__(self, Tokenizer tokenizer not None, TokenFilter token_filter not None):
        self.tokenizer = tokenizer
        self.token_filter = token_filter
        self.bounded = tokenizer.bounded and not token_filter.grows

    cdef int tokenize(self, const uint8_t* text, Py_ssize_t n, TokenStream out) except -1 nogil:
        self.tokenizer.tokenize(text, n, out)
        return self.token_filter.apply(out)


@cython.final
cdef class PathTokenizer(Tokenizer):
    """A path and those above it, all at one position; in reverse, the path without its first parts.

    skip: so many parts at the beginning (in reverse: at the end) are left out. The terms share their bytes, so that long
    paths do not take more room than they have bytes and delimiters.
    """

    cdef readonly str delimiter
    cdef readonly str replacement
    cdef readonly Py_ssize_t skip
    cdef readonly bint reverse
    cdef bytes separator
    cdef bytes instead

    def __cinit__(self, str delimiter not None, str replacement not None, *, skip=0, reverse=False):
        if len(delimiter) != 1 or len(replacement) != 1 or skip < 0:
            raise ValueError("a delimiter and its replacement are one character each")
        self.delimiter = delimiter
        self.replacement = replacement
        self.skip = skip
        self.reverse = reverse
        self.separator = delimiter.encode("utf-8", "replace")
        self.instead = replacement.encode("utf-8", "replace")

    cdef int tokenize(self, const uint8_t* text, Py_ssize_t n, TokenStream out) except -1 nogil:
        with gil:
            self.split(text, n, out)
        return 0

    cdef int split(self, const uint8_t* text, Py_ssize_t n, TokenStream out) except -1:
        cdef bytes path = (<const char*>text)[:n]
        cdef list parts = path.split(self.separator)
        cdef bytes written = self.instead.join(parts)
        # of each boundary: bytes in what is written, UTF-16 units in the text
        cdef list boundaries = []
        cdef Py_ssize_t size = 0, units = 0, i, count = len(parts)
        cdef Py_ssize_t read = utf16_length(<const uint8_t*><const char*>self.separator, len(self.separator))
        cdef bytes part
        for i in range(count):
            part = parts[i]
            if self.reverse and (i == 0 or i + 1 < count or part):
                boundaries.append((size, units))
            size += len(part)
            units += utf16_length(<const uint8_t*><const char*>part, len(part))
            if not self.reverse and (i > 0 or part or count == 1):
                boundaries.append((size, units))
            if i + 1 < count:
                size += len(self.instead)
                units += read
        out.take_text(<const uint8_t*><const char*>written, len(written))
        out.end_offset = <uint32_t>units
        if n == 0 or self.skip >= len(boundaries):
            return 0
        if self.reverse:
            end = boundaries[len(boundaries) - self.skip] if self.skip else (size, units)
            for start in boundaries[:len(boundaries) - self.skip]:
                self.add(out, start, end)
        else:
            start = boundaries[self.skip - 1] if self.skip else (0, 0)
            for end in boundaries[self.skip:]:
                self.add(out, start, end)
        return 0

    cdef int add(self, TokenStream out, tuple start, tuple end) except -1:
        cdef Token* token = out.append(<uint32_t>start[0], <uint32_t>(end[0] - start[0]))
        token.start_offset = <uint32_t>start[1]
        token.end_offset = <uint32_t>end[1]
        token.type = WORD
        token.increment = 1 if out.size == 1 else 0
        return 0
