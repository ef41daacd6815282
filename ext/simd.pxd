"""What simd.h offers: loops over one block of postings or one window of documents. Contracts stand there."""

from lanner.ext.types cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "simd.h" nogil:
    void unpack "lanner_unpack"(const uint8_t* src, int bits, uint32_t* out) noexcept
    void unpack_sums "lanner_unpack_sums"(const uint8_t* src, int bits, uint32_t base, uint32_t* out) noexcept
    void pack "lanner_pack"(const uint32_t* values, int bits, uint8_t* out) noexcept
    int width "lanner_width"(uint32_t all) noexcept
    void score_block "lanner_score"(
        const uint32_t* docs, const uint32_t* gaps, const uint8_t* norms, const float* inverse, float weight, int n,
        float* out) noexcept
    void impacts "lanner_impacts"(
        const uint32_t* docs, const uint32_t* rest, const uint8_t* norms, const float* inverse, int n, float* out) noexcept
    uint32_t gaps "lanner_gaps"(const uint32_t* docs, int n, uint32_t base, uint32_t* out) noexcept
    uint32_t any "lanner_any"(const uint32_t* values, int64_t n) noexcept
    uint64_t sum64 "lanner_sum64"(const uint32_t* values, int64_t n) noexcept
    bint ascend "lanner_ascend"(const uint32_t* docs, int64_t n) noexcept
    float max_float "lanner_max"(const float* values, int n) noexcept
    int keep "lanner_keep"(
        const uint32_t* docs, const float* scores, int n, float least, uint32_t* out_docs, float* out_scores) noexcept
    int gather "lanner_gather"(
        const float* scores, int n, float least, uint32_t base, uint32_t* out_docs, float* out_scores) noexcept
    int meet "lanner_meet"(const uint32_t* values, int m, const uint32_t* sorted, int n, uint8_t* mine, uint8_t* theirs) noexcept
    int meet16 "lanner_meet16"(
        const uint16_t* values, int m, const uint16_t* sorted, int n, uint8_t* mine, uint16_t* theirs) noexcept
    enum:
        ASCEND "LANNER_ASCEND"
        SMALL "LANNER_SMALL"
    int narrow "lanner_narrow"(const uint32_t* docs, const uint32_t* gaps, int n, uint16_t* lows, uint8_t* bytes) noexcept
    uint32_t sum8 "lanner_sum8"(const uint8_t* values, int n) noexcept
    uint32_t shifted_pairs "lanner_shifted_pairs"(
        const uint32_t* a, uint32_t n, const uint32_t* b, uint32_t m, uint32_t delta) noexcept
    void phrase_freqs "lanner_phrase_freqs"(
        const uint8_t* at_a, const uint8_t* at_b, int hits, const uint32_t* starts_a, const uint32_t* gaps_a, const uint32_t* all_a,
        const uint32_t* starts_b, const uint32_t* gaps_b, const uint32_t* all_b, uint32_t delta, uint32_t* freqs) noexcept
    int below "lanner_below"(const uint32_t* values, int n, uint32_t target) noexcept
    uint32_t sum "lanner_sum"(const uint32_t* values, int n) noexcept
    void some_sums "lanner_some_sums"(const uint8_t* src, int bits, int first, int n, uint32_t base, uint32_t* out) noexcept
    uint32_t extract "lanner_extract"(const uint8_t* src, int bits, int i) noexcept
    uint32_t tight_at "lanner_tight_at"(const uint8_t* src, int bits, uint64_t i) noexcept
    int64_t tight_size "lanner_tight_size"(uint64_t n, int bits) noexcept
    void tight_unpack "lanner_tight_unpack"(const uint8_t* src, int bits, int n, uint32_t* out) noexcept
    void tight_sums "lanner_tight_sums"(const uint8_t* src, int bits, int n, uint32_t base, uint32_t* out) noexcept
    void tight_pack "lanner_tight_pack"(const uint32_t* values, int bits, int64_t n, uint8_t* out) noexcept
    int64_t popcount "lanner_popcount"(const uint64_t* words, int64_t n) noexcept
    int64_t popcount_and "lanner_popcount_and"(const uint64_t* a, const uint64_t* b, int64_t n) noexcept
    void range8 "lanner_range8"(const uint8_t* values, int64_t n, uint64_t lo, uint64_t hi, uint64_t* out) noexcept
    void range16 "lanner_range16"(const uint16_t* values, int64_t n, uint64_t lo, uint64_t hi, uint64_t* out) noexcept
    void range32 "lanner_range32"(const uint32_t* values, int64_t n, uint64_t lo, uint64_t hi, uint64_t* out) noexcept
    void range64 "lanner_range64"(const uint64_t* values, int64_t n, uint64_t lo, uint64_t hi, uint64_t* out) noexcept

cdef extern from * nogil:
    """
    #define lanner_ctz(x) __builtin_ctzll(x)
    #define lanner_clz(x) __builtin_clzll(x)
    #define lanner_prefetch(p) __builtin_prefetch(p)
    """
    int ctz "lanner_ctz"(uint64_t x) noexcept
    int clz "lanner_clz"(uint64_t x) noexcept
    void prefetch "lanner_prefetch"(const void* p) noexcept
    bint likely "__builtin_expect"(bint condition, bint expected) noexcept
