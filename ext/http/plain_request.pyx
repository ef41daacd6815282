"""Requests of HTTP/1.1 in the form that nearly all of them have: one message, whole, with nothing unusual in it.

Source: RFC 9112. What is not taken here, also a request that is wrong, is for a parser that knows everything; what is taken
is what such a parser makes of it.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.string cimport memchr, memcmp

from lanner.ext.types cimport int64_t, uint8_t

cdef extern from "Python.h":
    str PyUnicode_DecodeLatin1(const char* text, Py_ssize_t size, const char* errors)


cdef enum:
    LONGEST_NAME = 17  # of a header that matters
    MAX_DIGITS = 12  # of a length
    LINE_REST = 11  # " ? HTTP/1.1"
    HEADER_REST = 4  # ": " and the end of the line
    KEPT = 6  # of the names below
    LENGTH = 0
    CONNECTION = 6
    NAMES = 11

# Those that are kept; one that may only say keep-alive; then those that make a request unusual.
cdef list HEADERS = [
    b"content-length", b"content-type", b"accept", b"accept-encoding", b"content-encoding", b"x-opaque-id",
    b"connection",
    b"expect", b"proxy-connection", b"transfer-encoding", b"upgrade",
]
cdef list METHODS = [(b"GET ", "GET"), (b"PUT ", "PUT"), (b"POST ", "POST"), (b"HEAD ", "HEAD"), (b"DELETE ", "DELETE")]
cdef const char* VERSION = b" HTTP/1.1\r\n"

cdef bint in_token[256]
for number in range(256):
    in_token[number] = chr(number).isascii() and (chr(number).isalnum() or chr(number) in "!#$%&'*+-.^_`|~")


cdef const uint8_t* token_end(const uint8_t* p) noexcept nogil:
    """Where the name of a header that begins at p ends."""
    while in_token[p[0]]:
        p += 1
    return p


cdef bint is_text(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Whether a value has no control characters, and no blank at its end."""
    if p == end or (end - 1)[0] == c" " or (end - 1)[0] == c"\t":
        return False
    while p < end:
        if p[0] == 127 or (p[0] < 32 and p[0] != c"\t"):
            return False
        p += 1
    return True


cdef Py_ssize_t header_of(const uint8_t* name, Py_ssize_t n) except -1:
    """The place of a name in HEADERS, whatever its case; NAMES if it is not there."""
    cdef uint8_t low[LONGEST_NAME]
    cdef Py_ssize_t i
    cdef bytes known
    if n > LONGEST_NAME:
        return NAMES
    for i in range(n):
        low[i] = name[i] | 0x20 if c"A" <= name[i] <= c"Z" else name[i]
    for i in range(NAMES):
        known = <bytes>HEADERS[i]
        if len(known) == n and memcmp(<const char*>known, low, n) == 0:
            return i
    return NAMES


cdef int64_t read_length(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """The number that a text stands for, -1 if it is none."""
    cdef int64_t value = 0
    if end - p > MAX_DIGITS:
        return -1
    while p < end:
        if <uint8_t>(p[0] - c"0") > 9:
            return -1
        value = 10 * value + p[0] - c"0"
        p += 1
    return value


cdef class PlainRequests:
    """Takes such requests, up to the given sizes in bytes: of the line, of all headers, of the body."""

    cdef Py_ssize_t max_line
    cdef Py_ssize_t max_header
    cdef int64_t max_content

    def __init__(self, Py_ssize_t max_line, Py_ssize_t max_header, int64_t max_content):
        self.max_line = max_line
        self.max_header = max_header
        self.max_content = max_content

    def take(self, bytes data not None):
        """Return (None, method, path, query, headers that matter, body, True), or None if data is anything else."""
        cdef const uint8_t* start = data
        cdef const uint8_t* end = start + len(data)
        cdef const uint8_t* p = start
        cdef const uint8_t* target
        cdef const uint8_t* question
        cdef const uint8_t* stop
        cdef const uint8_t* name
        cdef Py_ssize_t size = 0, which
        cdef int64_t length = 0
        cdef str method, path, query = ""
        cdef bytes key, value
        cdef dict seen = {}
        # a NUL stands behind the data, and ends all that is read byte by byte
        for key, method in METHODS:
            if len(data) > len(key) and memcmp(start, <const char*>key, len(key)) == 0:
                break
        else:
            return None
        target = p = start + len(key)
        if p[0] != c"/":
            return None
        while 32 < p[0] < 127 and p[0] != c"#":
            p += 1
        if end - p < 11 or memcmp(p, VERSION, 11) != 0 or p - start + LINE_REST > self.max_line:
            return None
        question = <const uint8_t*>memchr(target, c"?", p - target)
        if question == NULL:
            question = p
        else:
            query = PyUnicode_DecodeLatin1(<const char*>question + 1, p - question - 1, NULL)
        path = PyUnicode_DecodeLatin1(<const char*>target, question - target, NULL)
        p += 11
        while p[0] != c"\r":
            name = p
            p = token_end(p)
            if p == name or p[0] != c":":
                return None
            which = header_of(name, p - name)
            size += p - name
            p += 1
            while p[0] == c" " or p[0] == c"\t":
                p += 1
            stop = <const uint8_t*>memchr(p, c"\r", end - p)
            if stop == NULL or stop[1] != c"\n" or not is_text(p, stop):
                return None
            size += stop - p + HEADER_REST
            if which == CONNECTION:
                if stop - p != 10 or (<const char*>p)[:10].lower() != b"keep-alive":
                    return None
            elif which < KEPT:
                key = <bytes>HEADERS[which]
                if key in seen:
                    return None
                value = PyBytes_FromStringAndSize(<const char*>p, stop - p)
                seen[key] = value
                if which == LENGTH:
                    length = read_length(p, stop)
                    if length < 0:
                        return None
            elif which < NAMES:
                return None
            p = stop + 2
        if p[1] != c"\n" or size > self.max_header or length > self.max_content or length != end - p - 2:
            return None
        return None, method, path, query, seen, PyBytes_FromStringAndSize(<const char*>p + 2, length), True
