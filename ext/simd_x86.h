/* The loops of simd.h written by hand for two generations of x86-64 processors: v3 (AVX2) and v4 (AVX-512). Contracts stand in
 * simd.h, which includes this file and picks between them and the plain ones. */
#ifndef LANNER_SIMD_X86_H
#define LANNER_SIMD_X86_H

#include <immintrin.h>
#define LANNER_V3 __attribute__((target("arch=x86-64-v3"), unused))
#define LANNER_V4 __attribute__((target("arch=x86-64-v4"), unused))
#define LANNER_COUNT _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
LANNER_V3 static inline int lanner_less_v3(const uint32_t *sorted, uint32_t target) {
    const __m256i t = _mm256_set1_epi32((int)target);
    const __m256i a = _mm256_loadu_si256((const __m256i *)sorted), b = _mm256_loadu_si256((const __m256i *)(sorted + 8));
    return __builtin_popcount(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(t, a))))
        + __builtin_popcount(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(t, b))));
}
LANNER_V4 static inline int lanner_less_v4(const uint32_t *sorted, uint32_t target) {
    return __builtin_popcount(_mm512_cmplt_epu32_mask(_mm512_loadu_si512(sorted), _mm512_set1_epi32((int)target)));
}
LANNER_MEET(lanner_meet_v3, LANNER_V3, lanner_less_v3)
/* Without a branch: the last of each sixteen says which sixteen, that says where. */
LANNER_V4 static int lanner_meet_v4(const uint32_t *values, int m, const uint32_t *sorted, int n, uint8_t *mine, uint8_t *theirs) {
    const __mmask16 groups = (__mmask16)_bzhi_u32(0xFFFF, (n - 1) >> 4);
    const __m512i every = _mm512_slli_epi32(LANNER_COUNT, 4), most = _mm512_set1_epi32(0x7FFFFFFF);
    const __m512i lasts = _mm512_mask_i32gather_epi32(most, groups, every, sorted + 15, 4);
    int hits = 0;
    for (int i = 0; i < m; i++) {
        const int p = 16 * __builtin_popcount(_mm512_cmplt_epi32_mask(lasts, _mm512_set1_epi32((int)values[i])));
        const int q = p + lanner_less_v4(sorted + p, values[i]);
        mine[hits] = (uint8_t)i;
        theirs[hits] = (uint8_t)q;
        hits += sorted[q] == values[i];
    }
    return hits;
}
/* The same for 512 at a time. What is read beyond the n cannot hide a value: it stands behind them all. */
LANNER_V4 static int lanner_meet16_v4(const uint16_t *values, int m, const uint16_t *sorted, int n, uint8_t *mine, uint16_t *theirs) {
    const __m512i every = _mm512_slli_epi32(LANNER_COUNT, 5), most = _mm512_set1_epi32(0xFFFF);
    int i = 0, hits = 0;
    for (int from = 0; from < n && i < m; from += 512) {
        const uint16_t *tile = sorted + from;
        const int size = n - from < 512 ? n - from : 512;
        int stop = m;
        if (size < n - from) {
            const uint16_t last = tile[size - 1];
            if (values[i] > last) continue;
            while (values[stop - 1] > last) stop--;
        }
        const __mmask16 groups = (__mmask16)_bzhi_u32(0xFFFF, (size - 1) >> 5);
        const __m256i lasts = _mm512_cvtepi32_epi16(_mm512_mask_i32gather_epi32(most, groups, every, tile + 31, 2));
        for (; i < stop; i++) {
            const __m512i value = _mm512_set1_epi16((short)values[i]);
            const int p = 32 * __builtin_popcount(_mm256_cmplt_epu16_mask(lasts, _mm512_castsi512_si256(value)));
            const uint32_t equal = _mm512_cmpeq_epi16_mask(_mm512_loadu_si512(tile + p), value);
            const int q = p + (int)_tzcnt_u32(equal);
            mine[hits] = (uint8_t)i;
            theirs[hits] = (uint16_t)(from + q);
            hits += (equal != 0) & (q < size);
        }
    }
    return hits;
}
/* The values 16 * g to 16 * g + 15 of a packed block; steps: bits times the word of each lane, lanes: the lane in its word. */
LANNER_V4 static inline __m512i lanner_sixteen(const uint8_t *src, int bits, int g, __m512i steps, __m512i lanes) {
    const int first = g * 4 * bits >> 5, left = 4 * (bits - first);
    const __m512i at = _mm512_add_epi32(_mm512_set1_epi32(g * 4 * bits & 31), steps);
    const __m512i shift = _mm512_and_si512(at, _mm512_set1_epi32(31));
    const __m512i from = _mm512_add_epi32(_mm512_slli_epi32(_mm512_srli_epi32(at, 5), 2), lanes);
    const __m512i low = _mm512_maskz_loadu_epi32((__mmask16)_bzhi_u32(0xFFFF, left), src + 16 * first);
    const __m512i high = _mm512_maskz_loadu_epi32((__mmask16)_bzhi_u32(0xFFFF, left - 4), src + 16 * first + 16);
    const __m512i x = _mm512_srlv_epi32(_mm512_permutexvar_epi32(from, low), shift);
    const __m512i y = _mm512_sllv_epi32(_mm512_permutexvar_epi32(from, high), _mm512_sub_epi32(_mm512_set1_epi32(32), shift));
    return _mm512_and_si512(_mm512_or_si512(x, y), _mm512_set1_epi32((int)_bzhi_u32(~0u, bits)));
}
#define LANNER_LANES _mm512_set_epi32(3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0)
#define LANNER_STEPS(bits) \
    _mm512_mullo_epi32(_mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0), _mm512_set1_epi32(bits))
LANNER_V4 static void lanner_unpack_v4(const uint8_t *src, int bits, uint32_t *out) {
    if ((unsigned)bits > 32) bits = 0;
    const __m512i lanes = LANNER_LANES, steps = LANNER_STEPS(bits);
    for (int g = 0; g < 8; g++) _mm512_storeu_si512(out + 16 * g, lanner_sixteen(src, bits, g, steps, lanes));
}
LANNER_V4 static uint32_t lanner_sum_v4(const uint32_t *values, int n) {
    __m512i total = _mm512_setzero_si512();
    for (; n > 0; n -= 16, values += 16)
        total = _mm512_add_epi32(total, _mm512_maskz_loadu_epi32((__mmask16)_bzhi_u32(0xFFFF, n < 16 ? n : 16), values));
    return (uint32_t)_mm512_reduce_add_epi32(total);
}
/* The running sums of sixteen values, on from the last of those before. */
LANNER_V4 static inline __m512i lanner_run_on(__m512i x, __m512i before) {
    const __m512i zero = _mm512_setzero_si512();
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 15));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 14));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 12));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 8));
    return _mm512_add_epi32(x, _mm512_permutexvar_epi32(_mm512_set1_epi32(15), before));
}
LANNER_V4 static void lanner_unpack_sums_v4(const uint8_t *src, int bits, uint32_t base, uint32_t *out) {
    if ((unsigned)bits > 32) bits = 0;
    const __m512i lanes = LANNER_LANES, steps = LANNER_STEPS(bits);
    __m512i sums = _mm512_set1_epi32((int)base);
    for (int g = 0; g < 8; g++) {
        sums = lanner_run_on(lanner_sixteen(src, bits, g, steps, lanes), sums);
        _mm512_storeu_si512(out + 16 * g, sums);
    }
}
LANNER_V4 static void lanner_some_sums_v4(const uint8_t *src, int bits, int first, int n, uint32_t base, uint32_t *out) {
    if ((unsigned)bits > 32) bits = 0;
    const __m512i lanes = LANNER_LANES, steps = LANNER_STEPS(bits);
    const __m512i from = _mm512_add_epi32(LANNER_COUNT, _mm512_set1_epi32(first & 15));
    __m512i sums = _mm512_set1_epi32((int)base), next = lanner_sixteen(src, bits, first >> 4, steps, lanes);
    for (int i = 0, g = first >> 4; i < n; i += 16) {
        const __m512i some = next;
        next = lanner_sixteen(src, bits, ++g, steps, lanes);
        sums = lanner_run_on(_mm512_permutex2var_epi32(some, from, next), sums);
        _mm512_storeu_si512(out + i, sums);
    }
}
LANNER_V4 static int lanner_keep_v4(const uint32_t *docs, const float *scores, int n, float least,
                                    uint32_t *out_docs, float *out_scores) {
    const __m512 floor = _mm512_set1_ps(least);
    int m = 0;
    for (int i = 0; i < n; i += 16) {
        const __mmask16 some = (__mmask16)_bzhi_u32(0xFFFF, n - i < 16 ? n - i : 16);
        const __m512 x = _mm512_maskz_loadu_ps(some, scores + i);
        const __mmask16 kept = _mm512_mask_cmp_ps_mask(some, x, floor, _CMP_GE_OQ);
        if (!kept) continue;
        const __m512i d = _mm512_maskz_loadu_epi32(some, docs + i);
        _mm512_storeu_si512(out_docs + m, _mm512_maskz_compress_epi32(kept, d));
        _mm512_storeu_ps(out_scores + m, _mm512_maskz_compress_ps(kept, x));
        m += __builtin_popcount(kept);
    }
    return m;
}
LANNER_V4 static int lanner_gather_v4(const float *scores, int n, float least, uint32_t base,
                                      uint32_t *out_docs, float *out_scores) {
    const __m512 floor = _mm512_set1_ps(least);
    const __m512i one = LANNER_COUNT;
    int m = 0;
    for (int i = 0; i < n; i += 16) {
        const __m512 x = _mm512_loadu_ps(scores + i);
        const __mmask16 kept = _mm512_cmp_ps_mask(x, floor, _CMP_GE_OQ);
        if (!kept) continue;
        const __m512i d = _mm512_add_epi32(one, _mm512_set1_epi32((int)base + i));
        _mm512_storeu_si512(out_docs + m, _mm512_maskz_compress_epi32(kept, d));
        _mm512_storeu_ps(out_scores + m, _mm512_maskz_compress_ps(kept, x));
        m += __builtin_popcount(kept);
    }
    return m;
}
LANNER_V4 static inline uint32_t lanner_shifted_pairs_v4(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t delta) {
    uint32_t pairs = 0;
    if ((uint64_t)n * m > LANNER_FEW_PAIRS) return lanner_shifted_pairs_plain(a, n, b, m, delta);
    for (uint32_t j = 0; j < m; j += 16) {
        const __mmask16 some = (__mmask16)_bzhi_u32(0xFFFF, m - j < 16 ? m - j : 16);
        const __m512i x = _mm512_sub_epi32(_mm512_maskz_loadu_epi32(some, b + j), _mm512_set1_epi32((int)delta));
        for (uint32_t i = 0; i < n; i++)
            pairs += __builtin_popcount(_mm512_mask_cmpeq_epi32_mask(some, x, _mm512_set1_epi32((int)a[i])));
    }
    return pairs;
}
LANNER_PHRASE_FREQS(lanner_phrase_freqs_v4, LANNER_V4, lanner_shifted_pairs_v4)

#endif
