"""Replaces strings in a text before it is cut into tokens: at each place the longest string that fits.

Offsets follow Lucene's MappingCharFilter: what a replacement has more than the string it stands for counts as
lying at the end of that string; what it has less is skipped at its end.
"""

cimport cython
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

from lanner.ext.analysis.chain cimport CharFilter, FilteredText
from lanner.ext.analysis.utf8 cimport utf16_length
from lanner.ext.types cimport uint8_t, uint32_t

cdef struct Rule:
    const uint8_t* source
    const uint8_t* target
    uint32_t source_length  # bytes
    uint32_t target_length
    uint32_t source_units  # UTF-16 units
    uint32_t target_units


@cython.final
cdef class MappingCharFilter(CharFilter):
    """Rules as pairs of text; no first part may be empty or come twice."""

    cdef readonly tuple rules
    cdef tuple owners  # the bytes that the rules point into
    cdef Rule* sorted_rules  # by first byte, then longest first
    cdef uint32_t first_rule[257]  # by first byte: where its rules begin

    def __cinit__(self, rules):
        cdef Py_ssize_t i
        cdef bytes source, target
        cdef int byte
        self.rules = tuple((str(source_text), str(target_text)) for source_text, target_text in rules)
        pairs = [(one.encode("utf-8", "replace"), other.encode("utf-8", "replace")) for one, other in self.rules]
        if any(not pair[0] for pair in pairs) or len(dict(pairs)) < len(pairs):
            raise ValueError("what is replaced must not be empty, and every string once only")
        pairs.sort(key=lambda pair: (pair[0][0], -len(pair[0]), pair[0]))
        self.owners = tuple(pairs)
        self.sorted_rules = <Rule*>malloc((len(pairs) + 1) * sizeof(Rule))
        if self.sorted_rules == NULL:
            raise MemoryError()
        for i in range(len(pairs)):
            source, target = pairs[i]
            self.sorted_rules[i].source = <const uint8_t*><const char*>source
            self.sorted_rules[i].target = <const uint8_t*><const char*>target
            self.sorted_rules[i].source_length = <uint32_t>len(source)
            self.sorted_rules[i].target_length = <uint32_t>len(target)
            self.sorted_rules[i].source_units = utf16_length(self.sorted_rules[i].source, len(source))
            self.sorted_rules[i].target_units = utf16_length(self.sorted_rules[i].target, len(target))
            byte = self.sorted_rules[i].source[0] + 1
            self.first_rule[byte] += 1
        for byte in range(256):
            self.first_rule[byte + 1] += self.first_rule[byte]

    def __dealloc__(self):
        free(self.sorted_rules)

    cdef const Rule* find(self, const uint8_t* src, Py_ssize_t n) noexcept nogil:
        """The longest rule that fits at a place, or NULL."""
        cdef uint32_t i
        cdef const Rule* rule
        for i in range(self.first_rule[src[0]], self.first_rule[src[0] + 1]):
            rule = self.sorted_rules + i
            if rule.source_length <= n and memcmp(rule.source, src, rule.source_length) == 0:
                return rule
        return NULL

    cdef int filter(self, const uint8_t* text, Py_ssize_t n, FilteredText out) except -1 nogil:
        cdef Py_ssize_t at = 0
        cdef uint32_t i, offset = 0  # UTF-16 units read
        cdef int32_t gone = 0  # units read minus units written
        cdef const Rule* rule
        while at < n:
            rule = self.find(text + at, n - at)
            if rule == NULL:
                out.reserve(1)[0] = text[at]
                out.size += 1
                offset += ((text[at] & 0xC0) != 0x80) + (text[at] >= 0xF0)
                at += 1
                continue
            memcpy(out.reserve(rule.target_length), rule.target, rule.target_length)
            out.size += rule.target_length
            at += rule.source_length
            offset += rule.source_units
            if rule.source_units > rule.target_units:
                out.correct(
                    <uint32_t>(<int32_t>(offset - rule.source_units + rule.target_units) - gone),
                    gone + <int32_t>(rule.source_units - rule.target_units),
                )
            for i in range(rule.source_units, rule.target_units):
                out.correct(
                    <uint32_t>(<int32_t>(offset + i - rule.source_units) - gone),
                    gone - <int32_t>(i - rule.source_units) - 1,
                )
            gone += <int32_t>rule.source_units - <int32_t>rule.target_units
        return 0
