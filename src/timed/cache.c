/* A line is found by a hash over all lines (ws_cache_find), whatever its set; sets matter only for the choice of
 * victims. Each set keeps its order of replacement as a ring of ways (ws_cache_order). */
#include "timed/cache.h"

#include "base/bytes.h"
#include "base/random.h"

#include <stdlib.h>

/* ---- life */

static ws_cache_set *set_at(const ws_cache *c, uint32_t index) {
    return (ws_cache_set *)(void *)((char *)c->set + index * c->set_B);
}

enum { SPARSE_LINES_MAX = 512 };

/* At least as many buckets as lines. Small caches have four per line: few buckets then hold two lines, so that the host
 * can predict that a bucket holds one. For large ones such a table would push more out of the host's own caches than
 * that is worth. */
static bool init_buckets(ws_cache *c, size_t lines) {
    size_t buckets = 16, least = lines <= SPARSE_LINES_MAX ? 4 * lines : lines;
    while (buckets < least) buckets *= 2;
    c->hash_shift = 64 - (uint32_t)__builtin_ctzll(buckets);
    if (lines < UINT16_MAX)
        c->narrow = calloc(buckets, sizeof *c->narrow);
    else
        c->wide = calloc(buckets, sizeof *c->wide);
    return c->narrow || c->wide;
}

static void init_order(ws_cache_set *set, uint32_t ways) {
    for (uint32_t way = 0; way < ways; way++) {
        set->order[way].older = (uint16_t)(way ? way - 1 : ways - 1);
        set->order[way].newer = (uint16_t)(way + 1 < ways ? way + 1 : 0);
    }
}

bool ws_cache_init(ws_cache *c, uint32_t sets, uint32_t ways, enum ws_set_index index,
                   enum ws_replacement replacement, uint64_t seed, double dirty_percent) {
    *c = (ws_cache){.sets = sets,
                    .ways = ways,
                    .index = index,
                    .indexed = index == WS_INDEX_IPOLY ? ws_ipoly_bits(sets) : UINT64_MAX,
                    .replacement = replacement,
                    .leaves = 1,
                    .random = seed,
                    .set_B = (sizeof(ws_cache_set) + ways * sizeof(ws_cache_order) + 7) / 8 * 8,
                    .ways_of_set = ws_divisor_of(ways)};
    while (c->leaves < ways) c->leaves *= 2;
    c->draw = ws_random_next(&c->random);
    size_t lines = (size_t)sets * ways;
    c->dirty_limit = (uint32_t)(dirty_percent / 100 * (double)lines);
    c->set = calloc(sets, c->set_B);
    c->linked = calloc(lines + 1, sizeof *c->linked);
    c->written = calloc(lines, sizeof *c->written);
    c->points = replacement == WS_REPLACE_PLRU ? calloc((size_t)sets * c->leaves, sizeof *c->points) : NULL;
    if (!init_buckets(c, lines) || !c->set || !c->linked || !c->written ||
        (replacement == WS_REPLACE_PLRU && !c->points))
        return false;
    c->lines = c->linked + 1;
    for (uint32_t at = 0; at <= lines; at++) c->linked[at].line = WS_NO_LINE;
    for (uint32_t i = 0; i < sets; i++) init_order(set_at(c, i), ways);
    return true;
}

void ws_cache_free(ws_cache *c) {
    free(c->narrow);
    free(c->wide);
    free(c->set);
    free(c->linked);
    free(c->written);
    free(c->points);
    *c = (ws_cache){0};
}

/* ---- victims */

/* Whether the replacement goes by the order of ways in their sets. */
static bool is_ordered(const ws_cache *c) {
    return c->replacement == WS_REPLACE_LRU || c->replacement == WS_REPLACE_FIFO;
}

static bool may_go(const ws_cache *c, const ws_cache_line *l) {
    return !l->reserved && (!l->dirty || c->dirty_lines >= c->dirty_limit);
}

/* Returns how many of a set's ways first .. last - 1 may be victims. */
static uint32_t count_that_may_go(const ws_cache *c, const ws_cache_line *set, uint32_t first,
                                  uint32_t last) {
    uint32_t count = 0;
    for (uint32_t way = first; way < last && way < c->ways; way++) count += may_go(c, &set[way]);
    return count;
}

static inline uint32_t oldest_that_may_go(const ws_cache *c, uint32_t index) {
    const ws_cache_line *set = &c->lines[index * c->ways];
    const ws_cache_set *order = set_at(c, index);
    uint32_t way = order->oldest;
    while (!may_go(c, &set[way])) {
        way = order->order[way].newer;
        if (way == order->oldest) return WS_NO_WAY;
    }
    return index * c->ways + way;
}

static uint32_t empty_way(const ws_cache *c, uint32_t index) {
    const ws_cache_line *set = &c->lines[index * c->ways];
    for (uint32_t way = 0; way < c->ways; way++)
        if (set[way].line == WS_NO_LINE) return way;
    return WS_NO_WAY;
}

static uint32_t way_pointed_to(const ws_cache *c, uint32_t index) {
    const ws_cache_line *set = &c->lines[index * c->ways];
    const uint8_t *points = &c->points[index * c->leaves];
    if (!count_that_may_go(c, set, 0, c->ways)) return WS_NO_WAY;
    uint32_t way = 0, node = 1;
    for (uint32_t half = c->leaves / 2; half; half /= 2) {
        uint32_t right = points[node];
        if (!count_that_may_go(c, set, way + right * half, way + right * half + half)) right = !right;
        way += right * half;
        node = 2 * node + right;
    }
    return way;
}

static uint32_t drawn_way(const ws_cache *c, uint32_t index) {
    const ws_cache_line *set = &c->lines[index * c->ways];
    uint32_t count = count_that_may_go(c, set, 0, c->ways);
    if (!count) return WS_NO_WAY;
    uint32_t before = (uint32_t)(c->draw % count), way = 0;
    for (; before || !may_go(c, &set[way]); way++) before -= may_go(c, &set[way]);
    return way;
}

/* Not inlined, so that the frequent case saves no registers; the same with the index ipoly. */
static __attribute__((noinline)) uint32_t victim_without_order(const ws_cache *c, uint32_t index) {
    uint32_t way = empty_way(c, index);
    if (way == WS_NO_WAY)
        way = c->replacement == WS_REPLACE_PLRU ? way_pointed_to(c, index) : drawn_way(c, index);
    return way == WS_NO_WAY ? WS_NO_WAY : index * c->ways + way;
}

static inline uint32_t victim_of_set(const ws_cache *c, uint32_t index) {
    return is_ordered(c) ? oldest_that_may_go(c, index) : victim_without_order(c, index);
}

static __attribute__((noinline)) uint32_t victim_by_ipoly(const ws_cache *c, uint64_t set_line) {
    return victim_of_set(c, ws_ipoly(set_line & c->indexed, c->sets));
}

uint32_t ws_cache_victim(const ws_cache *c, uint64_t set_line) {
    if (c->index == WS_INDEX_IPOLY) return victim_by_ipoly(c, set_line);
    return victim_of_set(c, ws_set_of(c->index, set_line, c->sets));
}

/* As an L1 that spares dirty lines would never serve what waits for such a set, timed.c asks this when it finds a
 * deadlock. */
bool ws_cache_spares_a_set(const ws_cache *c) {
    if (c->dirty_lines >= c->dirty_limit) return false;
    for (uint32_t set = 0; set < c->sets; set++) {
        uint32_t dirty = 0;
        while (dirty < c->ways && c->lines[set * c->ways + dirty].dirty) dirty++;
        if (dirty == c->ways) return true;
    }
    return false;
}

enum ws_probe ws_cache_probe(const ws_cache *c, uint64_t line, uint64_t set_line, uint8_t sectors,
                             bool is_write, uint32_t *way) {
    *way = ws_cache_find(c, line);
    if (*way == WS_NO_WAY) {
        *way = ws_cache_victim(c, set_line);
        return *way == WS_NO_WAY ? WS_PROBE_FULL : WS_PROBE_MISS;
    }
    const ws_cache_line *l = &c->lines[*way];
    if (l->reserved & sectors) return WS_PROBE_PENDING;
    uint8_t usable = is_write ? l->valid : ws_cache_readable(l);
    if ((usable & sectors) == sectors) return WS_PROBE_HIT;
    return l->valid | l->reserved ? WS_PROBE_SECTOR_MISS : WS_PROBE_MISS;
}

/* ---- order of replacement */

static inline void move_to_end(ws_cache_set *set, uint32_t way) {
    ws_cache_order *order = set->order, *moved = &order[way];
    uint16_t oldest = set->oldest;
    if (way == oldest) { /* the oldest way becomes the newest: only the start of the ring moves */
        set->oldest = moved->newer;
        return;
    }
    uint16_t newest = order[oldest].older;
    if (way == newest) return;
    order[moved->older].newer = moved->newer;
    order[moved->newer].older = moved->older;
    *moved = (ws_cache_order){.older = newest, .newer = oldest};
    order[newest].newer = order[oldest].older = (uint16_t)way;
}

/* Whether the way is one of the newest `count`. */
static bool is_among_newest(const ws_cache_set *set, uint32_t way, uint32_t count) {
    uint32_t newest = set->order[set->oldest].older;
    for (; count && newest != way; count--) newest = set->order[newest].older;
    return count > 0;
}

/* Moves the newest way in front of another one. */
static void put_in_front(ws_cache_set *set, uint32_t way, uint32_t other) {
    ws_cache_order *order = set->order, *moved = &order[way];
    order[moved->older].newer = moved->newer;
    order[moved->newer].older = moved->older;
    *moved = (ws_cache_order){.older = order[other].older, .newer = (uint16_t)other};
    order[moved->older].newer = order[other].older = (uint16_t)way;
    if (set->oldest == other) set->oldest = (uint16_t)way;
}

/* Makes the way the newest but for those of the same moment in lower places. */
static __attribute__((noinline)) void sort_in(ws_cache_set *set, uint32_t way) {
    bool counted = is_among_newest(set, way, set->simultaneous);
    uint32_t others = set->simultaneous - counted, behind = way;
    move_to_end(set, way);
    for (uint32_t before = set->order[way].older; others && before < way; others--) {
        behind = before;
        before = set->order[before].older;
    }
    if (behind != way) put_in_front(set, way, behind);
    set->simultaneous += !counted;
}

static inline void make_newest(ws_cache *c, uint32_t at) {
    uint32_t index = ws_cache_set_of_way(c, at), way = at - index * c->ways;
    ws_cache_set *set = set_at(c, index);
    if (c->moment) {
        if (set->moment == c->moment) {
            sort_in(set, way);
            return;
        }
        set->moment = c->moment;
        set->simultaneous = 1;
    }
    move_to_end(set, way);
}

static void make_oldest(ws_cache *c, uint32_t at) {
    uint32_t index = ws_cache_set_of_way(c, at), way = at - index * c->ways;
    ws_cache_set *set = set_at(c, index);
    move_to_end(set, way);
    set->oldest = (uint16_t)way;
}

/* plru: makes the nodes above a way point away from it. */
static void point_away(ws_cache *c, uint32_t at) {
    uint32_t index = ws_cache_set_of_way(c, at);
    uint8_t *points = &c->points[index * c->leaves];
    for (uint32_t node = c->leaves + at - index * c->ways; node > 1; node /= 2)
        points[node / 2] = !(node & 1);
}

/* Notes that a line has come to a way of a cache whose replacement goes by no order. */
static __attribute__((noinline)) void note_use(ws_cache *c, uint32_t at) {
    if (c->replacement == WS_REPLACE_PLRU)
        point_away(c, at);
    else
        c->draw = ws_random_next(&c->random);
}

void ws_cache_touch(ws_cache *c, uint32_t way) {
    if (c->replacement == WS_REPLACE_LRU)
        make_newest(c, way);
    else if (c->replacement == WS_REPLACE_PLRU)
        point_away(c, way);
}

/* ---- changes */

static void set_first(ws_cache *c, uint32_t bucket, uint32_t first) {
    if (c->narrow)
        c->narrow[bucket] = (uint16_t)first;
    else
        c->wide[bucket] = first;
}

/* Takes the line out of its hash bucket if it is the first one there, as nearly all are. Returns whether it is. */
static inline bool unlink_first(ws_cache *c, uint32_t at) {
    const ws_cache_line *l = &c->lines[at];
    uint32_t bucket = ws_cache_bucket(c, l->line);
    if (ws_cache_first(c, bucket) != at + 1) return false;
    set_first(c, bucket, l->chain);
    return true;
}

static void unlink_behind(ws_cache *c, uint32_t at) {
    const ws_cache_line *l = &c->lines[at];
    ws_cache_line *before = &c->linked[ws_cache_first(c, ws_cache_bucket(c, l->line))];
    while (before->chain != at + 1) before = &c->linked[before->chain];
    before->chain = l->chain;
}

/* Takes the line out of its hash bucket and out of the count of dirty lines. */
static void forget(ws_cache *c, uint32_t at) {
    if (!unlink_first(c, at)) unlink_behind(c, at);
    c->dirty_lines -= c->lines[at].dirty != 0;
    c->lines[at] = (ws_cache_line){.line = WS_NO_LINE};
}

/* ws_cache_replace() of a line that is not the first in its hash bucket. Not inlined, as the following. */
static __attribute__((noinline)) void replace_behind(ws_cache *c, uint32_t way, uint64_t line,
                                                     uint8_t reserved) {
    forget(c, way);
    ws_cache_replace(c, way, line, reserved);
}

void ws_cache_replace(ws_cache *c, uint32_t way, uint64_t line, uint8_t reserved) {
    ws_cache_line *l = &c->lines[way];
    if (l->line != WS_NO_LINE && !unlink_first(c, way)) {
        replace_behind(c, way, line, reserved);
        return;
    }
    c->dirty_lines -= l->dirty != 0;
    uint32_t bucket = ws_cache_bucket(c, line);
    *l = (ws_cache_line){.line = line, .reserved = reserved, .chain = ws_cache_first(c, bucket) & 0xffffffu};
    set_first(c, bucket, way + 1);
    if (is_ordered(c))
        make_newest(c, way);
    else
        note_use(c, way);
}

/* ws_cache_take() of a way that the line has. Not inlined, so that the frequent case saves no registers. */
static __attribute__((noinline)) void take_again(ws_cache *c, uint32_t way, uint8_t reserved) {
    if (reserved) ws_cache_reserve(c, way, reserved);
    ws_cache_touch(c, way);
}

void ws_cache_take(ws_cache *c, uint32_t way, uint64_t line, uint8_t reserved) {
    if (c->lines[way].line == line)
        take_again(c, way, reserved);
    else
        ws_cache_replace(c, way, line, reserved);
}

void ws_cache_invalidate(ws_cache *c, uint32_t way, uint8_t sectors) {
    ws_cache_line *l = &c->lines[way];
    uint8_t others = (uint8_t)~sectors;
    c->dirty_lines -= l->dirty && !(l->dirty & others);
    l->valid &= others;
    l->dirty &= others;
    l->unreadable &= others;
    l->dirty_fill &= others | l->reserved;
    if (l->valid | l->reserved) return;
    forget(c, way);
    make_oldest(c, way);
}

void ws_cache_empty(ws_cache *c) {
    /* from the last way down, as the one that is emptied last is the first to be filled */
    for (uint32_t way = c->sets * c->ways; way-- > 0;) {
        ws_cache_line *l = &c->lines[way];
        if (l->line == WS_NO_LINE) continue;
        if (!l->reserved) {
            ws_cache_invalidate(c, way, WS_ALL_SECTORS);
            continue;
        }
        c->dirty_lines -= l->dirty != 0;
        l->valid = l->reserved = l->dirty = l->unreadable = 0;
        l->dirty_fill = 0;
        make_oldest(c, way);
    }
    c->dirty_lines = 0; /* a line that an arrival made clean was still counted */
}

void ws_cache_modify(ws_cache *c, uint32_t way, uint8_t sectors, uint64_t words) {
    ws_cache_line *l = &c->lines[way];
    c->dirty_lines += !l->dirty;
    c->written[way] = words | (l->dirty ? c->written[way] : 0);
    l->dirty |= sectors;
    ws_cache_touch(c, way);
}

bool ws_cache_unreserve(ws_cache *c) {
    bool any = false;
    for (ws_cache_line *l = c->lines, *end = l + c->sets * c->ways; l < end; l++) {
        any |= l->reserved != 0;
        l->reserved = 0;
    }
    return any;
}

void ws_cache_reserve(ws_cache *c, uint32_t way, uint8_t sectors) {
    ws_cache_line *l = &c->lines[way];
    uint8_t complete = l->dirty & sectors & (uint8_t)~l->unreadable;
    if (complete) c->written[way] &= ~ws_bytes_of(complete); /* their words were not noted */
    if (l->dirty && !(l->dirty & ~sectors)) c->dirty_lines--;
    uint8_t asked = sectors & (uint8_t)~l->reserved;
    l->reserved |= sectors;
    l->valid &= (uint8_t)~sectors;
    /* what was written stays when the rest arrives */
    l->dirty_fill = (l->dirty_fill & ~asked) | (l->dirty & asked);
    l->dirty &= (uint8_t)~sectors;
    l->unreadable &= (uint8_t)~sectors;
}

void ws_cache_fill_written(ws_cache *c, ws_cache_line *l, uint8_t sectors) {
    uint8_t dirty = l->dirty_fill & sectors;
    c->dirty_lines += dirty && !l->dirty;
    l->dirty = (l->dirty & (uint8_t)~sectors) | dirty;
    l->unreadable &= (uint8_t)~dirty;
}

/* Adds words to those written of a way, of which the sectors `fresh` had none. Returns the complete sectors. (The words
 * that a sector had when it was read, whose rest is on its way, still count, as in GPGPU-Sim.) */
static uint8_t add_words(ws_cache *c, uint32_t way, uint8_t fresh, uint64_t words) {
    c->written[way] = (c->written[way] & ~ws_bytes_of(fresh)) | words;
    return ws_bytes_full(c->written[way]);
}

void ws_cache_write(ws_cache *c, uint32_t way, uint8_t sectors, uint64_t words) {
    ws_cache_line *l = &c->lines[way];
    if (!l->dirty) c->dirty_lines++;
    uint8_t fresh = sectors & (uint8_t)~l->valid, full = ws_bytes_full(words) & sectors;
    if ((fresh | l->unreadable) & sectors & (uint8_t)~full)
        full = add_words(c, way, fresh & (uint8_t)~l->dirty_fill, words & ws_bytes_of(sectors)) & sectors;
    uint8_t coming = l->reserved & sectors;
    c->wrote_reserved |= coming != 0;
    l->dirty_fill |= coming;
    l->unreadable = (l->unreadable | fresh) & (uint8_t)~full;
    l->reserved &= (uint8_t)~sectors;
    l->valid |= sectors;
    l->dirty |= sectors;
}

void ws_cache_mark(ws_cache *c, uint32_t way, uint8_t sectors, uint64_t words) {
    ws_cache_line *l = &c->lines[way];
    if (l->line == WS_NO_LINE) return;
    c->dirty_lines += !l->dirty;
    l->dirty |= sectors;
    c->written[way] |= words & ws_bytes_of(sectors);
}
