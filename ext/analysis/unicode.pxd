"""What analysis asks of a code point: word-break class, letter or space, the other case."""

from libc.stdint cimport int32_t

from lanner.ext.types cimport uint8_t, uint32_t

cdef struct Table:
    const uint8_t* index  # block number by code point >> 7
    const uint8_t* blocks  # value by code point & 127, block after block

cdef enum:
    LETTER = 1  # bits of kinds
    SPACE = 2
    DIGIT = 4
    PUNCTUATION = 8
    SYMBOL = 16
    CLASSES = 32  # width of a row of transitions

cdef Table word_break_classes
cdef Table kinds
cdef const uint8_t* transitions  # next state by state * CLASSES + class; 0 is the dead state, 1 the start
cdef const uint8_t* accepts  # token type by state, 255 for none

cdef uint32_t to_lower(uint32_t point) noexcept nogil
cdef uint32_t to_upper(uint32_t point) noexcept nogil

cdef inline uint8_t look_up(Table table, uint32_t point) noexcept nogil:
    """Value of a code point; point < 0x110000."""
    return table.blocks[<uint32_t>table.index[point >> 7] << 7 | (point & 127)]
