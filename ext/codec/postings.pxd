"""What postings look like in a segment; written by postings_writer, read by postings_reader.

Each term of a dictionary has one 64-bit entry:

    bit 63        one document, once: bits 0-31 its number, bits 32-61 the position
    bit 62        offset (bits 0-61) of a LongHeader, at 256 documents and more
    neither       offset of a short record

Short record: uint8 doc_freq, uint8 bound (as block_max below), then a tight run of n = doc_freq documents: uint16 widths
(gap_width | freq_width << 5 | position_width << 10), then gaps, freq - 1 and, with positions, position gaps (the first position
of a document is its own gap), each packed tightly: value i of `bits` bits stands at bit i * bits, and whole bytes are filled.

Long record, at a multiple of 16: LongHeader, then

    uint32 last[n_full]      last document of each full block of 128
    uint32 start[n_full+1]   where the packed block begins in the data; the last entry is the rest's
    uint32 before[n_full+1]  frequencies summed over all blocks before (only with positions)
    uint8  doc_width[n_full], freq_width[n_full]
    uint8  block_max[n_full+1], window_max[n_windows]
    data, at a multiple of 16: per block packed gaps, packed freq - 1; then the rest (less than 128), if any, as a tight run

block_max and window_max hold upper bounds of impacts in 255ths: the score of a posting at weight 1 under BM25 with the
segment's own average length (k1 1.2, b 0.75). seeds hold lower bounds: the k-th best impact for each k of SEED_RANKS.

Positions of a long record, in their own section at a multiple of 16: uint32 start[n] in units of 16 bytes, uint8 width[n],
then at a multiple of 16 the packed blocks of 128 position gaps (the first position of a document is its own gap).
A bitmap is a portable Roaring bitmap (RoaringFormatSpec) without run containers. OVERREAD zero bytes end the postings.
"""

from lanner.ext.types cimport uint8_t, uint32_t, uint64_t

cdef enum:
    LONG_FREQ = 256  # documents from which a record is long
    WINDOW_FREQ = 1024  # documents from which it has window_max in any case
    PER_WINDOW = 8  # documents per window of the segment from which it has one anyhow
    N_SEEDS = 8
    OVERREAD = 8  # bytes that reading a tightly packed value may touch beyond it
    FREQ_SHIFT = 5  # in the widths of a tight run
    POSITION_SHIFT = 10

cdef enum:
    SINGLE_SHIFT = 63
    LONG_SHIFT = 62

cdef struct LongHeader:
    uint32_t doc_freq
    uint32_t n_windows
    uint64_t total_term_freq
    uint64_t positions  # offset in the section of positions
    uint64_t bitmap  # offset in the section of bitmaps
    uint32_t bitmap_length  # 0: none
    uint32_t data_length  # bytes from the data to the end of the record
    float max_impact
    uint32_t padding
    float seeds[N_SEEDS]
