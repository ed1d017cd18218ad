/* Lanes that are coalesced together become lines (replay/coalesce.h), and these become accesses of the size and in the
 * order that the rules ask for. The lanes of an atomic are first divided into rounds. */
#include "timed/launch/accesses.h"

#include "base/bytes.h"
#include "base/hash.h"

#include <string.h>

ws_access_rules ws_access_rules_of(const ws_core_params *core, const ws_l1_params *l1, unsigned warp_size) {
    return (ws_access_rules){.access = (enum ws_access_unit)l1->access,
                             .order = (enum ws_access_order)core->coalesce_order,
                             .line_B = (unsigned)l1->line_B,
                             .access_B = (unsigned)core->coalesce_B,
                             .whole_warps = core->coalesce_lanes >= warp_size,
                             .group_lanes = (unsigned)core->coalesce_lanes,
                             .store_gaps = core->store_gaps,
                             .coalescer = ws_coalescer_of((unsigned)l1->line_B, WS_TIMED_SECTOR_B)};
}

/* Returns the number of sectors of a line that belong to one access of this instruction. */
static unsigned sectors_per_access(const ws_access_rules *r, const ws_static *s) {
    unsigned line = r->line_B / WS_TIMED_SECTOR_B;
    if (r->access_B) return r->access_B / WS_TIMED_SECTOR_B;
    if (r->access == WS_ACCESS_SECTOR) return 1;
    if (r->access == WS_ACCESS_BY_WIDTH && s->width_B == 1) return 1;
    if (r->access == WS_ACCESS_BY_WIDTH && s->width_B == 2 && line > 1) return line / 2;
    return line;
}

/* Whether a word of the line is touched in part. */
static bool is_in_parts(const ws_coalesced *c) {
    return c->bytes != 4 * __builtin_popcountll(c->words);
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
        uint64_t start = addresses[i], end = ws_last_byte(start, width), word = start % r->line_B / width;
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
    uint64_t end = ws_last_byte(address, width), line_words = r->line_B / 4;
    for (uint64_t word = address / 4; word <= end / 4; word++)
        if (word / line_words == a->line && a->words >> word % line_words & 1) return true;
    return false;
}

/* Stable insertion sort, as the lists are short. */
static void sort_by_lane(const ws_access_rules *r, ws_access *accesses, size_t count,
                         const uint64_t *addresses, unsigned width) {
    unsigned lanes[WS_COALESCED_MAX * 8];
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

/* What all accesses of an instruction have in common. */
typedef struct shape {
    unsigned step;    /* number of sectors of a line that belong to one access */
    bool whole_lines; /* these are all sectors of a line */
    bool descending;
    bool writes, fills; /* it carries data; also those of gaps between the sectors that it writes */
} shape;

static shape shape_of(const ws_access_rules *r, const ws_static *s) {
    unsigned step = sectors_per_access(r, s);
    return (shape){.step = step,
                   .whole_lines = step == r->line_B / WS_TIMED_SECTOR_B,
                   .descending = r->order == WS_ORDER_DESCENDING,
                   .writes = s->op != WS_MEMORY_LOAD,
                   .fills = r->store_gaps && s->op == WS_MEMORY_STORE};
}

/* Returns those of `sectors` that go into the next access. */
static inline uint8_t next_part(const shape *h, uint8_t sectors) {
    unsigned first = h->descending ? 31 - (unsigned)__builtin_clz(sectors) : (unsigned)__builtin_ctz(sectors);
    return (uint8_t)(sectors & ((1u << h->step) - 1) << (first & ~(h->step - 1)));
}

static inline void put_access(const shape *h, ws_access *to, uint64_t line, uint64_t words, uint8_t sectors,
                              bool in_parts) {
    *to = (ws_access){.line = line, .words = words, .sectors = sectors, .in_parts = in_parts};
    if (!h->writes) return;
    uint8_t carried = carried_sectors(sectors, h->step);
    to->data_B = (uint8_t)__builtin_popcount(carried);
    if (h->fills) to->sectors = carried;
}

/* Writes the accesses to several sectors of a line that do not all belong together. */
static ws_access *put_parts(const shape *h, ws_access *to, uint64_t line, uint64_t words, uint8_t sectors,
                            bool in_parts) {
    for (uint8_t rest = sectors, part; rest; rest ^= part) {
        part = next_part(h, rest);
        put_access(h, to++, line, words & ws_bytes_of(part), part, in_parts);
    }
    return to;
}

/* Writes the accesses to a line of which `words` are touched, and returns where the next one goes. */
static inline ws_access *put_line(const shape *h, ws_access *to, uint64_t line, uint64_t words,
                                  bool in_parts) {
    uint8_t sectors = ws_bytes_used(words);
    if (!h->whole_lines && sectors & (sectors - 1)) return put_parts(h, to, line, words, sectors, in_parts);
    put_access(h, to, line, words, sectors, in_parts);
    return to + 1;
}

/* Makes room for the accesses to that many lines. Returns where they go, or NULL. */
static ws_access *reserve(const ws_access_rules *r, ws_buffer *out, const shape *h, unsigned lines) {
    size_t most = (size_t)lines * (r->line_B / WS_TIMED_SECTOR_B / h->step);
    if (!ws_buffer_reserve(out, most * sizeof(ws_access))) return NULL;
    return (ws_access *)(void *)(out->data + out->size);
}

/* Appends the accesses of lanes that are coalesced together, in the order in which they leave. */
static void put_lanes(const ws_access_rules *r, ws_buffer *out, const ws_static *s, const uint64_t *addresses,
                      uint64_t mask, unsigned lanes) {
    ws_coalesced lines[WS_COALESCED_MAX];
    shape h = shape_of(r, s);
    bool in_bytes = h.writes && s->width_B % 4 != 0;
    unsigned count = in_bytes
                         ? ws_coalesce(&r->coalescer, addresses, lanes, s->width_B, lines)
                         : ws_coalesce_words(r->coalescer.line_shift, addresses, lanes, s->width_B, lines);
    ws_access *first = reserve(r, out, &h, count), *end = first;
    if (!first) return;
    const ws_coalesced *line = h.descending ? lines + count - 1 : lines;
    for (unsigned i = 0; i < count; i++, line += h.descending ? -1 : 1)
        end = put_line(&h, end, line->line, line->words, in_bytes && is_in_parts(line));
    out->size = (size_t)((uint8_t *)end - out->data);
    if (r->mappings) note_mappings(r, first, end, s->width_B, addresses, mask);
    if (r->order == WS_ORDER_LANE) sort_by_lane(r, first, (size_t)(end - first), addresses, s->width_B);
}

/* ---- atomics */

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
static void put_rounds(const ws_access_rules *r, ws_buffer *out, const ws_static *s,
                       const uint64_t *addresses, unsigned lanes) {
    uint8_t round[WS_LANES_MAX];
    uint64_t lanes_of[WS_LANES_MAX]; /* by round */
    unsigned rounds = 0;
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

/* ---- the usual atomics: of whole words, aligned to their width
 *
 * Their lanes overlap only at equal addresses: the first lane at an address goes into round 0, the second one into
 * round 1, and so on. So it is enough to count, line by line, how many lanes have come to each word. */

typedef struct layers {
    uint64_t line;
    unsigned rounds;
    uint8_t lanes_at[64];         /* per word: number of lanes whose first word it is */
    uint64_t words[WS_LANES_MAX]; /* per round: set of words that it touches */
} layers;

static bool is_usual(const ws_access_rules *r, unsigned width, const uint64_t *addresses, unsigned lanes) {
    uint64_t low = 0;
    for (unsigned i = 0; i < lanes; i++) low |= addresses[i];
    return (width == 4 || width == 8) && !(low & (width - 1)) && !r->mappings && r->order != WS_ORDER_LANE;
}

/* Sorts the lanes into lines, in no order, and the lines into rounds. Returns the number of lines, and writes that of
 * the rounds. `number_of`: per hash of a line its number in `lines`, + 1. */
static unsigned lay(const ws_access_rules *r, unsigned width, const uint64_t *addresses, unsigned lanes,
                    layers *lines, unsigned *rounds) {
    enum { HASH_BITS = 7 };
    uint8_t number_of[(1 << HASH_BITS) + WS_LANES_MAX] = {0};
    unsigned count = 0;
    *rounds = 0;
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t line = addresses[i] >> r->coalescer.line_shift;
        unsigned word = (unsigned)(addresses[i] & (r->line_B - 1)) / 4;
        unsigned at = ws_hash(line, 64 - HASH_BITS);
        while (number_of[at] && lines[number_of[at] - 1].line != line) at++;
        if (!number_of[at]) {
            number_of[at] = (uint8_t)(count + 1);
            layers *new = &lines[count++];
            new->line = line;
            new->rounds = 0;
            memset(new->lanes_at, 0, sizeof new->lanes_at);
        }
        layers *l = &lines[number_of[at] - 1];
        unsigned round = l->lanes_at[word]++;
        if (round == l->rounds) l->words[l->rounds++] = 0;
        l->words[round] |= (width == 8 ? UINT64_C(3) : 1) << word;
        if (*rounds < l->rounds) *rounds = l->rounds;
    }
    return count;
}

static void sort_lines(const layers *lines, unsigned count, const layers **ascending) {
    for (unsigned i = 0; i < count; i++) {
        unsigned at = i;
        for (; at > 0 && ascending[at - 1]->line > lines[i].line; at--) ascending[at] = ascending[at - 1];
        ascending[at] = &lines[i];
    }
}

/* Writes the accesses to a line in descending order, the last round's to each place first. */
static ws_access *put_layers(const shape *h, ws_access *to, const layers *l) {
    for (uint8_t rest = ws_bytes_used(l->words[0]), part; rest; rest ^= part) {
        part = next_part(h, rest);
        uint64_t place = ws_bytes_of(part);
        for (unsigned round = l->rounds; round-- > 0;) {
            uint64_t words = l->words[round] & place;
            if (words) put_access(h, to++, l->line, words, ws_bytes_used(words), false);
        }
    }
    return to;
}

static void put_usual(const ws_access_rules *r, ws_buffer *out, const ws_static *s, const uint64_t *addresses,
                      unsigned lanes) {
    layers lines[WS_LANES_MAX];
    const layers *ascending[WS_LANES_MAX];
    shape h = shape_of(r, s);
    unsigned rounds, count = lay(r, s->width_B, addresses, lanes, lines, &rounds);
    sort_lines(lines, count, ascending);
    ws_access *to = reserve(r, out, &h, lanes);
    if (!to) return;
    for (unsigned i = count; h.descending && i-- > 0;) to = put_layers(&h, to, ascending[i]);
    for (unsigned round = 0; !h.descending && round < rounds; round++)
        for (unsigned i = 0; i < count; i++)
            if (round < ascending[i]->rounds)
                to = put_line(&h, to, ascending[i]->line, ascending[i]->words[round], false);
    out->size = (size_t)((uint8_t *)to - out->data);
}

/* ---- groups of lanes */

static void put_group(const ws_access_rules *r, ws_buffer *out, const ws_static *s, const uint64_t *addresses,
                      uint64_t mask, unsigned lanes) {
    if (!ws_memory_is_atomic(s->op))
        put_lanes(r, out, s, addresses, mask, lanes);
    else if (is_usual(r, s->width_B, addresses, lanes))
        put_usual(r, out, s, addresses, lanes);
    else
        put_rounds(r, out, s, addresses, lanes);
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
