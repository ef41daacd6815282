"""Compact JSON laid out for people, as Jackson's pretty printer does it.

Two spaces a level, ``"key" : value``, every element on a line of its own, ``{ }`` and ``[ ]`` for what is empty,
a line feed at the end. The text of numbers and strings is copied as it is. The input must be valid JSON
(an answer of ours, or a stored document, which was checked when it came in).
"""
from libc.string cimport memcpy, memset

from cpython.bytes cimport PyBytes_FromStringAndSize

cdef enum:
    STEP = 2


cdef inline Py_ssize_t skip_space(const unsigned char* src, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return the position of the next byte that is not white space."""
    while i < n and (src[i] == 32 or src[i] == 10 or src[i] == 13 or src[i] == 9):
        i += 1
    return i


cdef inline Py_ssize_t skip_string(const unsigned char* src, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    """Return the position after the string that starts at i."""
    i += 1
    while i < n and src[i] != c'"':
        i += 2 if src[i] == c"\\" else 1
    return min(i + 1, n)


cdef Py_ssize_t measure_or_write(
    const unsigned char* src, Py_ssize_t n, unsigned char* out
) noexcept nogil:
    """Lay src out into out, or only count when out is NULL; return the length."""
    cdef Py_ssize_t i = 0, end, size = 0, depth = 0
    cdef unsigned char c
    while True:
        i = skip_space(src, i, n)
        if i >= n:
            break
        c = src[i]
        end = i + 1
        if c == c"{" or c == c"[":
            end = skip_space(src, end, n)
            if out != NULL:
                out[size] = c
            size += 1
            if end < n and (src[end] == c"}" or src[end] == c"]"):
                if out != NULL:
                    out[size] = c" "
                    out[size + 1] = src[end]
                size += 2
                i = end + 1
                continue
            depth += 1
            if out != NULL:
                out[size] = c"\n"
                memset(out + size + 1, c" ", depth * STEP)
            size += 1 + depth * STEP
        elif c == c"}" or c == c"]":
            depth = max(depth - 1, 0)
            if out != NULL:
                out[size] = c"\n"
                memset(out + size + 1, c" ", depth * STEP)
                out[size + 1 + depth * STEP] = c
            size += 2 + depth * STEP
        elif c == c",":
            if out != NULL:
                out[size] = c
                out[size + 1] = c"\n"
                memset(out + size + 2, c" ", depth * STEP)
            size += 2 + depth * STEP
        elif c == c":":
            if out != NULL:
                memcpy(out + size, b" : ", 3)
            size += 3
        else:
            if c == c'"':
                end = skip_string(src, i, n)
            else:
                while end < n and src[end] not in (c",", c"}", c"]", 32, 10, 13, 9):
                    end += 1
            if out != NULL:
                memcpy(out + size, src + i, end - i)
            size += end - i
        i = end
    if out != NULL:
        out[size] = c"\n"
    return size + 1


def indent(bytes data not None):
    """Return data laid out for people."""
    cdef const unsigned char* src = data
    cdef Py_ssize_t n = len(data)
    cdef Py_ssize_t size
    cdef bytes answer
    with nogil:
        size = measure_or_write(src, n, NULL)
    answer = PyBytes_FromStringAndSize(NULL, size)
    measure_or_write(src, n, <unsigned char*>answer)
    return answer
