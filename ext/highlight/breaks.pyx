"""Where sentences and words end, as Java's ``BreakIterator`` of the root locale tells it (see breaks.pxd).

The rules were found by asking Java about random texts: pieces of words agree on all of them, sentences but for oddities around full
stops with no blank behind. tests/oracle/breaks.py has the same rules as regular expressions.
"""

import unicodedata

from cpython.unicode cimport Py_UNICODE_ISALNUM, Py_UNICODE_ISDECIMAL, Py_UNICODE_ISSPACE
from libc.stdlib cimport free, realloc

from lanner.ext.types cimport uint32_t

cdef extern from "Python.h":
    const void* PyUnicode_DATA(object)
    int PyUnicode_KIND(object)
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    uint32_t PyUnicode_READ(int kind, const void* data, Py_ssize_t index) nogil

cdef enum:
    BMP = 0x10000
    ASCII = 128
    NEAR = 256  # characters looked back at for a blank before a word
    # of sentences
    SPACE = 1
    OPENING = 1 << 1
    CLOSING = 1 << 2
    CERTAIN = 1 << 3  # ends a sentence whatever follows
    STOP = 1 << 4  # ends one if what follows looks like the next one
    PARAGRAPH = 1 << 5
    DANDA = 1 << 6
    COMMA = 1 << 7
    LOWER = 1 << 8
    ALNUM = 1 << 9  # what regular expressions call a word character
    DECIMAL = 1 << 10
    # of words
    LETTER = 1 << 11
    DIGIT = 1 << 12
    MARK = 1 << 13  # belongs to the character before it
    IN_WORD = 1 << 14
    IN_NUMBER = 1 << 15
    BEFORE_NUMBER = 1 << 16
    AFTER_NUMBER = 1 << 17
    BLANK = 1 << 18
    NEWLINE = 1 << 19
    RETURN = 1 << 20
    HIRAGANA = 1 << 21
    KATAKANA = 1 << 22
    KANJI = 1 << 23
    ENDS = CERTAIN | STOP | PARAGRAPH | DANDA

cdef uint32_t classes[BMP]
cdef bint all_classes = False  # not only those of ASCII

cdef dict OF_CATEGORY = {
    "Ll": LOWER, "Ps": OPENING, "Pi": OPENING, "Pe": CLOSING, "Pf": CLOSING, "Zs": SPACE | BLANK, "Mn": MARK, "Me": MARK, "Cf": MARK,
    "Mc": LETTER, "Nd": DIGIT, "Nl": DIGIT, "No": DIGIT, "Pd": IN_WORD, "Pc": IN_WORD, "Sc": BEFORE_NUMBER,
}
cdef dict OF_CHARS = {
    "\t\n\f\r\u2028": SPACE, "\"'": OPENING | CLOSING | IN_WORD | IN_NUMBER, "!?\u3002\uff01\uff1f": CERTAIN, ".\uff0e": STOP,
    "\u2029": PARAGRAPH, "\u0964\u0965": DANDA, ",": COMMA | IN_NUMBER, ".": IN_WORD | IN_NUMBER | BEFORE_NUMBER, "#": BEFORE_NUMBER,
    "\u00ad\u2027": IN_WORD, "\u066b": IN_NUMBER, "\u00a2%&\u2030\u2031\u066a": AFTER_NUMBER, "\t": BLANK,
    "\n\f\u2028\u2029": NEWLINE, "\r": RETURN, "\u30fc": HIRAGANA | KATAKANA,
}
cdef list OF_RANGES = [
    (0x3041, 0x3094, HIRAGANA), (0x309D, 0x309E, HIRAGANA), (0x30A1, 0x30FA, KATAKANA), (0x30FD, 0x30FE, KATAKANA),
    (0x3005, 0x3005, KANJI), (0x3400, 0x4DBF, KANJI), (0x4E00, 0x9FFF, KANJI), (0xF900, 0xFAFF, KANJI),
]


cdef uint32_t word_class(uint32_t c):
    """Bits that regular expressions have their own words for."""
    cdef uint32_t found = 0
    if Py_UNICODE_ISDECIMAL(c):
        found |= DECIMAL
    if c == b"_" or Py_UNICODE_ISALNUM(c):
        found |= ALNUM
        if c != b"_" and not found & DECIMAL:
            found |= LETTER
    return found


cdef int fill_classes(uint32_t first, uint32_t end) except -1:
    """Find the classes of some characters."""
    cdef uint32_t c, lo, hi, bits
    for c in range(first, end):
        classes[c] = word_class(c) | <uint32_t>OF_CATEGORY.get(unicodedata.category(chr(c)), 0)
    for chars, kinds in OF_CHARS.items():
        for char in chars:
            if first <= ord(char) < end:
                classes[<uint32_t>ord(char)] |= <uint32_t>kinds
    if first <= 0xA2 < end:
        classes[0xA2] &= ~<uint32_t>BEFORE_NUMBER  # a cent stands behind its number
    for lo, hi, bits in OF_RANGES:
        for c in range(max(lo, first), min(hi + 1, end)):
            classes[c] |= bits
    for c in range(first, end):
        if classes[c] & (HIRAGANA | KATAKANA | KANJI):
            classes[c] &= ~<uint32_t>LETTER
    return 0


fill_classes(0, ASCII)


cdef Text text_of(str given):
    """What a text consists of; the classes of its characters are known from here on."""
    global all_classes
    cdef Text text
    text.data = PyUnicode_DATA(given)
    text.kind = PyUnicode_KIND(given)
    text.length = PyUnicode_GET_LENGTH(given)
    if not all_classes and not given.isascii():
        fill_classes(ASCII, BMP)
        all_classes = True
    return text


cdef inline uint32_t class_at(const Text* text, Py_ssize_t at):
    """The class of a character; behind the end there is none."""
    cdef uint32_t c
    if at >= text.length:
        return 0
    c = PyUnicode_READ(text.kind, text.data, at)
    return classes[c] if c < BMP else word_class(c)


cdef inline Py_ssize_t skip(const Text* text, Py_ssize_t at, uint32_t kinds):
    """Where characters of some kinds end."""
    while class_at(text, at) & kinds:
        at += 1
    return at


# ---- lists of boundaries ----

cdef int note(Listed* found, Py_ssize_t at) except -1:
    cdef Py_ssize_t capacity
    cdef void* moved
    if found.size == found.capacity:
        capacity = found.capacity * 2 + 16
        moved = realloc(found.at, capacity * sizeof(Py_ssize_t))
        if moved == NULL:
            raise MemoryError()
        found.at = <Py_ssize_t*>moved
        found.capacity = capacity
    found.at[found.size] = at
    found.size += 1
    return 0


cdef Py_ssize_t n_up_to(const Listed* found, Py_ssize_t offset):
    """How many boundaries are not behind an offset."""
    cdef Py_ssize_t lo = 0, hi = found.size, mid
    while lo < hi:
        mid = (lo + hi) >> 1
        if found.at[mid] <= offset:
            lo = mid + 1
        else:
            hi = mid
    return lo


cdef Py_ssize_t listed_before(const Listed* found, Py_ssize_t offset):
    cdef Py_ssize_t n = n_up_to(found, offset - 1)
    return found.at[n - 1] if n else <Py_ssize_t>DONE


cdef Py_ssize_t listed_after(const Listed* found, Py_ssize_t offset):
    cdef Py_ssize_t n = n_up_to(found, offset)
    return found.at[n] if n < found.size else <Py_ssize_t>DONE


cdef class Breaks:
    cdef Py_ssize_t before(self, Py_ssize_t offset) except -2:
        raise NotImplementedError(type(self).__name__)

    cdef Py_ssize_t after(self, Py_ssize_t offset) except -2:
        raise NotImplementedError(type(self).__name__)

    def preceding(self, Py_ssize_t offset):
        """Return the last boundary before an offset, -1 if there is none."""
        return self.before(offset)

    def following(self, Py_ssize_t offset):
        """Return the first boundary after an offset, -1 if there is none."""
        return self.after(offset)


cdef class WholeText(Breaks):
    """No boundaries inside."""

    def __cinit__(self, str text not None):
        self.length = len(text)

    cdef Py_ssize_t before(self, Py_ssize_t offset) except -2:
        return 0 if offset > 0 else <Py_ssize_t>DONE

    cdef Py_ssize_t after(self, Py_ssize_t offset) except -2:
        return self.length if offset < self.length else <Py_ssize_t>DONE


# ---- sentences ----

cdef bint opens(const Text* text, Py_ssize_t at):
    """Does a sentence begin here, perhaps behind brackets and other signs?"""
    cdef Py_ssize_t first = at
    cdef uint32_t c
    while at < text.length:
        c = class_at(text, at)
        if not c & OPENING and c & (ALNUM | COMMA | CLOSING | CERTAIN | STOP | SPACE):
            return at > first and not c & (SPACE | CLOSING | CERTAIN | STOP)
        at += 1
    return False


cdef Py_ssize_t end_of_sentence(const Text* text, Py_ssize_t at, Py_ssize_t* end):
    """Return where to look on behind a character that may end a sentence, and in end where the sentence ends, or DONE."""
    cdef uint32_t c = class_at(text, at)
    cdef Py_ssize_t behind, blanks
    at += 1
    end[0] = DONE
    if c & PARAGRAPH:
        end[0] = at
        return at
    if not c & DANDA:
        at = skip(text, at, CERTAIN | STOP | CLOSING)
    behind = skip(text, at, SPACE)
    if not c & STOP:
        end[0] = behind + ((class_at(text, behind) & PARAGRAPH) != 0)
        return end[0]
    blanks = behind - at
    if behind == text.length:
        end[0] = behind
    elif class_at(text, behind) & PARAGRAPH:
        end[0] = behind + 1
    elif blanks > 1:
        if not class_at(text, behind) & (STOP | DIGIT):
            end[0] = behind
    elif opens(text, behind):
        end[0] = behind
    elif blanks:
        c = class_at(text, behind)
        if c & ALNUM and not c & (DECIMAL | LOWER):
            end[0] = behind
    return end[0] if end[0] != DONE else at


cdef class SentenceBreaks(Breaks):
    """The ends of sentences, looked for no further than they are asked for."""

    def __cinit__(self, str text not None):
        self.given = text
        self.text = text_of(text)
        note(&self.found, 0)

    def __dealloc__(self):
        free(self.found.at)

    cdef int reach(self, Py_ssize_t offset) except -1:
        """Find the boundaries up to one that is behind an offset."""
        cdef Py_ssize_t end, length = self.text.length
        while self.found.at[self.found.size - 1] <= offset and self.found.at[self.found.size - 1] < length:
            while self.scanned < length and not class_at(&self.text, self.scanned) & ENDS:
                self.scanned += 1
            if self.scanned == length:
                end = length
            else:
                self.scanned = end_of_sentence(&self.text, self.scanned, &end)
            if end != DONE:
                note(&self.found, end)
        return 0

    cdef Py_ssize_t before(self, Py_ssize_t offset) except -2:
        self.reach(offset - 1)
        return listed_before(&self.found, offset)

    cdef Py_ssize_t after(self, Py_ssize_t offset) except -2:
        self.reach(offset)
        return listed_after(&self.found, offset)


# ---- words ----

cdef Py_ssize_t run(const Text* text, Py_ssize_t at, uint32_t kind):
    """Where characters of a kind, each with its marks, end."""
    while class_at(text, at) & kind:
        at = skip(text, at + 1, MARK)
    return at


cdef Py_ssize_t joined(const Text* text, Py_ssize_t at, uint32_t kind, uint32_t joint):
    """Where runs of a kind end, one joint between two."""
    cdef Py_ssize_t end = run(text, at, kind), next_run
    while end > at and class_at(text, end) & joint:
        next_run = skip(text, end + 1, MARK)
        at = end
        end = run(text, next_run, kind)
        if end == next_run:
            return at
    return end


cdef inline Py_ssize_t word(const Text* text, Py_ssize_t at):
    return joined(text, at, LETTER, IN_WORD)


cdef inline Py_ssize_t number(const Text* text, Py_ssize_t at):
    return joined(text, at, DIGIT, IN_NUMBER)


cdef Py_ssize_t end_of_piece(const Text* text, Py_ssize_t at):
    """Return where the piece of a text that begins here ends: a word, a number, blanks, a single character."""
    cdef uint32_t c = class_at(text, at)
    cdef Py_ssize_t start = skip(text, at + 1, MARK) if c & BEFORE_NUMBER else at
    cdef Py_ssize_t end = number(text, start), between
    if end > start:
        while (between := word(text, end)) > end:
            end = number(text, between)
            if end == between:
                return between
        return skip(text, end + 1, MARK) if class_at(text, end) & AFTER_NUMBER else end
    end = word(text, at)
    if end > at:
        while (between := number(text, end)) > end:
            end = word(text, between)
            if end == between:
                return skip(text, end + 1, MARK) if class_at(text, end) & AFTER_NUMBER else end
        return end
    if c & (HIRAGANA | KATAKANA | KANJI):
        return run(text, at, HIRAGANA if c & HIRAGANA else KATAKANA if c & KATAKANA else KANJI)
    end = skip(text, at, BLANK)
    if class_at(text, end) & RETURN:
        return end + 1 + ((class_at(text, end + 1) & NEWLINE) != 0)
    if class_at(text, end) & NEWLINE:
        return end + 1
    return end if end > at else skip(text, at + 1, MARK)


cdef class WordBreaks(Breaks):
    """Boundaries of words, found where they are asked for: a word begins anew behind every blank."""

    def __cinit__(self, str text not None):
        self.given = text
        self.text = text_of(text)

    def __dealloc__(self):
        free(self.every.at)

    cdef Py_ssize_t near(self, Py_ssize_t offset):
        """Return a boundary before an offset, close to it; DONE if the whole text has to be looked at."""
        cdef Py_ssize_t at = min(offset - 1, self.text.length), least = max(0, offset - NEAR)
        while at > least and PyUnicode_READ(self.text.kind, self.text.data, at - 1) != b" ":
            at -= 1
        while at > least and Py_UNICODE_ISSPACE(PyUnicode_READ(self.text.kind, self.text.data, at - 1)):
            at -= 1
        return at if at > least else 0 if least == 0 else <Py_ssize_t>DONE

    cdef int list_every(self) except -1:
        cdef Py_ssize_t at = 0
        note(&self.every, 0)
        while at < self.text.length:
            at = end_of_piece(&self.text, at)
            note(&self.every, at)
        return 0

    cdef Py_ssize_t before(self, Py_ssize_t offset) except -2:
        cdef Py_ssize_t at = self.near(offset) if self.every.size == 0 else <Py_ssize_t>DONE, end
        if at == DONE:
            if self.every.size == 0:
                self.list_every()
            return listed_before(&self.every, offset)
        if at >= offset:
            return DONE
        while at < self.text.length:
            end = end_of_piece(&self.text, at)
            if end >= offset:
                break
            at = end
        return at

    cdef Py_ssize_t after(self, Py_ssize_t offset) except -2:
        cdef Py_ssize_t at = self.near(offset) if self.every.size == 0 else <Py_ssize_t>DONE
        if at == DONE:
            if self.every.size == 0:
                self.list_every()
            return listed_after(&self.every, offset)
        while at < self.text.length:
            at = end_of_piece(&self.text, at)
            if at > offset:
                return at
        return DONE


cdef class BoundedSentences(Breaks):
    def __cinit__(self, str text not None, Py_ssize_t most):
        self.sentences = SentenceBreaks(text)
        self.words = WordBreaks(text)
        self.most = most
        self.start = self.end = self.inner_start = -1

    cdef Py_ssize_t before(self, Py_ssize_t offset) except -2:
        cdef Py_ssize_t further, goal
        if self.start < offset < self.end:
            self.inner_start = self.inner_end
            self.inner_end = self.end
        else:
            self.start = self.inner_start = self.sentences.before(offset)
            self.end = self.inner_end = self.sentences.after(offset - 1)
            while self.inner_end - self.inner_start < self.most:
                further = self.sentences.after(self.inner_end)
                if further == DONE or further - self.inner_start > self.most:
                    break
                self.end = self.inner_end = further
        if self.inner_end - self.inner_start > self.most:
            if offset - self.most > self.inner_start:
                self.inner_start = max(self.inner_start, self.words.before(offset - self.most))
            goal = max(offset, self.inner_start + self.most)
            if goal < self.end:
                self.inner_end = min(self.end, self.words.after(goal))
        return self.inner_start

    cdef Py_ssize_t after(self, Py_ssize_t offset) except -2:
        return self.inner_end
