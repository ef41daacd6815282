"""Parts of a chain that are written in Python: rare filters, tokenizers and char filters.

A filter is a function that changes a TokenList; one that looks at each term by itself is a function from text to
text. A tokenizer is a function from text to tokens, a char filter one from text to replacements. Offsets that
Python counts in characters are turned into UTF-16 units here. Functions must not keep anything of what they get, and
they are called with the GIL, so they may serve any number of threads.
"""

cimport cython
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t
from libc.string cimport memcmp, memcpy

from lanner.ext.analysis.chain cimport CharFilter, FilteredText, TokenFilter, Tokenizer
from lanner.ext.analysis.token_stream cimport Token as RawToken
from lanner.ext.analysis.token_stream cimport TokenStream
from lanner.ext.types cimport uint8_t, uint16_t, uint32_t

from lanner.ext.analysis.token_stream import token_types

cdef enum:
    MAX_PAYLOADS = 0xFFFF  # what Token.payload counts to

cdef tuple type_names = token_types
cdef dict type_numbers = {name: number for number, name in enumerate(token_types)}


@cython.final
cdef class Token:
    """One token, as struct Token has it, with its text."""

    cdef public str term
    cdef public long start
    cdef public long end
    cdef public long increment
    cdef public long position_length
    cdef public long frequency
    cdef public str type
    cdef public bint keyword
    cdef public bytes payload

    def __init__(
        self,
        str term,
        long start,
        long end,
        *,
        long increment=1,
        long position_length=1,
        str type="word",
        bint keyword=False,
    ):
        self.term = term
        self.start = start
        self.end = end
        self.increment = increment
        self.position_length = position_length
        self.frequency = 1
        self.type = type
        self.keyword = keyword

    cpdef Token copy(self, str term):
        """Return the same token with another term."""
        cdef Token other = Token.__new__(Token)
        other.term = term
        other.start = self.start
        other.end = self.end
        other.increment = self.increment
        other.position_length = self.position_length
        other.frequency = self.frequency
        other.type = self.type
        other.keyword = self.keyword
        other.payload = self.payload
        return other


@cython.final
cdef class TokenList:
    """The tokens of a text and how it ends."""

    cdef public list tokens
    cdef public long trailing_increment
    cdef public long end_offset


cdef inline str term_of(TokenStream stream, const RawToken* token):
    return PyUnicode_DecodeUTF8(<const char*>stream.data + token.start, token.length, "replace")


cdef TokenList read_tokens(TokenStream stream):
    """Return the stream as Python sees it."""
    cdef TokenList out = TokenList.__new__(TokenList)
    cdef RawToken* raw
    cdef Token token
    cdef Py_ssize_t i
    out.tokens = []
    out.trailing_increment = stream.trailing_increment
    out.end_offset = stream.end_offset
    for i in range(stream.size):
        raw = stream.tokens + i
        token = Token.__new__(Token)
        token.term = term_of(stream, raw)
        token.start = raw.start_offset
        token.end = raw.end_offset
        token.increment = raw.increment
        token.position_length = raw.position_length
        token.frequency = raw.frequency
        token.type = type_names[raw.type]
        token.keyword = raw.keyword != 0
        token.payload = stream.payloads[raw.payload]
        out.tokens.append(token)
    return out


cdef int write_term(TokenStream stream, RawToken* raw, str term) except -1:
    """Give a token a term; halves of surrogate pairs become U+FFFD."""
    cdef Py_ssize_t n
    cdef const char* src
    try:
        src = PyUnicode_AsUTF8AndSize(term, &n)
    except UnicodeEncodeError:
        term = term.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        src = PyUnicode_AsUTF8AndSize(term, &n)
    if n == <Py_ssize_t>raw.length and memcmp(stream.data + raw.start, src, n) == 0:
        return 0
    memcpy(stream.reserve_data(n), src, n)
    stream.move_term(raw, n)
    return 0


cdef uint16_t payload_number(TokenStream stream, bytes payload) except? 0xFFFF:
    """Keep a payload; return its number."""
    cdef Py_ssize_t n = len(stream.payloads)
    if payload is None:
        return 0
    if stream.payloads[n - 1] == payload:
        return <uint16_t>(n - 1)
    if n == MAX_PAYLOADS:
        raise ValueError(f"a text cannot have more than {MAX_PAYLOADS} payloads")
    stream.payloads.append(payload)
    return <uint16_t>n


cdef int write_tokens(TokenStream stream, list tokens) except -1:
    """Put tokens in place of those of the stream."""
    cdef Token token
    cdef RawToken* raw
    stream.size = 0
    stream.reserve_tokens(len(tokens))
    for token in tokens:
        raw = stream.append(0, 0)
        write_term(stream, raw, token.term)
        raw.start_offset = <uint32_t>token.start
        raw.end_offset = <uint32_t>token.end
        raw.increment = <uint32_t>token.increment
        raw.position_length = <uint32_t>token.position_length
        raw.frequency = <uint32_t>token.frequency
        raw.type = <uint8_t>type_numbers[token.type]
        raw.keyword = token.keyword
        if token.payload is not None:
            raw.payload = payload_number(stream, token.payload)
    return 0


@cython.final
cdef class StreamFilter(TokenFilter):
    """A filter that changes the TokenList that it is given.

    marks_keywords, has_payloads, disables_graph, refuses: as TokenFilter has them.
    """

    cdef readonly object function

    def __cinit__(
        self, function, *, marks_keywords=False, has_payloads=False, disables_graph=False, refuses=False
    ):
        self.function = function
        self.marks_keywords = marks_keywords
        self.has_payloads = has_payloads
        self.disables_graph = disables_graph
        self.refuses = refuses
        self.grows = True

    cdef int apply(self, TokenStream stream) except -1 nogil:
        with gil:
            self.rewrite(stream)
        return 0

    cdef int rewrite(self, TokenStream stream) except -1:
        cdef TokenList found = read_tokens(stream)
        self.function(found)
        del stream.payloads[1:]
        write_tokens(stream, found.tokens)
        stream.trailing_increment = <uint32_t>found.trailing_increment
        stream.end_offset = <uint32_t>found.end_offset
        return 0


@cython.final
cdef class TermFilter(TokenFilter):
    """A filter that makes of each term another one; spare_keywords: but not of keywords, as stemmers do."""

    cdef readonly object function
    cdef readonly bint spare_keywords

    def __cinit__(self, function, *, spare_keywords=False, refuses=False):
        self.function = function
        self.spare_keywords = spare_keywords
        self.marks_keywords = spare_keywords
        self.refuses = refuses
        self.grows = refuses

    cdef int apply(self, TokenStream stream) except -1 nogil:
        with gil:
            self.change(stream)
        return 0

    cdef int change(self, TokenStream stream) except -1:
        cdef RawToken* raw
        cdef Py_ssize_t i
        for i in range(stream.size):
            raw = stream.tokens + i
            if self.spare_keywords and raw.keyword:
                continue
            write_term(stream, raw, <str?>self.function(term_of(stream, raw)))
        return 0


cdef list utf16_places(str text):
    """Return the place in UTF-16 units of each character and of the end, or None if they are the same."""
    cdef Py_UCS4 point
    cdef long place = 0
    cdef list places
    for point in text:
        if point > 0xFFFF:
            break
    else:
        return None
    places = [0]
    for point in text:
        place += 2 if point > 0xFFFF else 1
        places.append(place)
    return places


@cython.final
cdef class FunctionTokenizer(Tokenizer):
    """A tokenizer that a function from text to a list of tokens does the work of; offsets count characters."""

    cdef readonly object function

    def __cinit__(self, function, *, refuses=False):
        self.function = function
        self.refuses = refuses

    cdef int tokenize(self, const uint8_t* text, Py_ssize_t n, TokenStream out) except -1 nogil:
        with gil:
            self.fill(text, n, out)
        return 0

    cdef int fill(self, const uint8_t* text, Py_ssize_t n, TokenStream out) except -1:
        cdef str characters = PyUnicode_DecodeUTF8(<const char*>text, n, "replace")
        cdef list places = utf16_places(characters)
        cdef list tokens = list(self.function(characters))
        cdef Py_ssize_t i
        write_tokens(out, tokens)
        out.end_offset = <uint32_t>len(characters)
        if places is not None:
            for i in range(out.size):
                out.tokens[i].start_offset = places[out.tokens[i].start_offset]
                out.tokens[i].end_offset = places[out.tokens[i].end_offset]
            out.end_offset = places[len(characters)]
        return 0


@cython.final
cdef class FunctionCharFilter(CharFilter):
    """A char filter that a function does the work of: from text to a list of (start, end, replacement).

    The replacements ascend and do not overlap; places count characters. Offsets behave as with
    MappingCharFilter.
    """

    cdef readonly object function

    def __cinit__(self, function, *, refuses=False):
        self.function = function
        self.refuses = refuses

    cdef int filter(self, const uint8_t* text, Py_ssize_t n, FilteredText out) except -1 nogil:
        with gil:
            self.rewrite(text, n, out)
        return 0

    cdef int rewrite(self, const uint8_t* text, Py_ssize_t n, FilteredText out) except -1:
        cdef str characters = PyUnicode_DecodeUTF8(<const char*>text, n, "replace")
        cdef list places = utf16_places(characters)
        cdef list pieces = []
        cdef Py_ssize_t last = 0, start, end, size
        cdef long gone = 0  # UTF-16 units read minus those written
        cdef long begin, i, n_read, n_written
        cdef str replacement
        cdef const char* src
        for start, end, replacement in self.function(characters):
            pieces.append(characters[last:start])
            pieces.append(replacement)
            last = end
            begin = places[start] if places is not None else start
            n_read = (places[end] if places is not None else end) - begin
            n_written = len(replacement)
            if not replacement.isascii():
                n_written += sum([1 for character in replacement if character > "\uffff"])
            begin -= gone
            if n_read > n_written:
                out.correct(<uint32_t>(begin + n_written), <int32_t>(gone + n_read - n_written))
            for i in range(n_read, n_written):
                out.correct(<uint32_t>(begin + i), <int32_t>(gone - (i - n_read) - 1))
            gone += n_read - n_written
        pieces.append(characters[last:])
        characters = "".join(pieces)
        src = PyUnicode_AsUTF8AndSize(characters, &size)
        memcpy(out.reserve(size), src, size)
        out.size = size
        return 0


def filter_token(tuple filters not None, Token token not None):
    """Return what filters make of one token by itself, as if it were all of a text."""
    cdef TokenStream stream = TokenStream()
    cdef TokenFilter part
    write_tokens(stream, [token])
    stream.end_offset = <uint32_t>token.end
    for part in filters:
        part.apply(stream)
    return read_tokens(stream).tokens
