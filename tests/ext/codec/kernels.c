/* simd.h for ctypes: its functions are static, these are not. */
#include "simd.h"

int t_level(void) { return lanner_level(); }
void t_use(int level) { lanner_use(level); }

void t_unpack(const uint8_t *src, int bits, uint32_t *out) { lanner_unpack(src, bits, out); }
void t_unpack_sums(const uint8_t *src, int bits, uint32_t base, uint32_t *out) { lanner_unpack_sums(src, bits, base, out); }
void t_some_sums(const uint8_t *src, int bits, int first, int n, uint32_t base, uint32_t *out) {
    lanner_some_sums(src, bits, first, n, base, out);
}
uint32_t t_sum(const uint32_t *values, int n) { return lanner_sum(values, n); }
void t_pack(const uint32_t *values, int bits, uint8_t *out) { lanner_pack(values, bits, out); }
uint32_t t_extract(const uint8_t *src, int bits, int i) { return lanner_extract(src, bits, i); }
int t_width(uint32_t all) { return lanner_width(all); }
int t_meet(const uint32_t *values, int m, const uint32_t *sorted, int n, uint8_t *mine, uint8_t *theirs) {
    return lanner_meet(values, m, sorted, n, mine, theirs);
}
int t_meet16(const uint16_t *values, int m, const uint16_t *sorted, int n, uint8_t *mine, uint16_t *theirs) {
    return lanner_meet16(values, m, sorted, n, mine, theirs);
}
int t_narrow(const uint32_t *docs, const uint32_t *gaps, int n, uint16_t *lows, uint8_t *bytes) {
    return lanner_narrow(docs, gaps, n, lows, bytes);
}
uint32_t t_gaps(const uint32_t *docs, int n, uint32_t base, uint32_t *out) { return lanner_gaps(docs, n, base, out); }
uint32_t t_any(const uint32_t *values, int64_t n) { return lanner_any(values, n); }
uint64_t t_sum64(const uint32_t *values, int64_t n) { return lanner_sum64(values, n); }
int t_ascend(const uint32_t *docs, int64_t n) { return lanner_ascend(docs, n); }
void t_impacts(const uint32_t *docs, const uint32_t *rest, const uint8_t *norms, const float *inverse, int n, float *out) {
    lanner_impacts(docs, rest, norms, inverse, n, out);
}
uint32_t t_sum8(const uint8_t *values, int n) { return lanner_sum8(values, n); }
void t_score(const uint32_t *docs, const uint32_t *gaps, const uint8_t *norms, const float *inverse, float weight, int n, float *out) {
    lanner_score(docs, gaps, norms, inverse, weight, n, out);
}
int t_keep(const uint32_t *docs, const float *scores, int n, float least, uint32_t *out_docs, float *out_scores) {
    return lanner_keep(docs, scores, n, least, out_docs, out_scores);
}
int t_gather(const float *scores, int n, float least, uint32_t base, uint32_t *out_docs, float *out_scores) {
    return lanner_gather(scores, n, least, base, out_docs, out_scores);
}
int64_t t_popcount_and(const uint64_t *a, const uint64_t *b, int64_t n) { return lanner_popcount_and(a, b, n); }
void t_range8(const uint8_t *v, int64_t n, uint64_t lo, uint64_t hi, uint64_t *out) { lanner_range8(v, n, lo, hi, out); }
void t_range16(const uint16_t *v, int64_t n, uint64_t lo, uint64_t hi, uint64_t *out) { lanner_range16(v, n, lo, hi, out); }
void t_range32(const uint32_t *v, int64_t n, uint64_t lo, uint64_t hi, uint64_t *out) { lanner_range32(v, n, lo, hi, out); }
void t_range64(const uint64_t *v, int64_t n, uint64_t lo, uint64_t hi, uint64_t *out) { lanner_range64(v, n, lo, hi, out); }
int64_t t_tight_size(uint64_t n, int bits) { return lanner_tight_size(n, bits); }
uint32_t t_tight_at(const uint8_t *src, int bits, uint64_t i) { return lanner_tight_at(src, bits, i); }
void t_tight_pack(const uint32_t *values, int bits, int64_t n, uint8_t *out) { lanner_tight_pack(values, bits, n, out); }
void t_tight_unpack(const uint8_t *src, int bits, int n, uint32_t *out) { lanner_tight_unpack(src, bits, n, out); }
void t_tight_sums(const uint8_t *src, int bits, int n, uint32_t base, uint32_t *out) { lanner_tight_sums(src, bits, n, base, out); }
uint32_t t_shifted_pairs(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t delta) {
    return lanner_shifted_pairs(a, n, b, m, delta);
}
void t_phrase_freqs(const uint8_t *at_a, const uint8_t *at_b, int hits, const uint32_t *starts_a, const uint32_t *gaps_a,
                    const uint32_t *all_a, const uint32_t *starts_b, const uint32_t *gaps_b, const uint32_t *all_b, uint32_t delta,
                    uint32_t *freqs) {
    lanner_phrase_freqs(at_a, at_b, hits, starts_a, gaps_a, all_a, starts_b, gaps_b, all_b, delta, freqs);
}
