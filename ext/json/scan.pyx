"""One pass over untrusted JSON: grammar, UTF-8, depth, and keys that appear twice in one object.

The scanner walks the bytes once without recursion, keeping a stack of open objects and arrays. The keys of the
open objects lie on a second stack; an object compares a new key with its earlier ones by hash, one after the
other while they are few and through a small hash table from then on, so that many keys cost no quadratic time.
Names with escapes are decoded first: ``"\\u0061"`` and ``"a"`` are the same key.

What is wrong is told by a code and a position; faults.py makes the text of it.
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy

from lanner.ext.json.faults import JsonFault, line_and_column, render

cdef enum:
    FEW_KEYS = 16  # compared one by one; a table is built beyond
    INLINE_FRAMES = 32
    INLINE_KEYS = 128
    MAX_NUMBER = 1000  # digits and signs of one number

cdef enum Code:
    OK = 0
    NO_MEMORY
    EOF_ENTRIES
    EOF_ENTRIES_COMMA
    EOF_CLOSE
    EOF_STRING
    EOF_NAME
    EOF_ESCAPE
    EOF_VALUE
    WANT_NAME
    WANT_COLON
    WANT_VALUE
    WANT_VALID_VALUE
    WANT_COMMA
    WRONG_CLOSE
    BAD_TOKEN
    BAD_NUMBER_TOKEN
    CONTROL_STRING
    CONTROL_NAME
    CONTROL_OUTSIDE
    BAD_ESCAPE
    BAD_HEX
    LEADING_ZERO
    PLUS_SIGN
    AFTER_MINUS
    AFTER_POINT
    AFTER_EXPONENT
    LONG_NUMBER
    UTF8_START
    UTF8_MIDDLE
    DUPLICATE
    TOO_DEEP
    TRAILING

# The codes by number, as faults.py knows them.
cdef tuple NAMES = (
    "OK", "NO_MEMORY", "EOF_ENTRIES", "EOF_ENTRIES_COMMA", "EOF_CLOSE",
    "EOF_STRING", "EOF_NAME", "EOF_ESCAPE", "EOF_VALUE", "WANT_NAME",
    "WANT_COLON", "WANT_VALUE", "WANT_VALID_VALUE", "WANT_COMMA", "WRONG_CLOSE",
    "BAD_TOKEN", "BAD_NUMBER_TOKEN", "CONTROL_STRING", "CONTROL_NAME", "CONTROL_OUTSIDE",
    "BAD_ESCAPE", "BAD_HEX", "LEADING_ZERO", "PLUS_SIGN", "AFTER_MINUS",
    "AFTER_POINT", "AFTER_EXPONENT", "LONG_NUMBER", "UTF8_START", "UTF8_MIDDLE",
    "DUPLICATE", "TOO_DEEP", "TRAILING",
)

cdef struct Key:
    uint32_t start  # in the source, or in the decoded names when length has its top bit set
    uint32_t length
    uint32_t hash

cdef struct Frame:
    uint32_t start  # where it was opened
    uint32_t first_key
    uint32_t* table  # positions of keys plus one, or NULL
    uint32_t mask
    bint is_object

cdef struct Scanner:
    const uint8_t* src
    Py_ssize_t n
    Py_ssize_t at  # of the fault
    Py_ssize_t token  # where the faulty token starts
    Frame* frames
    Py_ssize_t depth, max_frames
    Key* keys
    Py_ssize_t n_keys, max_keys
    uint8_t* names  # decoded names
    Py_ssize_t n_names, max_names

cdef uint32_t DECODED = 0x80000000


cdef inline bint is_space(uint8_t c) noexcept nogil:
    return c == 32 or c == 10 or c == 13 or c == 9


cdef inline bint is_digit(uint8_t c) noexcept nogil:
    return <uint8_t>(c - c"0") < 10


cdef inline bint is_word(uint8_t c) noexcept nogil:
    """Tell whether c may continue a token that is not quoted."""
    return <uint8_t>((c | 32) - c"a") < 26 or is_digit(c) or c == c"_" or c == c"$" or c >= 0x80


cdef Code check_utf8(Scanner* s, Py_ssize_t* i) noexcept nogil:
    """Step over one character of several bytes."""
    cdef const uint8_t* p = s.src + i[0]
    cdef Py_ssize_t left = s.n - i[0]
    cdef uint8_t c = p[0]
    cdef int more, k
    cdef uint8_t low = 0x80, high = 0xBF
    if c < 0xC2 or c > 0xF4:
        s.at = i[0]
        return UTF8_START
    if c < 0xE0:
        more = 1
    elif c < 0xF0:
        more = 2
        if c == 0xE0:
            low = 0xA0
        elif c == 0xED:
            high = 0x9F
    else:
        more = 3
        if c == 0xF0:
            low = 0x90
        elif c == 0xF4:
            high = 0x8F
    for k in range(1, more + 1):
        if k >= left:
            s.at = s.n
            return EOF_STRING
        if p[k] < low or p[k] > high:
            s.at = i[0] + k
            return UTF8_MIDDLE
        low = 0x80
        high = 0xBF
    i[0] += more + 1
    return OK


cdef inline int hex_value(uint8_t c) noexcept nogil:
    """Value of a hexadecimal digit, or -1."""
    if is_digit(c):
        return c - c"0"
    c |= 32
    if <uint8_t>(c - c"a") < 6:
        return c - c"a" + 10
    return -1


cdef Code check_escape(Scanner* s, Py_ssize_t* i) noexcept nogil:
    """Step over an escape, whose backslash is at i."""
    cdef Py_ssize_t k = i[0] + 1
    cdef Py_ssize_t end
    cdef uint8_t c
    if k >= s.n:
        s.at = s.n
        return EOF_ESCAPE
    c = s.src[k]
    if c == c"u":
        end = k + 5
        k += 1
        while k < end:
            if k >= s.n:
                s.at = s.n
                return EOF_ESCAPE
            if hex_value(s.src[k]) < 0:
                s.at = k
                return BAD_HEX
            k += 1
        i[0] = end
        return OK
    if c in (c'"', c"\\", c"/", c"b", c"f", c"n", c"r", c"t"):
        i[0] = k + 1
        return OK
    s.at = k
    return BAD_ESCAPE


cdef Code scan_string(Scanner* s, Py_ssize_t* i) noexcept nogil:
    """Step over a string value, whose opening quote is at i."""
    cdef const uint8_t* src = s.src
    cdef Py_ssize_t k = i[0] + 1
    cdef Py_ssize_t n = s.n
    cdef uint64_t word, quote, slash, wrong
    cdef uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080
    cdef uint8_t c
    cdef Code code
    while True:
        while k + 8 <= n:
            memcpy(&word, src + k, 8)
            quote = word ^ (ones * c'"')
            slash = word ^ (ones * c"\\")
            wrong = (word | (word - ones * 32) | (quote - ones) | (slash - ones)) & tops
            if wrong:
                break
            k += 8
        if k >= n:
            s.at = n
            return EOF_STRING
        c = src[k]
        if c == c'"':
            i[0] = k + 1
            return OK
        if c == c"\\":
            code = check_escape(s, &k)
            if code != OK:
                return code
        elif c < 32:
            s.at = k
            return CONTROL_STRING
        elif c < 0x80:
            k += 1
        else:
            code = check_utf8(s, &k)
            if code != OK:
                return code


cdef Py_ssize_t unescape(const uint8_t* src, Py_ssize_t n, uint8_t* out) noexcept nogil:
    return decode(src, n, out, False)


cdef Py_ssize_t decode(const uint8_t* src, Py_ssize_t n, uint8_t* to, bint halves) noexcept nogil:
    """Undo the escapes of a string. halves: write half of a surrogate pair as if it were a character, do not return -1."""
    cdef Py_ssize_t i = 0
    cdef uint32_t point, low
    cdef uint8_t c
    cdef uint8_t* out = to
    while i < n:
        c = src[i]
        if c != c"\\":
            out[0] = c
            out += 1
            i += 1
            continue
        c = src[i + 1]
        i += 2
        if c != c"u":
            if c == c"b":
                c = 8
            elif c == c"f":
                c = 12
            elif c == c"n":
                c = 10
            elif c == c"r":
                c = 13
            elif c == c"t":
                c = 9
            out[0] = c
            out += 1
            continue
        point = code_unit(src + i)
        i += 4
        if 0xD800 <= point < 0xDC00 and i + 6 <= n and src[i] == c"\\" and src[i + 1] == c"u":
            low = code_unit(src + i + 2)
            if 0xDC00 <= low < 0xE000:
                point = 0x10000 + ((point - 0xD800) << 10) + low - 0xDC00
                i += 6
        if 0xD800 <= point < 0xE000 and not halves:
            return -1
        if point < 0x80:
            out[0] = point
            out += 1
        elif point < 0x800:
            out[0] = 0xC0 | point >> 6
            out[1] = 0x80 | point & 63
            out += 2
        elif point < 0x10000:
            out[0] = 0xE0 | point >> 12
            out[1] = 0x80 | point >> 6 & 63
            out[2] = 0x80 | point & 63
            out += 3
        else:
            out[0] = 0xF0 | point >> 18
            out[1] = 0x80 | point >> 12 & 63
            out[2] = 0x80 | point >> 6 & 63
            out[3] = 0x80 | point & 63
            out += 4
    return out - to


cdef Code put_name(Scanner* s, const uint8_t* src, Py_ssize_t n, Key* key) noexcept nogil:
    """Decode the escapes of a name into names, and make key point there."""
    cdef Py_ssize_t size
    cdef uint8_t* grown
    if s.n_names + n > s.max_names:
        size = 2 * (s.n_names + n)
        grown = <uint8_t*>realloc(s.names, size)
        if grown == NULL:
            return NO_MEMORY
        s.names = grown
        s.max_names = size
    size = decode(src, n, s.names + s.n_names, True)
    key.start = <uint32_t>s.n_names
    key.length = <uint32_t>size | DECODED
    key.hash = hash_bytes(s.names + s.n_names, size)
    s.n_names += size
    return OK


cdef inline uint32_t code_unit(const uint8_t* p) noexcept nogil:
    """Value of four hexadecimal digits."""
    return <uint32_t>(hex_value(p[0]) << 12 | hex_value(p[1]) << 8 | hex_value(p[2]) << 4 | hex_value(p[3]))


cdef inline uint32_t hash_bytes(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Mix n bytes into 32 bits."""
    cdef uint64_t h = 0x9E3779B97F4A7C15ull ^ n
    cdef uint64_t word
    while n >= 8:
        memcpy(&word, p, 8)
        h = (h ^ word) * 0xD6E8FEB86659FD93ull
        h ^= h >> 32
        p += 8
        n -= 8
    word = 0
    while n:
        n -= 1
        word = word << 8 | p[n]
    h = (h ^ word) * 0xD6E8FEB86659FD93ull
    h ^= h >> 32
    h *= 0xD6E8FEB86659FD93ull
    return <uint32_t>(h >> 32)


cdef inline const uint8_t* key_bytes(Scanner* s, Key* key) noexcept nogil:
    return (s.names if key.length & DECODED else s.src) + key.start


cdef inline bint same_key(Scanner* s, Key* a, Key* b) noexcept nogil:
    cdef uint32_t length = a.length & ~DECODED
    return (
        a.hash == b.hash and length == b.length & ~DECODED
        and memcmp(key_bytes(s, a), key_bytes(s, b), length) == 0
    )


cdef Code add_key(Scanner* s, Frame* frame, Key* key) noexcept nogil:
    """Remember a key of the innermost object; DUPLICATE when it is there already."""
    cdef Py_ssize_t n = s.n_keys - frame.first_key
    cdef Py_ssize_t k, slot, size
    cdef Key* grown
    cdef uint32_t* table
    if frame.table == NULL:
        for k in range(frame.first_key, s.n_keys):
            if s.keys[k].hash == key.hash and same_key(s, &s.keys[k], key):
                return DUPLICATE
    else:
        slot = key.hash & frame.mask
        while frame.table[slot]:
            if same_key(s, &s.keys[frame.table[slot] - 1], key):
                return DUPLICATE
            slot = (slot + 1) & frame.mask
        frame.table[slot] = <uint32_t>s.n_keys + 1
    if s.n_keys == s.max_keys:
        size = s.max_keys * 2
        grown = <Key*>malloc(size * sizeof(Key))
        if grown == NULL:
            return NO_MEMORY
        memcpy(grown, s.keys, s.n_keys * sizeof(Key))
        if s.max_keys > INLINE_KEYS:
            free(s.keys)
        s.keys = grown
        s.max_keys = size
    s.keys[s.n_keys] = key[0]
    s.n_keys += 1
    n += 1
    if n > FEW_KEYS and (frame.table == NULL or 2 * n > frame.mask):
        size = 4 * FEW_KEYS if frame.table == NULL else 4 * (<Py_ssize_t>frame.mask + 1)
        table = <uint32_t*>calloc(size, sizeof(uint32_t))
        if table == NULL:
            return NO_MEMORY
        free(frame.table)
        frame.table = table
        frame.mask = <uint32_t>(size - 1)
        for k in range(frame.first_key, s.n_keys):
            slot = s.keys[k].hash & frame.mask
            while table[slot]:
                slot = (slot + 1) & frame.mask
            table[slot] = <uint32_t>k + 1
    return OK


cdef Code scan_name(Scanner* s, Frame* frame, Py_ssize_t* i) noexcept nogil:
    """Step over a name, whose opening quote is at i, and remember it."""
    cdef const uint8_t* src = s.src
    cdef Py_ssize_t start = i[0] + 1
    cdef Py_ssize_t k = start
    cdef bint escaped = False
    cdef uint8_t c
    cdef Key key
    cdef Code code
    while True:
        if k >= s.n:
            s.at = s.n
            return EOF_NAME
        c = src[k]
        if c == c'"':
            break
        if c == c"\\":
            escaped = True
            code = check_escape(s, &k)
            if code != OK:
                return code
        elif c < 32:
            s.at = k
            return CONTROL_NAME
        elif c < 0x80:
            k += 1
        else:
            code = check_utf8(s, &k)
            if code != OK:
                return EOF_NAME if code == EOF_STRING else code
    if escaped:
        code = put_name(s, src + start, k - start, &key)
        if code != OK:
            return code
    else:
        key.start = <uint32_t>start
        key.length = <uint32_t>(k - start)
        key.hash = hash_bytes(src + start, k - start)
    i[0] = k + 1
    code = add_key(s, frame, &key)
    if code == DUPLICATE:
        s.at = k + 1
        s.token = start
    return code


cdef Code scan_number(Scanner* s, Py_ssize_t* i) noexcept nogil:
    """Step over a number."""
    cdef const uint8_t* src = s.src
    cdef Py_ssize_t k = i[0]
    cdef Py_ssize_t n = s.n
    if src[k] == c"-":
        k += 1
        if k >= n:
            s.at = n
            return EOF_VALUE
        if src[k] == c"I":
            s.at = i[0]
            return BAD_NUMBER_TOKEN
        if not is_digit(src[k]):
            s.at = k
            return AFTER_MINUS
    if src[k] == c"0" and k + 1 < n and is_digit(src[k + 1]):
        s.at = k + 1
        return LEADING_ZERO
    while k < n and is_digit(src[k]):
        k += 1
    if k < n and src[k] == c".":
        k += 1
        if k >= n or not is_digit(src[k]):
            s.at = k
            return AFTER_POINT if k < n else EOF_VALUE
        while k < n and is_digit(src[k]):
            k += 1
    if k < n and (src[k] | 32) == c"e":
        k += 1
        if k < n and (src[k] == c"+" or src[k] == c"-"):
            k += 1
        if k >= n or not is_digit(src[k]):
            s.at = k
            return AFTER_EXPONENT if k < n else EOF_VALUE
        while k < n and is_digit(src[k]):
            k += 1
    if k - i[0] > MAX_NUMBER:
        s.at = k
        s.token = i[0]
        return LONG_NUMBER
    i[0] = k
    return OK


cdef Code scan_word(Scanner* s, Py_ssize_t* i) noexcept nogil:
    """Step over true, false or null."""
    cdef const uint8_t* src = s.src + i[0]
    cdef Py_ssize_t left = s.n - i[0]
    cdef Py_ssize_t size = 0
    if left >= 4 and (memcmp(src, b"true", 4) == 0 or memcmp(src, b"null", 4) == 0):
        size = 4
    elif left >= 5 and memcmp(src, b"false", 5) == 0:
        size = 5
    if size and (size == left or not is_word(src[size])):
        i[0] += size
        return OK
    s.at = i[0]
    if src[0] < 32:
        return CONTROL_OUTSIDE
    if src[0] == c"+":
        s.at = i[0] + 1
        return PLUS_SIGN
    if src[0] == c"}" or src[0] == c"]":
        return WANT_VALUE
    if src[0] == c"," or not is_word(src[0]):
        return WANT_VALID_VALUE
    return BAD_TOKEN


cdef Code push(Scanner* s, Py_ssize_t start, bint is_object, Py_ssize_t max_depth) noexcept nogil:
    """Open an object or an array."""
    cdef Frame* grown
    cdef Py_ssize_t size
    if s.depth == max_depth:
        s.at = start
        return TOO_DEEP
    if s.depth == s.max_frames:
        size = s.max_frames * 4
        grown = <Frame*>malloc(size * sizeof(Frame))
        if grown == NULL:
            return NO_MEMORY
        memcpy(grown, s.frames, s.depth * sizeof(Frame))
        if s.max_frames > INLINE_FRAMES:
            free(s.frames)
        s.frames = grown
        s.max_frames = size
    s.frames[s.depth].start = <uint32_t>start
    s.frames[s.depth].first_key = <uint32_t>s.n_keys
    s.frames[s.depth].table = NULL
    s.frames[s.depth].is_object = is_object
    s.depth += 1
    return OK


cdef inline void pop(Scanner* s) noexcept nogil:
    """Close the innermost object or array."""
    s.depth -= 1
    s.n_keys = s.frames[s.depth].first_key
    if s.frames[s.depth].table != NULL:
        free(s.frames[s.depth].table)


cdef inline Py_ssize_t skip_space(Scanner* s, Py_ssize_t i) noexcept nogil:
    while i < s.n and is_space(s.src[i]):
        i += 1
    return i


cdef Code scan(Scanner* s, Py_ssize_t max_depth) noexcept nogil:
    """Walk over the whole text."""
    cdef Py_ssize_t i = skip_space(s, 0)
    cdef Frame* top
    cdef uint8_t c
    cdef Code code
    cdef bint comma = False
    if i >= s.n:
        s.at = s.n
        return EOF_VALUE
    while True:
        # a value starts at i, which is inside the text
        c = s.src[i]
        if c == c"{" or c == c"[":
            code = push(s, i, c == c"{", max_depth)
            if code != OK:
                return code
            i = skip_space(s, i + 1)
            if i >= s.n:
                s.at = s.n
                return EOF_CLOSE
            if s.src[i] == (c"}" if c == c"{" else c"]"):
                pop(s)
                i += 1
            elif c == c"[":
                continue
            else:
                comma = True  # a name must follow
        elif c == c'"':
            code = scan_string(s, &i)
            if code != OK:
                return code
        elif c == c"-" or is_digit(c):
            code = scan_number(s, &i)
            if code != OK:
                return code
        else:
            code = scan_word(s, &i)
            if code != OK:
                return code
        # after a value, or at the first name of an object
        while not comma:
            i = skip_space(s, i)
            if s.depth == 0:
                if i < s.n:
                    s.at = i
                    return TRAILING
                return OK
            if i >= s.n:
                s.at = s.n
                return EOF_CLOSE
            top = &s.frames[s.depth - 1]
            c = s.src[i]
            if c == c",":
                i = skip_space(s, i + 1)
                if i >= s.n:
                    s.at = s.n
                    return EOF_ENTRIES_COMMA
                break
            if c == c"}" or c == c"]":
                if top.is_object != (c == c"}"):
                    s.at = i
                    return WRONG_CLOSE
                pop(s)
                i += 1
                continue
            s.at = i
            return WANT_COMMA
        comma = False
        top = &s.frames[s.depth - 1]
        if not top.is_object:
            if s.src[i] == c"]":
                s.at = i
                return WANT_VALUE
            continue
        if s.src[i] != c'"':
            s.at = i
            return WANT_NAME
        code = scan_name(s, top, &i)
        if code != OK:
            return code
        i = skip_space(s, i)
        if i >= s.n:
            s.at = s.n
            return EOF_ENTRIES
        if s.src[i] != c":":
            s.at = i
            return WANT_COLON
        i = skip_space(s, i + 1)
        if i >= s.n:
            s.at = s.n
            return EOF_ENTRIES


cdef void begin(Scanner* s, const uint8_t* data, Py_ssize_t n, Frame* frames, Key* keys) noexcept nogil:
    """Make a scanner ready for a text, with INLINE_FRAMES frames and INLINE_KEYS keys to start with."""
    s.src = data
    s.n = n
    s.at = 0
    s.token = 0
    s.frames = frames
    s.depth = 0
    s.max_frames = INLINE_FRAMES
    s.keys = keys
    s.n_keys = 0
    s.max_keys = INLINE_KEYS
    s.names = NULL
    s.n_names = 0
    s.max_names = 0


cdef void end(Scanner* s) noexcept nogil:
    """Free what scanning has allocated."""
    cdef Py_ssize_t k
    for k in range(s.depth):
        free(s.frames[k].table)
    if s.max_frames > INLINE_FRAMES:
        free(s.frames)
    if s.max_keys > INLINE_KEYS:
        free(s.keys)
    free(s.names)


cdef bint is_json(const uint8_t* data, Py_ssize_t n, Py_ssize_t max_depth) noexcept nogil:
    cdef Frame[INLINE_FRAMES] frames
    cdef Key[INLINE_KEYS] keys
    cdef Scanner s
    cdef Code code
    if n >= DECODED:
        return False
    begin(&s, data, n, frames, keys)
    code = scan(&s, max_depth)
    end(&s)
    return code == OK


def check_json(data not None, *, Py_ssize_t max_depth=1000):
    """Raise JsonFault unless data is one JSON value, at most max_depth deep, without a key twice in an object."""
    cdef const uint8_t[::1] view = data
    cdef Frame[INLINE_FRAMES] frames
    cdef Key[INLINE_KEYS] keys
    cdef Scanner s
    cdef Code code
    if view.shape[0] >= DECODED:
        raise ValueError("a text of 2 GiB or more")
    begin(&s, &view[0] if view.shape[0] else NULL, view.shape[0], frames, keys)
    if s.n > 16384:
        with nogil:
            code = scan(&s, max_depth)
    else:
        code = scan(&s, max_depth)
    frame = (0, False)
    if s.depth:
        frame = (s.frames[s.depth - 1].start, bool(s.frames[s.depth - 1].is_object))
    end(&s)
    if code == NO_MEMORY:
        raise MemoryError
    if code != OK:
        raise render(bytes(data), NAMES[code], s.at, s.token, frame, max_depth)
