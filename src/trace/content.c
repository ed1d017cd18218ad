#include "trace/content.h"

#include "base/access.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- digest */

enum { DIGEST_WORDS = 4096 };

struct ws_digest {
    XXH3_state_t *state;
    size_t count;
    uint64_t words[DIGEST_WORDS];
};

ws_digest *ws_digest_new(void) {
    ws_digest *digest = malloc(sizeof *digest);
    if (!digest) return NULL;
    digest->count = 0;
    digest->state = XXH3_createState();
    if (!digest->state || XXH3_128bits_reset(digest->state) != XXH_OK) {
        ws_digest_free(digest);
        return NULL;
    }
    return digest;
}

void ws_digest_free(ws_digest *digest) {
    if (!digest) return;
    XXH3_freeState(digest->state);
    free(digest);
}

static void flush(ws_digest *digest) {
    XXH3_128bits_update(digest->state, digest->words, digest->count * sizeof *digest->words);
    digest->count = 0;
}

void ws_digest_word(ws_digest *digest, uint64_t word) {
    digest->words[digest->count++] = word;
    if (digest->count == DIGEST_WORDS) flush(digest);
}

void ws_digest_text(ws_digest *digest, const char *text) {
    ws_digest_word(digest, XXH3_64bits(text, strlen(text)));
}

void ws_kernel_words(const ws_kernel *k, uint64_t words[WS_KERNEL_WORDS]) {
    const uint64_t all[WS_KERNEL_WORDS] = {k->grid.x,
                                           k->grid.y,
                                           k->grid.z,
                                           k->block.x,
                                           k->block.y,
                                           k->block.z,
                                           k->registers_per_thread,
                                           k->shared_B,
                                           k->stream,
                                           k->isa_version,
                                           k->shared_base,
                                           k->local_base};
    memcpy(words, all, sizeof all);
}

void ws_digest_kernel(ws_digest *digest, const ws_kernel *k) {
    ws_digest_text(digest, k->name);
    uint64_t words[WS_KERNEL_WORDS];
    ws_kernel_words(k, words);
    for (size_t i = 0; i < WS_KERNEL_WORDS; i++) ws_digest_word(digest, words[i]);
}

void ws_digest_memcpy(ws_digest *digest, const ws_memcpy *copy) {
    ws_digest_word(digest, copy->before_kernel);
    ws_digest_word(digest, copy->address);
    ws_digest_word(digest, copy->bytes);
}

void ws_digest_features(ws_digest *digest, uint32_t features, const ws_static *statics, size_t count) {
    bool shown = false;
    for (size_t i = 0; i < count && !shown; i++) shown = statics[i].dst_count || statics[i].src_count;
    if (features & WS_FEATURE_REGISTERS && !shown) ws_digest_word(digest, WS_FEATURE_REGISTERS);
}

void ws_digest_finish(ws_digest *digest, uint8_t out[16]) {
    flush(digest);
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(digest->state));
    memcpy(out, canonical.digest, sizeof canonical.digest);
}

_Static_assert(offsetof(ws_static, result_values) == 48 && sizeof(ws_static) == 60,
               "a digest is made of the bytes of a static instruction: they must not move, nor be padded");

/* Fields that were added later take part only if one of them is set, so that digests of traces without them stay the
 * same. */
uint64_t ws_static_digest(const ws_static *s, const char *opcode) {
    const size_t first_B = offsetof(ws_static, result_values), later_B = sizeof *s - first_B;
    static const uint8_t nothing[sizeof(ws_static)];
    ws_static plain = *s;
    plain.opcode = 0;
    uint64_t digest = XXH3_64bits_withSeed(&plain, first_B, XXH3_64bits(opcode, strlen(opcode)));
    const uint8_t *later = (const uint8_t *)&plain + first_B;
    return memcmp(later, nothing, later_B) == 0 ? digest : XXH3_64bits_withSeed(later, later_B, digest);
}

void ws_digest_values(ws_digest *digest, uint32_t uniform, const uint64_t *values) {
    ws_digest_word(digest, uniform);
    for (uint32_t rest = uniform; rest; rest &= rest - 1) ws_digest_word(digest, *values++);
}

/* ---- counters */

/* Sorts the values in place and returns the number of distinct ones. Insertion sort: they are few, and mostly nearly
 * sorted. */
static unsigned count_distinct(uint64_t *values, unsigned count) {
    for (unsigned i = 1; i < count; i++) {
        uint64_t value = values[i];
        unsigned at = i;
        for (; at > 0 && values[at - 1] > value; at--) values[at] = values[at - 1];
        values[at] = value;
    }
    unsigned distinct = count > 0;
    for (unsigned i = 1; i < count; i++) distinct += values[i] != values[i - 1];
    return distinct;
}

static unsigned count_unordered(const uint64_t *addresses, unsigned count, unsigned width, unsigned shift) {
    enum { SEGMENTS_MAX = WS_LANES_MAX * WS_ACCESS_SECTORS_MAX };
    uint64_t segments[SEGMENTS_MAX];
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t first = addresses[i] >> shift, last = ws_last_byte(addresses[i], width) >> shift;
        for (uint64_t segment = first; segment <= last && n < SEGMENTS_MAX; segment++)
            segments[n++] = segment;
    }
    return count_distinct(segments, n);
}

unsigned ws_count_segments(const uint64_t *addresses, unsigned count, unsigned width, unsigned shift) {
    /* Addresses usually ascend; then each access adds the segments past the last one counted. */
    unsigned segments = 0;
    uint64_t next = 0, previous = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t first = addresses[i] >> shift, last = ws_last_byte(addresses[i], width) >> shift;
        if (addresses[i] < previous) return count_unordered(addresses, count, width, shift);
        previous = addresses[i];
        if (first < next) first = next;
        if (last + 1 > first) segments += (unsigned)(last + 1 - first);
        if (last + 1 > next) next = last + 1;
    }
    return segments;
}

static void count_exit(ws_counters *counters, ws_warp_account *warp, const ws_static *s, uint64_t mask) {
    if (warp->gone) counters->after_exit++;
    warp->seen |= mask;
    if (s->class_ == WS_CLASS_EXIT && mask) {
        warp->exited |= mask;
        warp->gone = warp->exited == warp->seen;
    }
}

void ws_counters_inst(ws_counters *counters, ws_warp_account *warp, const ws_static *s, uint64_t mask,
                      const uint64_t *addresses) {
    if (s->class_ == WS_CLASS_META) {
        counters->meta_instructions++;
        return;
    }
    counters->warp_instructions++;
    count_exit(counters, warp, s, mask);
    if (s->op == WS_MEMORY_NONE) return;

    counters->trace_memory_lines++;
    counters->corrected_widths += s->width_B != s->text_width_B;
    if (!mask || !ws_static_is_global_or_local(s)) return;
    unsigned lanes = (unsigned)__builtin_popcountll(mask);
    counters->memory_instructions++;
    counters->lane_accesses += lanes;
    counters->requests += ws_count_segments(addresses, lanes, s->width_B, 7);
    counters->sectors += ws_count_segments(addresses, lanes, s->width_B, 5);
}

void ws_counters_add(ws_counters *to, const ws_counters *from) {
#define X(name, unit, help) to->name += from->name;
    WS_COUNTERS(X)
#undef X
}
