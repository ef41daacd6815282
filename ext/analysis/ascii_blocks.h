/* Classes of 64 bytes at once, as bits of words; in C because Cython has no vector types. */
#ifndef LANNER_ASCII_BLOCKS_H
#define LANNER_ASCII_BLOCKS_H

#include <stdint.h>
#include <string.h>

typedef uint8_t lanner_bytes __attribute__((vector_size(16)));
typedef uint64_t lanner_halves __attribute__((vector_size(16)));

typedef struct {
    uint64_t word;   /* bit i: byte i is an ASCII letter or digit */
    uint64_t other;  /* an underscore or not ASCII */
    uint64_t middle; /* one of " ' , . : ; */
    uint64_t quote;  /* ' alone */
} lanner_classes;

/* The top bits of 16 bytes that are each 0 or 255. */
static inline uint64_t lanner_top_bits(lanner_bytes flags) {
#ifdef __SSE2__
    return (uint64_t)(uint32_t)__builtin_ia32_pmovmskb128((__attribute__((vector_size(16))) char)flags);
#else
    const lanner_halves ones = (lanner_halves)(flags & 1);
    return (ones[0] * 0x0102040810204080u >> 56) | (ones[1] * 0x0102040810204080u >> 56) << 8;
#endif
}

/* Read 64 bytes of src. */
static inline void lanner_classify(const uint8_t *src, lanner_classes *out) {
    uint64_t word = 0, other = 0, middle = 0, quote = 0;
    for (int i = 0; i < 4; i++) {
        lanner_bytes x;
        memcpy(&x, src + 16 * i, 16);
        /* comparisons give 255 or 0 in every byte */
        const lanner_bytes letters = (lanner_bytes)((x | 32) - 97 < 26);
        const lanner_bytes digits = (lanner_bytes)(x - 48 < 10);
        const lanner_bytes others = (lanner_bytes)(x > 127) | (lanner_bytes)(x == '_');
        const lanner_bytes quotes = (lanner_bytes)(x == '\'');
        const lanner_bytes middles = quotes | (lanner_bytes)(x == '"') | (lanner_bytes)((x & 253) == ',')
            | (lanner_bytes)((x & 254) == ':');
        word |= lanner_top_bits(letters | digits) << (16 * i);
        other |= lanner_top_bits(others) << (16 * i);
        middle |= lanner_top_bits(middles) << (16 * i);
        quote |= lanner_top_bits(quotes) << (16 * i);
    }
    out->word = word;
    out->other = other;
    out->middle = middle;
    out->quote = quote;
}

/* Flip bit 5 of the 26 letters from first on, in place and in blocks of 16 bytes: may write up to 15 bytes past n.
 * Return all bytes or-ed. */
static inline uint8_t lanner_flip(uint8_t *data, int64_t n, const uint8_t first) {
    lanner_bytes seen = {0};
    for (int64_t i = 0; i < n; i += 16) {
        lanner_bytes x;
        memcpy(&x, data + i, 16);
        seen |= x;
        x ^= (lanner_bytes)(x - first < 26) & 32;
        memcpy(data + i, &x, 16);
    }
    uint8_t all = 0;
    for (int i = 0; i < 16; i++) all |= seen[i];
    return all;
}

static inline uint8_t lanner_lower(uint8_t *data, int64_t n) { return lanner_flip(data, n, 'A'); }
static inline uint8_t lanner_upper(uint8_t *data, int64_t n) { return lanner_flip(data, n, 'a'); }

#endif
