"""Action lines of a bulk request in the form that nearly all of them have: ``{"index":{"_index":"i","_id":"1"}}``."""

from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcmp


cdef struct Cursor:
    const uint8_t* at
    const uint8_t* end  # of the line; a newline stands there


cdef inline bint take(Cursor* cursor, uint8_t c) noexcept nogil:
    """Step over a character, with blanks before it."""
    while cursor.at[0] == c" ":
        cursor.at += 1
    if cursor.at[0] != c:
        return False
    cursor.at += 1
    return True


cdef bint take_string(Cursor* cursor, const uint8_t** text, Py_ssize_t* n) noexcept nogil:
    """Step over a string without escapes."""
    if not take(cursor, c'"'):
        return False
    text[0] = cursor.at
    while cursor.at[0] != c'"':
        if cursor.at[0] < 32 or cursor.at[0] == c"\\":
            return False
        cursor.at += 1
    n[0] = cursor.at - text[0]
    cursor.at += 1
    return True


def plain_actions(bytes body not None):
    """Return the (action, index or None, id or None, document) at the beginning of a body, and where the rest begins.

    Takes index and create with a document, as long as an action has nothing but _index and _id, both strings without
    escapes, and both lines end with a newline. The first other line is where the rest begins.
    """
    cdef const uint8_t* start = body
    cdef const uint8_t* end = start + len(body)
    cdef const uint8_t* p = start
    cdef const uint8_t* second
    cdef const uint8_t* last
    cdef const uint8_t* text = NULL
    cdef Py_ssize_t n = 0
    cdef Cursor cursor
    cdef str kind, index, id
    cdef list found = []
    cdef bint good
    while p < end:
        cursor.at = p
        cursor.end = <const uint8_t*>memchr(p, c"\n", end - p)
        if cursor.end == NULL:
            break
        second = cursor.end + 1
        last = <const uint8_t*>memchr(second, c"\n", end - second)
        if last == NULL or not take(&cursor, c"{") or not take_string(&cursor, &text, &n):
            break
        if n == 5 and memcmp(text, b"index", 5) == 0:
            kind = "index"
        elif n == 6 and memcmp(text, b"create", 6) == 0:
            kind = "create"
        else:
            break
        if not take(&cursor, c":") or not take(&cursor, c"{"):
            break
        index = id = None
        good = take(&cursor, c"}")
        while not good:
            if not take_string(&cursor, &text, &n) or not take(&cursor, c":"):
                break
            try:
                if n == 3 and memcmp(text, b"_id", 3) == 0 and id is None:
                    if not take_string(&cursor, &text, &n):
                        break
                    id = (<const char*>text)[:n].decode()
                elif n == 6 and memcmp(text, b"_index", 6) == 0 and index is None:
                    if not take_string(&cursor, &text, &n):
                        break
                    index = (<const char*>text)[:n].decode()
                else:
                    break
            except UnicodeDecodeError:
                break  # whoever reads the rest says what is wrong
            good = take(&cursor, c"}")
            if not good and not take(&cursor, c","):
                break
        if not good or not take(&cursor, c"}"):
            break
        while cursor.at[0] == c" ":
            cursor.at += 1
        if cursor.at != cursor.end:
            break
        p = last + 1
        if last > second and (last - 1)[0] == c"\r":
            last -= 1
        found.append((kind, index, id, (<const char*>second)[:last - second]))
    return found, p - start
