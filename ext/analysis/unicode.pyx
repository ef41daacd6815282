"""Unicode tables of unicode_data.py, ready for compiled code (see unicode.pxd).

Case changes one code point into one, as Java's Character.toLowerCase and toUpperCase do.
"""

from libc.stdint cimport int32_t

from lanner.ext.types cimport uint8_t, uint32_t

from lanner.ext.analysis import unicode_data

cdef Table word_break_classes
cdef Table kinds
cdef Table lower_numbers
cdef Table upper_numbers
cdef const uint8_t* transitions
cdef const uint8_t* accepts
cdef int32_t lower_deltas[256]
cdef int32_t upper_deltas[256]

# the bytes that the tables point into
cdef tuple owners = (
    unicode_data.WORD_BREAK_INDEX,
    unicode_data.WORD_BREAK_BLOCKS,
    unicode_data.KIND_INDEX,
    unicode_data.KIND_BLOCKS,
    unicode_data.LOWER_INDEX,
    unicode_data.LOWER_BLOCKS,
    unicode_data.UPPER_INDEX,
    unicode_data.UPPER_BLOCKS,
    unicode_data.TRANSITIONS,
    bytes(unicode_data.ACCEPTS),
)


cdef uint32_t to_lower(uint32_t point) noexcept nogil:
    """The lower case form; point < 0x110000."""
    return point + <uint32_t>lower_deltas[look_up(lower_numbers, point)]


cdef uint32_t to_upper(uint32_t point) noexcept nogil:
    """The upper case form; point < 0x110000."""
    return point + <uint32_t>upper_deltas[look_up(upper_numbers, point)]


cdef const uint8_t* bytes_of(int number):
    return <const uint8_t*><const char*><bytes>owners[number]


cdef void connect():
    """Point the tables at their bytes."""
    global transitions, accepts
    word_break_classes.index, word_break_classes.blocks = bytes_of(0), bytes_of(1)
    kinds.index, kinds.blocks = bytes_of(2), bytes_of(3)
    lower_numbers.index, lower_numbers.blocks = bytes_of(4), bytes_of(5)
    upper_numbers.index, upper_numbers.blocks = bytes_of(6), bytes_of(7)
    transitions, accepts = bytes_of(8), bytes_of(9)
    for number, delta in enumerate(unicode_data.LOWER_DELTAS):
        lower_deltas[<int>number] = delta
    for number, delta in enumerate(unicode_data.UPPER_DELTAS):
        upper_deltas[<int>number] = delta


connect()
