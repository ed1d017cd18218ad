/* Lanes that are coalesced together become lines (replay/coalesce.h), and these become accesses of the size and in the
 * order that the rules ask for. The lanes of an atomic are first divided into rounds. */
#include "timed/accesses.h"

#include "base/bytes.h"

#include <string.h>

enum { SECTOR_B = 32 };

ws_access_rules ws_access_rules_of(const ws_core_params *core, const ws_l1_params *l1, unsigned warp_size) {
    return (ws_access_rules){.access = (enum ws_access_unit)l1->access,
                             .order = (enum ws_access_order)core->coalesce_order,
                             .line_B = (unsigned)l1->line_B,
                             .access_B = (unsigned)core->coalesce_B,
                             .whole_warps = core->coalesce_lanes >= warp_size,
                             .group_lanes = (unsigned)core->coalesce_lanes,
                             .store_gaps = core->store_gaps,
                             .coalescer = ws_coalescer_of((unsigned)l1->line_B, SECTOR_B)};
}

/* Returns the number of sectors of a line that belong to one access of this instruction. */
static unsigned sectors_per_access(const ws_access_rules *r, const ws_static *s) {
    unsigned line = r->line_B / SECTOR_B;
    if (r->access_B) return r->access_B / SECTOR_B;
    if (r->access == WS_ACCESS_SECTOR) return 1;
    if (r->access == WS_ACCESS_BY_WIDTH && s->width_B == 1) return 1;
    if (r->access == WS_ACCESS_BY_WIDTH && s->width_B == 2 && line > 1) return line / 2;
    return line;
}

/* Whether a word of the line is touched in part. */
static bool is_in_parts(const ws_coalesced *c, unsigned width) {
    return width % 4 != 0 && c->bytes != 4 * __builtin_popcountll(c->words);
}

/* Returns the sectors that a write of `sectors` carries. An access to four sectors carries the used quarter, the used
 * half, or all of them, even sectors of which no byte is written. */
static uint8_t carried_sectors(uint8_t sectors, unsigned per_access) {
    if (per_access != 4) return sectors;
    for (unsigned size = 1;; size *= 2) {
        unsigned first = (unsigned)__builtin_ctz(sectors) & ~(size - 1);
        uint8_t block = (uint8_t)(((1u << size) - 1) << first);
        if (!(sectors & ~block)) return block;
    }
}

/* Whether the lanes that touch these sectors of a line, and the words (of the access' width) that they read, form none
 * of the patterns that WarpPool encodes in a few bits: one lane; one word for all active lanes; consecutive words for
 * consecutive lanes (WP 3.6). */
static bool is_other_mapping(const ws_access_rules *r, const ws_access *a, unsigned width,
                             const uint64_t *addresses, uint64_t mask) {
    unsigned lanes = 0, last_lane = 0, active = (unsigned)__builtin_popcountll(mask);
    uint64_t words = ws_bytes_of(a->sectors), first_word = 0, last_word = 0;
    bool same = true, in_step = true;
    for (unsigned i = 0; mask; i++, mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(mask);
        uint64_t start = addresses[i], end = start + width - 1, word = start % r->line_B / width;
        bool starts_here = start / r->line_B == a->line && words >> start % r->line_B / 4 & 1;
        bool ends_here = end / r->line_B == a->line && words >> end % r->line_B / 4 & 1;
        if (!starts_here && !ends_here) continue;
        if (start % width != 0 || start / r->line_B != end / r->line_B) return true;
        if (lanes++ == 0) {
            first_word = word;
        } else {
            same &= word == first_word;
            in_step &= lane == last_lane + 1 && word == last_word + 1;
        }
        last_lane = lane;
        last_word = word;
    }
    return lanes > 1 && !(same ? lanes == active : in_step);
}

static void note_mappings(const ws_access_rules *r, ws_access *from, const ws_access *end, unsigned width,
                          const uint64_t *addresses, uint64_t mask) {
    for (; from < end; from++) from->other_mapping = is_other_mapping(r, from, width, addresses, mask);
}

/* Whether a lane that begins at `address` touches one of the access' words. */
static bool touches(const ws_access_rules *r, const ws_access *a, uint64_t address, unsigned width) {
    uint64_t end = address + width - 1, line_words = r->line_B / 4;
    if (end < address) end = UINT64_MAX;
    for (uint64_t word = address / 4; word <= end / 4; word++)
        if (word / line_words == a->line && a->words >> word % line_words & 1) return true;
    return false;
}

/* Stable insertion sort, as the lists are short. */
static void sort_by_lane(const ws_access_rules *r, ws_access *accesses, size_t count,
                         const uint64_t *addresses, unsigned width) {
    unsigned lanes[WS_LANES_MAX * 9 * 8];
    for (size_t i = 0; i < count; i++) {
        ws_access access = accesses[i];
        unsigned lane = 0;
        while (!touches(r, &access, addresses[lane], width)) lane++;
        size_t at = i;
        for (; at > 0 && lanes[at - 1] > lane; at--) {
            accesses[at] = accesses[at - 1];
            lanes[at] = lanes[at - 1];
        }
        accesses[at] = access;
        lanes[at] = lane;
    }
}

/* Appends the accesses of lanes that are coalesced together, in the order in which they leave. */
static void put_lanes(const ws_access_rules *r, ws_buffer *out, const ws_static *s, const uint64_t *addresses,
                      uint64_t mask, unsigned lanes) {
    ws_coalesced lines[WS_LANES_MAX * 9];
    size_t at = out->size;
    unsigned count = ws_coalesce(&r->coalescer, addresses, lanes, s->width_B, lines);
    unsigned step = sectors_per_access(r, s), sectors = r->line_B / SECTOR_B;
    bool descending = r->order == WS_ORDER_DESCENDING, loads = s->op == WS_MEMORY_LOAD;
    if (!ws_buffer_reserve(out, (size_t)count * (sectors / step) * sizeof(ws_access))) return;
    ws_access *next = (ws_access *)(void *)(out->data + at);
    for (unsigned i = 0; i < count; i++) {
        const ws_coalesced *line = &lines[descending ? count - 1 - i : i];
        uint8_t any = ws_bytes_used(line->words);
        bool in_parts = !loads && is_in_parts(line, s->width_B);
        for (uint8_t rest = any, part; rest; rest &= (uint8_t)~part) {
            unsigned sector = descending ? 31 - (unsigned)__builtin_clz(rest) : (unsigned)__builtin_ctz(rest);
            part = step == sectors ? any : (uint8_t)(((1u << step) - 1) << (sector & ~(step - 1)));
            *next = (ws_access){.line = line->line,
                                .words = line->words,
                                .sectors = any & part,
                                .local = s->space == WS_SPACE_LOCAL,
                                .in_parts = in_parts};
            if (part != any) next->words &= ws_bytes_of(part);
            if (!loads) {
                uint8_t carried = carried_sectors(next->sectors, step);
                next->data_B = (uint8_t)__builtin_popcount(carried);
                if (r->store_gaps && s->op == WS_MEMORY_STORE) next->sectors = carried;
            }
            next++;
        }
    }
    out->size = (size_t)((uint8_t *)next - out->data);
    if (r->mappings)
        note_mappings(r, (ws_access *)(void *)(out->data + at), next, s->width_B, addresses, mask);
    if (r->order == WS_ORDER_LANE && !out->failed)
        sort_by_lane(r, (ws_access *)(void *)(out->data + at), (out->size - at) / sizeof(ws_access),
                     addresses, s->width_B);
}

/* Divides the lanes of an atomic into rounds, as no two lanes of one access may touch the same place (IRU 6.1;
 * GPGPU-Sim): each lane goes into the first round in which no earlier lane overlaps it. */
static void find_rounds(const uint64_t *addresses, unsigned lanes, unsigned width, uint8_t *round) {
    uint64_t span = 2 * (uint64_t)width - 1;
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t above = addresses[i] + width - 1, taken = 0;
        for (unsigned k = 0; k < i; k++) taken |= (uint64_t)(above - addresses[k] < span) << round[k];
        round[i] = (uint8_t)__builtin_ctzll(~taken);
    }
}

/* The same for lanes that overlap only at equal addresses: each further lane at an address goes one round later.
 * `latest`: per hash of the address the last lane that has it, + 1. */
static void count_rounds(const uint64_t *addresses, unsigned lanes, uint8_t *round) {
    enum { HASH_BITS = 7 };
    uint8_t latest[(1 << HASH_BITS) + WS_LANES_MAX] = {0};
    for (unsigned i = 0; i < lanes; i++) {
        unsigned at = (unsigned)(addresses[i] * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HASH_BITS));
        while (latest[at] && addresses[latest[at] - 1] != addresses[i]) at++;
        round[i] = latest[at] ? round[latest[at] - 1] + 1 : 0;
        latest[at] = (uint8_t)(i + 1);
    }
}

/* Whether all addresses are multiples of the width, which is a power of two. */
static bool are_aligned(const uint64_t *addresses, unsigned lanes, unsigned width) {
    uint64_t low = 0;
    for (unsigned i = 0; i < lanes; i++) low |= addresses[i];
    return (width & (width - 1)) == 0 && (low & (width - 1)) == 0;
}

/* Appends the accesses of one round. `lanes`: its set of lanes. */
static void put_round(const ws_access_rules *r, ws_buffer *out, const ws_static *s, const uint64_t *addresses,
                      uint64_t lanes) {
    uint64_t taken[WS_LANES_MAX];
    unsigned count = 0;
    for (; lanes; lanes &= lanes - 1) taken[count++] = addresses[__builtin_ctzll(lanes)];
    put_lanes(r, out, s, taken, ~UINT64_C(0) >> (WS_LANES_MAX - count), count);
}

/* Returns the place in memory of an access, in units of `sectors` sectors, a power of two. */
static uint64_t place_of(const ws_access *a, unsigned sectors) {
    return a->line * 8 + ((unsigned)__builtin_ctz(a->sectors) >> __builtin_ctz(sectors));
}

/* Stable insertion sort. */
static void sort_descending(ws_access *accesses, size_t count, unsigned sectors) {
    for (size_t i = 1; i < count; i++) {
        ws_access access = accesses[i];
        uint64_t place = place_of(&access, sectors);
        size_t at = i;
        for (; at > 0 && place_of(&accesses[at - 1], sectors) < place; at--) accesses[at] = accesses[at - 1];
        accesses[at] = access;
    }
}

/* Appends the accesses of an atomic, round by round; in descending order, the last round's access to each place goes
 * first. */
static void put_atomic(const ws_access_rules *r, ws_buffer *out, const ws_static *s,
                       const uint64_t *addresses, unsigned lanes) {
    uint8_t round[WS_LANES_MAX];
    uint64_t lanes_of[WS_LANES_MAX]; /* by round */
    unsigned rounds = 0;
    if (are_aligned(addresses, lanes, s->width_B))
        count_rounds(addresses, lanes, round);
    else
        find_rounds(addresses, lanes, s->width_B, round);
    for (unsigned i = 0; i < lanes; i++) {
        if (round[i] == rounds) lanes_of[rounds++] = 0;
        lanes_of[round[i]] |= UINT64_C(1) << i;
    }
    bool descending = r->order == WS_ORDER_DESCENDING;
    size_t at = out->size;
    for (unsigned i = 0; i < rounds; i++)
        put_round(r, out, s, addresses, lanes_of[descending ? rounds - 1 - i : i]);
    if (descending && rounds > 1 && !out->failed)
        sort_descending((ws_access *)(void *)(out->data + at), (out->size - at) / sizeof(ws_access),
                        sectors_per_access(r, s));
}

static void put_group(const ws_access_rules *r, ws_buffer *out, const ws_static *s, const uint64_t *addresses,
                      uint64_t mask, unsigned lanes) {
    if (ws_memory_is_atomic(s->op))
        put_atomic(r, out, s, addresses, lanes);
    else
        put_lanes(r, out, s, addresses, mask, lanes);
}

static void put_groups(const ws_access_rules *r, ws_buffer *out, const ws_static *s,
                       const uint64_t *addresses, uint64_t mask) {
    unsigned groups =
        (WS_LANES_MAX + r->group_lanes - 1) / r->group_lanes; /* at least two, so the mask below fits */
    uint64_t lanes = (UINT64_C(1) << r->group_lanes) - 1;
    for (unsigned g = 0; g < groups; g++) {
        unsigned first = (r->order == WS_ORDER_DESCENDING ? groups - 1 - g : g) * r->group_lanes;
        uint64_t group = mask & lanes << first, before = mask & ((UINT64_C(1) << first) - 1);
        if (group)
            put_group(r, out, s, addresses + __builtin_popcountll(before), group,
                      (unsigned)__builtin_popcountll(group));
    }
}

unsigned ws_accesses_put(const ws_access_rules *r, ws_buffer *out, const ws_static *s,
                         const uint64_t *addresses, uint64_t mask, unsigned lanes) {
    size_t before = out->size;
    if (r->whole_warps)
        put_group(r, out, s, addresses, mask, lanes);
    else
        put_groups(r, out, s, addresses, mask);
    return (unsigned)((out->size - before) / sizeof(ws_access));
}
