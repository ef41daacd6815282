"""Words by the rules of UAX #29 (Unicode 15), as Lucene's StandardTokenizer finds them.

The text is cut into runs first, 64 bytes at a time: a run is a stretch of ASCII letters and digits, of bytes
beyond ASCII, of underscores, and of punctuation with one of these on both sides. No token reaches over the end of a run. A
run of letters and digits alone, nearly every word of English, is one token; any other run is read by the
automaton of tables_generator.py, code point by code point: the longest match is a token, what matches nothing is
skipped. Terms stay where they are in the text, which is the first part of the stream's data.
"""

from libc.stdint cimport uint64_t

from lanner.ext.analysis.chain cimport Tokenizer
from lanner.ext.analysis.token_stream cimport ALPHANUM, NUM, Token, TokenStream
from lanner.ext.analysis.unicode cimport CLASSES, Table, accepts, look_up, transitions, word_break_classes
from lanner.ext.analysis.utf8 cimport decode_utf8, units_of
from lanner.ext.types cimport uint8_t, uint32_t

cdef extern from *:
    int count_trailing_zeros "__builtin_ctzll"(uint64_t bits) nogil

cdef extern from "analysis/ascii_blocks.h":
    ctypedef struct Classes "lanner_classes":
        uint64_t word  # bit i: byte i is an ASCII letter or digit
        uint64_t other  # an underscore or not ASCII
        uint64_t middle  # punctuation that may join what stands on both sides
        uint64_t quote  # the apostrophe, which may also end a Hebrew word
    void classify "lanner_classify"(const uint8_t* src, Classes* out) noexcept nogil

cdef enum:
    NO_RULE = 255


cdef inline bint all_digits(const uint8_t* src, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        if src[i] > 57:
            return False
    return True


cdef class StandardTokenizer(Tokenizer):
    """Words by the rules of UAX #29."""

    def __cinit__(self, max_token_length=255, *, split_blocks=True):
        if not 0 < max_token_length <= 1024 * 1024:
            raise ValueError("max_token_length must be between 1 and 1048576")
        self.max_token_length = max_token_length
        self.bounded = max_token_length <= 4096
        self.split_blocks = split_blocks

    cdef int tokenize_run(
        self, TokenStream out, Py_ssize_t start, Py_ssize_t end, uint32_t* shift
    ) except -1 nogil:
        """Add the tokens of bytes start to end; shift: bytes minus UTF-16 units before start, then before end."""
        cdef Table classes = word_break_classes
        cdef const uint8_t* table = transitions
        cdef const uint8_t* rules = accepts
        cdef const uint8_t* data = out.data
        cdef uint32_t point, state, units, best_units, most = self.max_token_length
        cdef Py_ssize_t at = start, p, best
        cdef uint8_t rule
        cdef int n_bytes
        cdef Token* token
        while at < end:
            state = 1
            units = best_units = 0
            p = best = at
            rule = NO_RULE
            while p < end:
                n_bytes = decode_utf8(data + p, data + end, &point)
                state = table[state * CLASSES + look_up(classes, point)]
                units += units_of(n_bytes)
                if state == 0 or units > most:
                    break
                p += n_bytes
                if rules[state] != NO_RULE:
                    best, best_units, rule = p, units, rules[state]
            if best > at:
                token = out.append(<uint32_t>at, <uint32_t>(best - at))
                data = out.data
                token.start_offset = <uint32_t>at - shift[0]
                token.end_offset = token.start_offset + best_units
                token.type = rule
                shift[0] += <uint32_t>(best - at) - best_units
                at = best
            else:
                n_bytes = decode_utf8(data + at, data + end, &point)
                shift[0] += n_bytes - units_of(n_bytes)
                at += n_bytes
        return 0

    cdef int tokenize(self, const uint8_t* text, Py_ssize_t n, TokenStream out) except -1 nogil:
        """Fill out with the words of the text."""
        cdef uint8_t* data = out.take_text(text, n)
        cdef Classes block, following
        cdef uint64_t joining, special, run, starts, ends, seen
        cdef uint64_t joining_before = 0  # the last byte of the block before: its bits of joining, other, run
        cdef uint64_t other_before = 0
        cdef uint64_t running = 0
        cdef bint is_special = False  # the run has bytes that the automaton must see
        cdef Py_ssize_t base = 0, start = 0, end
        cdef uint32_t shift = 0
        cdef int first, last
        cdef Token* token
        if not self.split_blocks:
            self.tokenize_run(out, 0, n, &shift)
            out.end_offset = <uint32_t>n - shift
            return 0
        classify(data, &following)
        # the text is followed by zeros: at least one byte that is in no run ends the last run
        while base <= n:
            block = following
            if base + 64 <= n:
                classify(data + base + 64, &following)
            else:
                following.word = following.other = 0
            joining = block.word | block.other
            special = (
                block.other
                | (
                    block.middle
                    & (joining << 1 | joining_before)
                    & (joining >> 1 | (following.word | following.other) << 63)
                )
                | (block.quote & (block.other << 1 | other_before))
            )
            run = block.word | special
            starts = run & ~(run << 1 | running)
            ends = ~run & (run << 1 | running)
            joining_before = joining >> 63
            other_before = block.other >> 63
            first = 0
            token = out.reserve_tokens(33)
            while ends:
                last = count_trailing_zeros(ends)
                ends &= ends - 1
                if running:
                    running = 0
                else:
                    first = count_trailing_zeros(starts)
                    starts &= starts - 1
                    start = base + first
                end = base + last
                # bits first to last - 1 of this block belong to the run; none if it ended with the block before
                seen = special & ((<uint64_t>1 << last) - (<uint64_t>1 << first))
                first = last
                if seen or is_special or end - start > self.max_token_length:
                    is_special = False
                    if start > 0 and data[start] >= 128 and (data[start - 1] == 35 or data[start - 1] == 42):
                        start -= 1  # a key cap: # or * with marks
                    self.tokenize_run(out, start, end, &shift)
                    data = out.data
                    token = out.reserve_tokens(33)
                    continue
                token.start = <uint32_t>start
                token.length = <uint32_t>(end - start)
                token.start_offset = <uint32_t>start - shift
                token.end_offset = <uint32_t>end - shift
                token.increment = 1
                token.position_length = 1
                token.frequency = 1
                token.type = ALPHANUM
                token.keyword = 0
                token.payload = 0
                if data[start] <= 57 and all_digits(data + start, end - start):
                    token.type = NUM
                token += 1
                out.size += 1
            if starts:
                first = count_trailing_zeros(starts)
                start = base + first
                running = 1
            if running:
                is_special = is_special or (special >> first) != 0
            base += 64
        out.end_offset = <uint32_t>n - shift
        return 0
