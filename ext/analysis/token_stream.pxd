"""The tokens of one text, as analysis hands them to the inverter.

A TokenStream is filled by a tokenizer and then rewritten in place by one token filter after the other. Term
bytes lie in one growing buffer; a filter that changes a term appends the new bytes and moves the token there.
Offsets count UTF-16 code units of the original text, as the API reports them.

The stream is also the scratch memory of a chain: everything that analysis has to remember while it works on a
text lies here, so that one Chain serves many threads, each with a stream of its own.
"""

cimport cython

from lanner.ext.types cimport uint8_t, uint16_t, uint32_t

cdef enum:
    PADDING = 64  # bytes that may be read beyond data_size: block loads need no end check

# Token types, in the order of token_types in token_stream.pyx. The first eight are the rules of the word-break
# automaton (tables_generator.py).
cdef enum TokenType:
    EMOJI = 0
    NUM = 1
    HANGUL = 2
    KATAKANA = 3
    ALPHANUM = 4
    SOUTHEAST_ASIAN = 5
    IDEOGRAPHIC = 6
    HIRAGANA = 7
    WORD = 8

cdef struct Token:
    uint32_t start  # first byte of the term in TokenStream.data
    uint32_t length  # bytes of the term
    uint32_t start_offset  # UTF-16 units
    uint32_t end_offset
    uint32_t increment  # positions after the token before; 1 for the next word, 0 for the same place
    uint32_t position_length  # positions that the token spans in a graph; 1 outside graphs
    uint32_t frequency  # occurrences that the token stands for; 1 unless a filter says otherwise
    uint8_t type  # index into token_types
    uint8_t keyword  # 1 when stemmers must leave it alone
    uint16_t payload  # number in TokenStream.payloads; 0: none

@cython.final
cdef class TokenStream:
    cdef uint8_t* data  # UTF-8 bytes of the terms; PADDING bytes more than data_capacity are allocated
    cdef Py_ssize_t data_size
    cdef Py_ssize_t data_capacity
    cdef Token* tokens
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity
    cdef uint32_t trailing_increment  # positions removed after the last token (a stop word at the end)
    cdef uint32_t end_offset  # UTF-16 length of the text
    cdef Token* source  # what begin_rewrite moved out of tokens
    cdef Py_ssize_t source_size
    cdef Py_ssize_t source_capacity
    cdef list payloads  # bytes of payloads; the first stands for none
    cdef list filtered  # FilteredText of each char filter of the chain, in order

    cdef void clear(self) noexcept nogil
    # Room for n more bytes of terms at data + data_size; the caller then adds to data_size. Moves data.
    cdef uint8_t* reserve_data(self, Py_ssize_t n) except NULL nogil
    # Room for n more tokens at tokens + size. Moves tokens.
    cdef Token* reserve_tokens(self, Py_ssize_t n) except NULL nogil
    # A token after the last one, with the defaults of the struct (increment 1, type ALPHANUM).
    cdef Token* append(self, uint32_t start, uint32_t length) except NULL nogil
    # Make the text the first bytes of data, so that tokenizers point into it instead of copying terms.
    cdef uint8_t* take_text(self, const uint8_t* text, Py_ssize_t n) except NULL nogil
    # Give a token the n bytes that the caller has written at data + data_size (after reserve_data).
    cdef void move_term(self, Token* token, Py_ssize_t n) noexcept nogil
    # For filters that make several tokens of one: the tokens move to source, tokens is empty.
    cdef void begin_rewrite(self) noexcept nogil
    # Append a copy of a token (of source, say); copies share the bytes of their term.
    cdef Token* append_copy(self, const Token* token) except NULL nogil
