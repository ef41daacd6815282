"""The Porter stemmer, as Lucene's PorterStemFilter has it.

Source: M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980), with the author's later departures
(bli, logi). A word is an array of UTF-16 units: what is not a, e, i, o, u or a y after a consonant is a consonant.
"""

cimport cython
from libc.stdint cimport uint16_t
from libc.string cimport memcpy, strlen

from lanner.ext.analysis.chain cimport TokenFilter
from lanner.ext.analysis.token_stream cimport Token, TokenStream
from lanner.ext.analysis.utf8 cimport decode_utf8
from lanner.ext.types cimport uint8_t, uint32_t

cdef enum:
    TAIL = 16  # room for the longest suffix that is put in place of another

cdef struct Stem:
    uint16_t* units
    uint8_t* vowels  # 1 where the unit is a vowel
    int size  # units of the word as far as it stands
    int stem  # units before the suffix that ends_with found
    int changed  # units from here on differ from the word that was given


cdef void mark_vowels(Stem* word, int first) noexcept nogil:
    """Set vowels from unit first to the end."""
    cdef int i
    cdef uint16_t unit
    for i in range(first, word.size):
        unit = word.units[i]
        if unit == c"y":
            word.vowels[i] = 1 - word.vowels[i - 1] if i else 0
        else:
            word.vowels[i] = unit == c"a" or unit == c"e" or unit == c"i" or unit == c"o" or unit == c"u"


cdef bint ends_with(Stem* word, const char* suffix) noexcept nogil:
    """Does the word end so? If it does, stem is what stands before."""
    cdef int n = <int>strlen(suffix), first = word.size - n, i
    if first < 0:
        return False
    for i in range(n):
        if word.units[first + i] != <uint8_t>suffix[i]:
            return False
    word.stem = first
    return True


cdef int measure(const Stem* word, int size) noexcept nogil:
    """How often a vowel is followed by a consonant in the first units."""
    cdef int i, n = 0
    for i in range(1, size):
        n += word.vowels[i - 1] > word.vowels[i]
    return n


cdef bint has_vowel(const Stem* word) noexcept nogil:
    """Is there a vowel in the stem?"""
    cdef int i
    for i in range(word.stem):
        if word.vowels[i]:
            return True
    return False


cdef bint ends_double(const Stem* word) noexcept nogil:
    """Does the word end in the same consonant twice?"""
    cdef int n = word.size
    return n >= 2 and word.units[n - 1] == word.units[n - 2] and not word.vowels[n - 1]


cdef bint ends_short(const Stem* word, int size) noexcept nogil:
    """Do the first units end in consonant, vowel, consonant, the last one not w, x or y?"""
    cdef uint16_t last
    if size < 3 or word.vowels[size - 1] or not word.vowels[size - 2] or word.vowels[size - 3]:
        return False
    last = word.units[size - 1]
    return last != c"w" and last != c"x" and last != c"y"


cdef void put(Stem* word, const char* suffix) noexcept nogil:
    """Write a suffix after the stem; the word never gets longer than it was given."""
    cdef int n = <int>strlen(suffix), i
    for i in range(n):
        word.units[word.stem + i] = <uint8_t>suffix[i]
    word.size = word.stem + n
    word.changed = min(word.changed, word.stem)
    mark_vowels(word, word.stem)


cdef bint replace(Stem* word, const char* suffix, const char* by) noexcept nogil:
    """If the word ends so, put another suffix there when the stem has a measure; return whether it does."""
    if not ends_with(word, suffix):
        return False
    if measure(word, word.stem) > 0:
        put(word, by)
    return True


cdef void plurals(Stem* word) noexcept nogil:
    """Step 1: -s, -ed, -ing and -y."""
    cdef uint16_t last
    if word.units[word.size - 1] == c"s":
        if ends_with(word, b"sses"):
            word.size -= 2
        elif ends_with(word, b"ies"):
            put(word, b"i")
        elif word.units[word.size - 2] != c"s":
            word.size -= 1
    if ends_with(word, b"eed"):
        if measure(word, word.stem) > 0:
            word.size -= 1
    elif (ends_with(word, b"ed") or ends_with(word, b"ing")) and has_vowel(word):
        word.size = word.stem
        if ends_with(word, b"at"):
            put(word, b"ate")
        elif ends_with(word, b"bl"):
            put(word, b"ble")
        elif ends_with(word, b"iz"):
            put(word, b"ize")
        elif ends_double(word):
            last = word.units[word.size - 1]
            if last != c"l" and last != c"s" and last != c"z":
                word.size -= 1
        elif measure(word, word.stem) == 1 and ends_short(word, word.size):
            word.stem = word.size
            put(word, b"e")
    if ends_with(word, b"y") and has_vowel(word):
        put(word, b"i")


cdef void double_suffixes(Stem* word) noexcept nogil:
    """Step 2: of the suffixes that end so, the first that fits."""
    cdef uint16_t letter
    if word.size < 2:
        return
    letter = word.units[word.size - 2]
    if letter == c"a":
        replace(word, b"ational", b"ate") or replace(word, b"tional", b"tion")
    elif letter == c"c":
        replace(word, b"enci", b"ence") or replace(word, b"anci", b"ance")
    elif letter == c"e":
        replace(word, b"izer", b"ize")
    elif letter == c"l":
        (
            replace(word, b"bli", b"ble") or replace(word, b"alli", b"al") or replace(word, b"entli", b"ent")
            or replace(word, b"eli", b"e") or replace(word, b"ousli", b"ous")
        )
    elif letter == c"o":
        replace(word, b"ization", b"ize") or replace(word, b"ation", b"ate") or replace(word, b"ator", b"ate")
    elif letter == c"s":
        (
            replace(word, b"alism", b"al") or replace(word, b"iveness", b"ive")
            or replace(word, b"fulness", b"ful") or replace(word, b"ousness", b"ous")
        )
    elif letter == c"t":
        replace(word, b"aliti", b"al") or replace(word, b"iviti", b"ive") or replace(word, b"biliti", b"ble")
    elif letter == c"g":
        replace(word, b"logi", b"log")


cdef void late_suffixes(Stem* word) noexcept nogil:
    """Step 3: -ic-, -ful, -ness and their like."""
    cdef uint16_t letter = word.units[word.size - 1]
    if letter == c"e":
        replace(word, b"icate", b"ic") or replace(word, b"ative", b"") or replace(word, b"alize", b"al")
    elif letter == c"i":
        replace(word, b"iciti", b"ic")
    elif letter == c"l":
        replace(word, b"ical", b"ic") or replace(word, b"ful", b"")
    elif letter == c"s":
        replace(word, b"ness", b"")


cdef bint ends_last(Stem* word) noexcept nogil:
    """Does the word end in a suffix of step 4?"""
    cdef uint16_t letter
    if word.size < 2:
        return False
    letter = word.units[word.size - 2]
    if letter == c"a":
        return ends_with(word, b"al")
    if letter == c"c":
        return ends_with(word, b"ance") or ends_with(word, b"ence")
    if letter == c"e":
        return ends_with(word, b"er")
    if letter == c"i":
        return ends_with(word, b"ic")
    if letter == c"l":
        return ends_with(word, b"able") or ends_with(word, b"ible")
    if letter == c"n":
        return (
            ends_with(word, b"ant") or ends_with(word, b"ement") or ends_with(word, b"ment")
            or ends_with(word, b"ent")
        )
    if letter == c"o":
        if ends_with(word, b"ion") and word.stem > 0:
            return word.units[word.stem - 1] == c"s" or word.units[word.stem - 1] == c"t"
        return ends_with(word, b"ou")
    if letter == c"s":
        return ends_with(word, b"ism")
    if letter == c"t":
        return ends_with(word, b"ate") or ends_with(word, b"iti")
    if letter == c"u":
        return ends_with(word, b"ous")
    if letter == c"v":
        return ends_with(word, b"ive")
    return letter == c"z" and ends_with(word, b"ize")


cdef void final_letters(Stem* word) noexcept nogil:
    """Step 5: a last -e, and -ll to -l."""
    cdef int n
    cdef int whole = word.size  # the measure looks at the word as it came here
    if word.units[whole - 1] == c"e":
        n = measure(word, whole)
        if n > 1 or (n == 1 and not ends_short(word, whole - 1)):
            word.size -= 1
    if word.size and word.units[word.size - 1] == c"l" and ends_double(word) and measure(word, whole) > 1:
        word.size -= 1


cdef void stem(Stem* word) noexcept nogil:
    """Take the suffixes off."""
    if word.size <= 2:
        return
    mark_vowels(word, 0)
    plurals(word)
    double_suffixes(word)
    late_suffixes(word)
    if ends_last(word) and measure(word, word.stem) > 1:
        word.size = word.stem
    final_letters(word)


cdef int stem_term(TokenStream stream, Token* token) except -1 nogil:
    """Stem a term: cut it where it only got shorter, else write the new one."""
    cdef Stem word
    cdef Py_ssize_t n = token.length, kept
    cdef uint8_t* scratch = stream.reserve_data(4 * n + 8)  # units, then vowels; then the new term in their place
    cdef const uint8_t* src = stream.data + token.start
    cdef const uint8_t* end = src + n
    cdef uint32_t point
    cdef int i, size = 0, same
    cdef uint8_t tail[TAIL]
    # to an even address
    word.units = <uint16_t*>(scratch + (<size_t>scratch & 1))
    word.vowels = <uint8_t*>(word.units + n)
    while src < end:
        if src[0] < 128:
            word.units[size] = src[0]
            src += 1
        else:
            src += decode_utf8(src, end, &point)
            if point >= 0x10000:
                word.units[size] = <uint16_t>(0xD7C0 + (point >> 10))
                size += 1
                point = 0xDC00 | (point & 0x3FF)
            word.units[size] = <uint16_t>point
        size += 1
    word.size = word.stem = word.changed = size
    stem(&word)
    # bytes of the units that did not change: a cut or a change never parts a character
    src = stream.data + token.start
    same = min(word.size, word.changed)
    i = 0
    while i < same and src < end:
        if src[0] < 128:
            src += 1
        else:
            src += decode_utf8(src, end, &point)
            i += point >= 0x10000
        i += 1
    kept = src - (stream.data + token.start)
    if word.size == same:
        token.length = <uint32_t>kept
        return 0
    # what changed is ASCII and short; it leaves the scratch space before that is written over
    n = word.size - same
    assert n <= TAIL
    for i in range(<int>n):
        tail[i] = <uint8_t>word.units[same + i]
    memcpy(scratch, stream.data + token.start, kept)
    memcpy(scratch + kept, tail, n)
    stream.move_term(token, kept + n)
    return 0


@cython.final
cdef class PorterStemFilter(TokenFilter):
    """Stems English words; keywords stay."""

    def __cinit__(self):
        self.marks_keywords = True

    cdef int apply(self, TokenStream stream) except -1 nogil:
        cdef Py_ssize_t i
        for i in range(stream.size):
            # words of up to two bytes stay as they are
            if not stream.tokens[i].keyword and stream.tokens[i].length > 2:
                stem_term(stream, stream.tokens + i)
        return 0
