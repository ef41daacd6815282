/* Loops over one block or one window, in C because they need what Cython has no words for: widths known at compile
 * time, vector types, and one copy of the code for each generation of processor (the dynamic linker picks one).
 * Every function works on plain arrays, allocates nothing and reads or writes nothing outside the sizes it names.
 *
 * Layout of a packed block: 128 integers of `bits` bits, four interleaved lanes of 32; word w of lane l stands at
 * 4 * w + l, value i belongs to lane i % 4 (vertical layout of SIMD-BP128: Lemire and Boytsov, "Decoding billions of
 * integers per second through vectorization", 2015).
 */
#ifndef LANNER_SIMD_H
#define LANNER_SIMD_H

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) \
    && !defined(__SANITIZE_ADDRESS__)
#define LANNER_WIDE 1
#define LANNER_CLONES __attribute__((unused, noinline, target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define LANNER_CLONES __attribute__((unused, noinline))
#endif
#define LANNER_INLINE static inline __attribute__((always_inline, unused))

typedef uint32_t lanner_vec __attribute__((vector_size(16), aligned(4), may_alias));

LANNER_INLINE void lanner_unpack_width(const uint8_t *src, const int bits, uint32_t *out) {
    const uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
#pragma GCC unroll 32
    for (int i = 0; i < 32; i++) {
        const int at = i * bits, word = at >> 5, shift = at & 31;
        lanner_vec x;
        memcpy(&x, src + 16 * word, 16);
        x >>= shift;
        if (shift + bits > 32) {
            lanner_vec y;
            memcpy(&y, src + 16 * word + 16, 16);
            x |= y << (32 - shift);
        }
        x &= mask;
        memcpy(out + 4 * i, &x, 16);
    }
}

#define LANNER_UNPACK_WIDTH(b) case b: lanner_unpack_width(src, b, out); break;
#define LANNER_WIDTHS(each) \
    each(1) each(2) each(3) each(4) each(5) each(6) each(7) each(8) each(9) each(10) each(11) each(12) each(13) each(14) each(15) \
    each(16) each(17) each(18) each(19) each(20) each(21) each(22) each(23) each(24) each(25) each(26) each(27) each(28) each(29) \
    each(30) each(31) each(32)

/* Read 16 * bits bytes of src, write 128 integers. */
static LANNER_CLONES void lanner_unpack_plain(const uint8_t *src, int bits, uint32_t *out) {
    switch (bits) {
        LANNER_WIDTHS(LANNER_UNPACK_WIDTH)
        default: memset(out, 0, 512);
    }
}

/* As lanner_unpack, then turn gaps into sums that start at base. */
static LANNER_CLONES void lanner_unpack_sums_plain(const uint8_t *src, int bits, uint32_t base, uint32_t *out) {
    switch (bits) {
        LANNER_WIDTHS(LANNER_UNPACK_WIDTH)
        default: memset(out, 0, 512);
    }
    const lanner_vec zero = {0, 0, 0, 0};
    lanner_vec carry = {base, base, base, base};
    for (int i = 0; i < 32; i++) {
        lanner_vec x;
        memcpy(&x, out + 4 * i, 16);
        x += __builtin_shuffle(x, zero, (lanner_vec){4, 0, 1, 2});
        x += __builtin_shuffle(x, zero, (lanner_vec){4, 4, 0, 1});
        x += carry;
        memcpy(out + 4 * i, &x, 16);
        carry = __builtin_shuffle(x, (lanner_vec){3, 3, 3, 3});
    }
}

LANNER_INLINE void lanner_pack_width(const uint32_t *values, const int bits, uint8_t *out) {
    lanner_vec word = {0, 0, 0, 0};
#pragma GCC unroll 32
    for (int i = 0; i < 32; i++) {
        const int at = i * bits, shift = at & 31;
        lanner_vec x;
        memcpy(&x, values + 4 * i, 16);
        word |= x << shift;
        if (shift + bits >= 32) {
            memcpy(out + 16 * (at >> 5), &word, 16);
            word = shift + bits > 32 ? x >> ((32 - shift) & 31) : (lanner_vec){0, 0, 0, 0};
        }
    }
}
#define LANNER_PACK_WIDTH(b) case b: lanner_pack_width(values, b, out); break;

/* Write 16 * bits bytes; values must fit. */
static LANNER_CLONES void lanner_pack(const uint32_t *values, int bits, uint8_t *out) {
    switch (bits) {
        LANNER_WIDTHS(LANNER_PACK_WIDTH)
    }
}

LANNER_INLINE int lanner_width(uint32_t all) { return all ? 32 - __builtin_clz(all) : 0; }

/* BM25 as Lucene computes it: w - w / (1 + freq * inverse[norm]); gaps holds freq - 1. n <= 128, gaps and out hold a multiple of 16. */
static LANNER_CLONES void lanner_score(const uint32_t *docs, const uint32_t *gaps, const uint8_t *norms,
                                       const float *inverse, float weight, int n, float *out) {
    float inv[128];
    const int whole = (n + 15) & ~15;
    for (int i = 0; i < n; i++) inv[i] = inverse[norms[docs[i]]];
    for (int i = n; i < whole; i++) inv[i] = 0;
    for (int i = 0; i < whole; i++) out[i] = weight - weight / (1.0f + ((float)(int32_t)gaps[i] + 1.0f) * inv[i]);
}

/* Impacts (postings.pxd): 1 - 1 / (1 + freq * inverse[norm]); rest holds freq - 1, or is NULL for zeros, norms may be NULL for ones.
 * n <= 128. The product is stored first, lest a processor that multiplies and adds at once write other bytes. */
static LANNER_CLONES void lanner_impacts(const uint32_t *docs, const uint32_t *rest, const uint8_t *norms,
                                         const float *inverse, int n, float *out) {
    float x[128];
    for (int i = 0; i < n; i++) x[i] = inverse[norms ? norms[docs[i]] : 1];
    if (rest)
        for (int i = 0; i < n; i++) x[i] = (float)(int32_t)(rest[i] + 1) * x[i];
    __asm__ volatile("" : : "r"(x) : "memory");
    for (int i = 0; i < n; i++) out[i] = 1.0f - 1.0f / (1.0f + x[i]);
}

/* The gaps between n documents, the first from base; all of them or-ed. */
static LANNER_CLONES uint32_t lanner_gaps(const uint32_t *docs, int n, uint32_t base, uint32_t *out) {
    uint32_t all = docs[0] - base;
    out[0] = all;
    for (int i = 1; i < n; i++) {
        out[i] = docs[i] - docs[i - 1];
        all |= out[i];
    }
    return all;
}

/* n numbers or-ed. */
static LANNER_CLONES uint32_t lanner_any(const uint32_t *values, int64_t n) {
    uint32_t all = 0;
    for (int64_t i = 0; i < n; i++) all |= values[i];
    return all;
}

/* Sum of n numbers. */
static LANNER_CLONES uint64_t lanner_sum64(const uint32_t *values, int64_t n) {
    uint64_t total = 0;
    for (int64_t i = 0; i < n; i++) total += values[i];
    return total;
}

/* Whether each of n documents is greater than the one before. */
static LANNER_CLONES int lanner_ascend(const uint32_t *docs, int64_t n) {
    uint32_t falls = 0;
    for (int64_t i = 1; i < n; i++) falls |= docs[i] <= docs[i - 1];
    return !falls;
}

static LANNER_CLONES float lanner_max(const float *values, int n) {
    float m = 0;
    for (int i = 0; i < n; i++) m = values[i] > m ? values[i] : m;
    return m;
}

/* Keep the pairs whose score is at least least; out may be the input. Return how many. The arrays behind out have room for 16 more. */
static LANNER_CLONES int lanner_keep_plain(const uint32_t *docs, const float *scores, int n, float least,
                                     uint32_t *out_docs, float *out_scores) {
    int m = 0;
    for (int i = 0; i < n; i++) {
        const uint32_t d = docs[i];
        const float s = scores[i];
        out_docs[m] = d;
        out_scores[m] = s;
        m += s >= least;
    }
    return m;
}

/* Cells of a window of n (a multiple of 16) whose score is at least least, as documents base + i; room as above. */
static LANNER_CLONES int lanner_gather_plain(const float *scores, int n, float least, uint32_t base,
                                       uint32_t *out_docs, float *out_scores) {
    int m = 0;
    for (int i = 0; i < n; i += 16) {
        int any = 0;
        for (int j = 0; j < 16; j++) any |= scores[i + j] >= least;
        if (any)
            for (int j = 0; j < 16; j++) {
                out_docs[m] = base + i + j;
                out_scores[m] = scores[i + j];
                m += scores[i + j] >= least;
            }
    }
    return m;
}

/* How many pairs there are with a[i] + delta = b[j], modulo 2^32; b - b[0] ascends, and so does a - a[0]. Both are
 * walked; vectors compare all pairs, up to a few thousand. */
#define LANNER_FEW_PAIRS 4096
__attribute__((unused)) static uint32_t lanner_shifted_pairs_plain(
    const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t delta) {
    uint32_t i = 0, j = 0, pairs = 0;
    while (i < n && j < m) {
        const int32_t order = (int32_t)(a[i] + delta - b[j]);
        pairs += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    return pairs;
}

/* Sum of n numbers. */
__attribute__((unused)) static uint32_t lanner_sum_plain(const uint32_t *values, int n) {
    uint32_t total = 0;
    for (int i = 0; i < n; i++) total += values[i];
    return total;
}

/* Value i of a packed block, without unpacking the others. */
LANNER_INLINE uint32_t lanner_extract(const uint8_t *src, int bits, int i) {
    if (bits == 0) return 0;
    const int at = (i >> 2) * bits, word = at >> 5, shift = at & 31;
    uint32_t x, y;
    memcpy(&x, src + 16 * word + 4 * (i & 3), 4);
    x >>= shift;
    if (shift + bits > 32) {
        memcpy(&y, src + 16 * word + 16 + 4 * (i & 3), 4);
        x |= y << (32 - shift);
    }
    return bits == 32 ? x : x & ((1u << bits) - 1);
}
/* The running sums, on from base, of the n values of a packed block from number first on; out has room for 15 more. */
__attribute__((unused)) static void lanner_some_sums_plain(const uint8_t *src, int bits, int first, int n, uint32_t base, uint32_t *out) {
    for (int i = 0; i < n; i++) out[i] = base += lanner_extract(src, bits, first + i);
}

/* How often two words stand delta apart in each of `hits` documents: number at_a[k] of one block and at_b[k] of another. all_*: the
 * positions of a block, summed up from document to document; starts_*, gaps_*: where those of a document begin there, and how many
 * they are, less 1. */
#define LANNER_PHRASE_FREQS(name, attribute, pairs_of) \
    attribute static void name( \
        const uint8_t *at_a, const uint8_t *at_b, int hits, \
        const uint32_t *starts_a, const uint32_t *gaps_a, const uint32_t *all_a, \
        const uint32_t *starts_b, const uint32_t *gaps_b, const uint32_t *all_b, uint32_t delta, uint32_t *freqs) { \
        for (int k = 0; k < hits; k++) { \
            const uint32_t a = starts_a[at_a[k]], b = starts_b[at_b[k]]; \
            const uint32_t shift = delta + (b ? all_b[b - 1] : 0) - (a ? all_a[a - 1] : 0); \
            const uint32_t n = gaps_a[at_a[k]] + 1, m = gaps_b[at_b[k]] + 1; \
            freqs[k] = n + m == 2 ? all_a[a] + shift == all_b[b] : pairs_of(all_a + a, n, all_b + b, m, shift); \
        } \
    }
LANNER_PHRASE_FREQS(lanner_phrase_freqs_plain, __attribute__((unused)), lanner_shifted_pairs_plain)

/* Find what m ascending values (m <= 256) and n ascending ones (n <= 255), which at least 16 greatest values (0x7FFFFFFF) follow, have
 * in common; all are less than 2^31. mine and theirs: its places in either. Return how many there are. */
#define LANNER_MEET(name, attribute, less_of_sixteen) \
    attribute static int name(const uint32_t *values, int m, const uint32_t *sorted, int n, uint8_t *mine, uint8_t *theirs) { \
        int p = 0, hits = 0; \
        for (int i = 0; i < m; i++) { \
            const uint32_t target = values[i]; \
            while (p + 16 <= n && sorted[p + 15] < target) p += 16; \
            const int q = p + less_of_sixteen(sorted + p, target); \
            mine[hits] = (uint8_t)i; \
            theirs[hits] = (uint8_t)q; \
            hits += sorted[q] == target; \
        } \
        return hits; \
    }
LANNER_INLINE int lanner_less(const uint32_t *sorted, uint32_t target) {
    int less = 0;
    for (int j = 0; j < 16; j++) less += sorted[j] < target;
    return less;
}
LANNER_MEET(lanner_meet_plain, __attribute__((unused)), lanner_less)

/* As lanner_meet for 16 bits: m (at most 256) and n ascending values; 32 more of any kind can be read after the n. */
__attribute__((unused)) static int lanner_meet16_plain(
    const uint16_t *values, int m, const uint16_t *sorted, int n, uint8_t *mine, uint16_t *theirs) {
    int p = 0, hits = 0;
    for (int i = 0; i < m; i++) {
        const uint16_t target = values[i];
        while (p + 32 < n && sorted[p + 31] < target) p += 32;
        int q = p, left = n - p < 32 ? n - p : 32;
        while (left > 1) {
            const int half = left >> 1;
            q += sorted[q + half - 1] < target ? half : 0;
            left -= half;
        }
        mine[hits] = (uint8_t)i;
        theirs[hits] = (uint16_t)q;
        hits += sorted[q] == target;
    }
    return hits;
}
#ifdef LANNER_WIDE
#include "simd_x86.h"
__attribute__((unused)) static int (*lanner_meet)(const uint32_t *, int, const uint32_t *, int, uint8_t *, uint8_t *) = lanner_meet_plain;
__attribute__((unused)) static int (*lanner_meet16)(const uint16_t *, int, const uint16_t *, int, uint8_t *, uint16_t *)
    = lanner_meet16_plain;
__attribute__((unused)) static void (*lanner_unpack)(const uint8_t *, int, uint32_t *) = lanner_unpack_plain;
__attribute__((unused)) static void (*lanner_unpack_sums)(const uint8_t *, int, uint32_t, uint32_t *) = lanner_unpack_sums_plain;
__attribute__((unused)) static uint32_t (*lanner_sum)(const uint32_t *, int) = lanner_sum_plain;
__attribute__((unused)) static void (*lanner_some_sums)(const uint8_t *, int, int, int, uint32_t, uint32_t *) = lanner_some_sums_plain;
__attribute__((unused)) static int (*lanner_keep)(const uint32_t *, const float *, int, float, uint32_t *, float *) = lanner_keep_plain;
__attribute__((unused)) static int (*lanner_gather)(const float *, int, float, uint32_t, uint32_t *, float *) = lanner_gather_plain;
__attribute__((unused)) static uint32_t (*lanner_shifted_pairs)(const uint32_t *, uint32_t, const uint32_t *, uint32_t, uint32_t)
    = lanner_shifted_pairs_plain;
__attribute__((unused)) static void (*lanner_phrase_freqs)(
    const uint8_t *, const uint8_t *, int, const uint32_t *, const uint32_t *, const uint32_t *,
    const uint32_t *, const uint32_t *, const uint32_t *, uint32_t, uint32_t *) = lanner_phrase_freqs_plain;
/* The newest generation that this processor and its system support: 4, 3, or 0 for neither. */
static int lanner_level(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd")) return 4;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") ? 3 : 0;
}
static void lanner_use(int level) {
    const int v4 = level >= 4;
    lanner_meet = v4 ? lanner_meet_v4 : level == 3 ? lanner_meet_v3 : lanner_meet_plain;
    lanner_meet16 = v4 ? lanner_meet16_v4 : lanner_meet16_plain;
    lanner_unpack = v4 ? lanner_unpack_v4 : lanner_unpack_plain;
    lanner_unpack_sums = v4 ? lanner_unpack_sums_v4 : lanner_unpack_sums_plain;
    lanner_sum = v4 ? lanner_sum_v4 : lanner_sum_plain;
    lanner_some_sums = v4 ? lanner_some_sums_v4 : lanner_some_sums_plain;
    lanner_keep = v4 ? lanner_keep_v4 : lanner_keep_plain;
    lanner_gather = v4 ? lanner_gather_v4 : lanner_gather_plain;
    lanner_shifted_pairs = v4 ? lanner_shifted_pairs_v4 : lanner_shifted_pairs_plain;
    lanner_phrase_freqs = v4 ? lanner_phrase_freqs_v4 : lanner_phrase_freqs_plain;
}
__attribute__((constructor, unused)) static void lanner_choose(void) { lanner_use(lanner_level()); }
#else
#define lanner_meet lanner_meet_plain
#define lanner_meet16 lanner_meet16_plain
#define lanner_unpack lanner_unpack_plain
#define lanner_unpack_sums lanner_unpack_sums_plain
#define lanner_sum lanner_sum_plain
#define lanner_some_sums lanner_some_sums_plain
#define lanner_keep lanner_keep_plain
#define lanner_gather lanner_gather_plain
#define lanner_shifted_pairs lanner_shifted_pairs_plain
#define lanner_phrase_freqs lanner_phrase_freqs_plain
LANNER_INLINE int lanner_level(void) { return 0; }
LANNER_INLINE void lanner_use(int level) { (void)level; }
#endif

/* How many of n ascending values are less than target. */
static LANNER_CLONES int lanner_below(const uint32_t *values, int n, uint32_t target) {
    int less = 0;
    for (int i = 0; i < n; i++) less += values[i] < target;
    return less;
}

/* Narrow n documents to their low 16 bits and n gaps to a byte, 255 at most. Return whether the documents ascend and the gaps are less. */
#define LANNER_ASCEND 1
#define LANNER_SMALL 2
static LANNER_CLONES int lanner_narrow(const uint32_t *docs, const uint32_t *gaps, int n, uint16_t *lows, uint8_t *bytes) {
    uint32_t large = 0;
    for (int i = 0; i < n; i++) lows[i] = (uint16_t)docs[i];
    for (int i = 0; i < n; i++) {
        large |= gaps[i] >= 255;
        bytes[i] = (uint8_t)(gaps[i] < 255 ? gaps[i] : 255);
    }
    return (lanner_ascend(docs, n) ? LANNER_ASCEND : 0) | (large ? 0 : LANNER_SMALL);
}

/* Sum of n bytes. */
static LANNER_CLONES uint32_t lanner_sum8(const uint8_t *values, int n) {
    uint32_t total = 0;
    for (int i = 0; i < n; i++) total += values[i];
    return total;
}

/* Tightly packed: value i of `bits` (at most 32) bits stands at bit i * bits. Reading touches up to 8 bytes beyond the last value,
 * and writing clears them. */
LANNER_INLINE uint32_t lanner_tight_at(const uint8_t *src, int bits, uint64_t i) {
    uint64_t x;
    memcpy(&x, src + (i * bits >> 3), 8);
    return (uint32_t)(x >> (i * bits & 7) & (((uint64_t)1 << bits) - 1));
}

LANNER_INLINE int64_t lanner_tight_size(uint64_t n, int bits) { return (int64_t)((n * bits + 7) >> 3); }

static LANNER_CLONES void lanner_tight_unpack(const uint8_t *src, int bits, int n, uint32_t *out) {
    for (int i = 0; i < n; i++) out[i] = lanner_tight_at(src, bits, i);
}

static LANNER_CLONES void lanner_tight_sums(const uint8_t *src, int bits, int n, uint32_t base, uint32_t *out) {
    for (int i = 0; i < n; i++) out[i] = base += lanner_tight_at(src, bits, i);
}

__attribute__((unused)) static void lanner_tight_pack(const uint32_t *values, int bits, int64_t n, uint8_t *out) {
    memset(out, 0, lanner_tight_size(n, bits) + 8);
    uint64_t word = 0;
    int filled = 0;
    for (int64_t i = 0; i < n; i++) {
        word |= (uint64_t)values[i] << filled;
        filled += bits;
        if (filled >= 32) {
            memcpy(out, &word, 4);
            out += 4;
            word >>= 32;
            filled -= 32;
        }
    }
    memcpy(out, &word, 4);
}

static LANNER_CLONES int64_t lanner_popcount(const uint64_t *words, int64_t n) {
    int64_t total = 0;
    for (int64_t i = 0; i < n; i++) total += __builtin_popcountll(words[i]);
    return total;
}

static LANNER_CLONES int64_t lanner_popcount_and(const uint64_t *a, const uint64_t *b, int64_t n) {
    int64_t total = 0;
    for (int64_t i = 0; i < n; i++) total += __builtin_popcountll(a[i] & b[i]);
    return total;
}

/* Set bit i of out for every lo <= values[i] <= hi; n is a multiple of 64. One function for each width of a column. */
#define LANNER_RANGE(name, type) \
    static LANNER_CLONES void name(const type *values, int64_t n, uint64_t lo, uint64_t hi, uint64_t *out) { \
        const type low = (type)lo, span = (type)(hi - lo); \
        for (int64_t w = 0; w < n / 64; w++) { \
            uint8_t hit[64]; \
            for (int i = 0; i < 64; i++) hit[i] = (type)(values[64 * w + i] - low) <= span; \
            uint64_t bits = 0; \
            for (int i = 0; i < 64; i++) bits |= (uint64_t)hit[i] << i; \
            out[w] |= bits; \
        } \
    }
LANNER_RANGE(lanner_range8, uint8_t)
LANNER_RANGE(lanner_range16, uint16_t)
LANNER_RANGE(lanner_range32, uint32_t)
LANNER_RANGE(lanner_range64, uint64_t)

#endif
