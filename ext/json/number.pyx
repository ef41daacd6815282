"""Floating-point numbers as Java prints them: the shortest digits that give the same number back.

Java writes plain digits between 10**-3 and 10**7 and ``d.dddEn`` elsewhere, always with a decimal point:
``1.0``, ``0.2876821``, ``1.0E10``. What no JSON number can hold is written as a string, as Jackson does: ``"NaN"``.

Layout of the work: decimal digits first (``digits``, ``exponent``), then one function that places the point.
"""
from libc.math cimport fabs, rint, isnan, isinf
from libc.stdint cimport uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport atoi
from libc.string cimport memcpy, memset

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free

import msgspec

cdef extern from "Python.h":
    char* PyOS_double_to_string(double value, char format_code, int precision, int flags, int* kind) except NULL

cdef extern from "<stdlib.h>" nogil:
    float strtof(const char* text, char** end)

cdef enum:
    MAX_TEXT = 40

cdef double[23] POWERS
cdef int _power
POWERS[0] = 1.0
for _power in range(1, 23):
    POWERS[_power] = POWERS[_power - 1] * 10.0

cdef object RAW = msgspec.Raw


cdef Py_ssize_t place_point(
    const char* digits, Py_ssize_t n_digits, int exponent, bint negative, char* out
) noexcept nogil:
    """Write 0.d1d2d3... times 10**exponent in Java's way; return the length."""
    cdef Py_ssize_t size = 0
    cdef int i
    if negative:
        out[size] = c"-"
        size += 1
    if -3 < exponent <= 0:
        out[size] = c"0"
        out[size + 1] = c"."
        size += 2
        memset(out + size, c"0", -exponent)
        size += -exponent
        memcpy(out + size, digits, n_digits)
        return size + n_digits
    if -3 < exponent <= 7:
        if n_digits <= exponent:
            memcpy(out + size, digits, n_digits)
            size += n_digits
            memset(out + size, c"0", exponent - n_digits)
            size += exponent - n_digits
            out[size] = c"."
            out[size + 1] = c"0"
            return size + 2
        memcpy(out + size, digits, exponent)
        size += exponent
        out[size] = c"."
        size += 1
        memcpy(out + size, digits + exponent, n_digits - exponent)
        return size + n_digits - exponent
    out[size] = digits[0]
    out[size + 1] = c"."
    size += 2
    if n_digits == 1:
        out[size] = c"0"
        size += 1
    else:
        memcpy(out + size, digits + 1, n_digits - 1)
        size += n_digits - 1
    return size + snprintf(out + size, 8, "E%d", exponent - 1)


cdef Py_ssize_t split_text(const char* text, char* digits, int* exponent) noexcept nogil:
    """Take the digits of a ``d.ddde+xx`` text, without trailing zeros; return how many there are."""
    cdef Py_ssize_t n_digits = 0
    cdef int shift = 0
    cdef bint negative
    digits[n_digits] = text[0]
    n_digits += 1
    text += 1
    if text[0] == c".":
        text += 1
        while text[0] != c"e":
            digits[n_digits] = text[0]
            n_digits += 1
            text += 1
    text += 1
    negative = text[0] == c"-"
    text += 1
    while text[0]:
        shift = shift * 10 + text[0] - c"0"
        text += 1
    exponent[0] = (-shift if negative else shift) + 1
    while n_digits > 1 and digits[n_digits - 1] == c"0":
        n_digits -= 1
    return n_digits


cdef Py_ssize_t float_digits(float value, char* digits, int* exponent) noexcept nogil:
    """Shortest digits of a positive, finite 32-bit float."""
    cdef double wide = value
    cdef double scaled, back
    cdef char[MAX_TEXT] text
    cdef int power = 0
    cdef int places, shift
    cdef uint64_t whole
    cdef Py_ssize_t n_digits
    if 1e-5 <= wide < 1e9:
        # 10**(power-1) <= wide < 10**power
        if wide >= 1.0:
            while POWERS[power] <= wide:
                power += 1
        else:
            while wide * POWERS[-power] < 1.0:
                power -= 1
            power += 1
        for places in range(1 if wide < 16777216 and wide == rint(wide) else 6, 10):
            shift = places - power
            scaled = rint(wide * POWERS[shift] if shift >= 0 else wide / POWERS[-shift])
            back = scaled / POWERS[shift] if shift >= 0 else scaled * POWERS[-shift]
            if <float>back == value:
                whole = <uint64_t>scaled
                exponent[0] = power
                if whole >= <uint64_t>POWERS[places]:  # 9.99 rounded up to 10.0
                    whole //= 10
                    exponent[0] += 1
                n_digits = places
                while places > 0:
                    places -= 1
                    digits[places] = <char>(c"0" + whole % 10)
                    whole //= 10
                while n_digits > 1 and digits[n_digits - 1] == c"0":
                    n_digits -= 1
                return n_digits
    for places in range(0, 9):
        snprintf(text, MAX_TEXT, "%.*e", places, wide)
        if strtof(text, NULL) == value:
            break
    return split_text(text, digits, exponent)


cdef Py_ssize_t double_digits(double value, char* digits, int* exponent) except -1:
    """Shortest digits of a positive, finite 64-bit float."""
    cdef char* text
    cdef Py_ssize_t n_digits = 0, i = 0
    cdef int point = -1, shift = 0
    text = PyOS_double_to_string(value, c"r", 0, 0, NULL)
    while text[i] and text[i] != c"e":
        if text[i] == c".":
            point = <int>n_digits
        elif n_digits or text[i] != c"0":
            digits[n_digits] = text[i]
            n_digits += 1
        elif point >= 0:
            shift -= 1  # a zero between the point and the first digit
        i += 1
    if point < 0:
        point = <int>n_digits
    if text[i]:
        shift += atoi(text + i + 1)
    PyMem_Free(text)
    exponent[0] = point + shift
    while n_digits > 1 and digits[n_digits - 1] == c"0":
        n_digits -= 1
    return n_digits


cdef bytes special(double value):
    """The text of what is not an ordinary number, or None."""
    if isnan(value):
        return b'"NaN"'
    if isinf(value):
        return b'"Infinity"' if value > 0 else b'"-Infinity"'
    if value == 0:
        return b"-0.0" if is_negative_zero(value) else b"0.0"
    return None


cdef bint is_negative_zero(double value) noexcept:
    """Tell -0.0 from 0.0."""
    return 1.0 / value < 0


def float32_text(double value):
    """Return the JSON text of value as a 32-bit float, as bytes."""
    cdef char[MAX_TEXT] digits
    cdef char[MAX_TEXT] out
    cdef int exponent = 0
    cdef Py_ssize_t size
    cdef float narrow = <float>value
    cdef bytes known = special(narrow)
    if known is not None:
        return known
    size = float_digits(<float>fabs(narrow), digits, &exponent)
    size = place_point(digits, size, exponent, narrow < 0, out)
    return PyBytes_FromStringAndSize(out, size)


def float64_text(double value):
    """Return the JSON text of value as a 64-bit float, as bytes."""
    cdef char[MAX_TEXT] digits
    cdef char[MAX_TEXT] out
    cdef int exponent = 0
    cdef Py_ssize_t size
    cdef bytes known = special(value)
    if known is not None:
        return known
    size = double_digits(fabs(value), digits, &exponent)
    size = place_point(digits, size, exponent, value < 0, out)
    return PyBytes_FromStringAndSize(out, size)


def float32(double value):
    """Return value, rounded to 32 bits, as ready JSON."""
    return RAW(float32_text(value))


def float64(double value):
    """Return value as ready JSON in Java's spelling."""
    return RAW(float64_text(value))
