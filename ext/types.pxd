"""The integer and float types of the kernels, and the constants that every module shares."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef uint32_t doc_t  # a document's number inside one segment
ctypedef uint32_t ord_t  # a term's rank in a sorted dictionary
ctypedef uint32_t freq_t  # occurrences of a term in a document
ctypedef float score_t  # sums are kept in doubles where order could show

cdef enum:
    BLOCK_SIZE = 128  # postings packed together
    WINDOW_SIZE = 2048  # documents that are matched and scored together
    WINDOW_WORDS = 32  # 64-bit words with one bit for each document of a window
    NO_MORE_DOCS = 0x7FFFFFFF
