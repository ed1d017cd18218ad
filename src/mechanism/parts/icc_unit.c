#include "mechanism/parts/icc_unit.h"

#include "mechanism/parts/line_bits.h"

#include <stdlib.h>

bool icc_unit_init(icc_unit *u, uint32_t merge_entries, uint32_t cache_lines) {
    *u = (icc_unit){.entry_count = merge_entries};
    u->entries = calloc(merge_entries + 1, sizeof *u->entries);
    return u->entries &&
           (!cache_lines || ws_cache_init(&u->cached, 1, cache_lines, WS_INDEX_LINEAR, WS_REPLACE_LRU, 0, 0));
}

void icc_unit_free(icc_unit *u) {
    free(u->entries);
    ws_cache_free(&u->cached);
    *u = (icc_unit){0};
}

/* ---- coalesced cache */

static uint32_t find_cached(const icc_unit *u, uint64_t line) {
    return u->cached.ways ? ws_cache_find(&u->cached, line) : WS_NO_WAY;
}

static uint32_t find_hit(const icc_unit *u, uint64_t line, uint8_t sectors) {
    uint32_t way = find_cached(u, line);
    return way != WS_NO_WAY && !(sectors & ~u->cached.lines[way].valid) ? way : WS_NO_WAY;
}

static void fill_cache(icc_unit *u, uint64_t line, uint8_t sectors) {
    if (!u->cached.ways) return;
    uint32_t way = find_cached(u, line);
    if (way == WS_NO_WAY) way = ws_cache_victim(&u->cached, line);
    ws_cache_take(&u->cached, way, line, 0);
    ws_cache_fill(&u->cached, way, line, sectors);
}

void icc_unit_empty_cache(icc_unit *u) {
    if (u->cached.ways) ws_cache_empty(&u->cached);
}

/* ---- merge table */

/* Adds SM `sm` to those that wait for the sectors. */
static void await(icc_entry *m, unsigned sm, uint8_t sectors) {
    for (; sectors; sectors &= (uint8_t)(sectors - 1)) m->sms[__builtin_ctz(sectors)] |= UINT64_C(1) << sm;
}

static bool waits(const icc_entry *m, unsigned sm, uint8_t sectors) {
    uint64_t sms = 0;
    for (; sectors; sectors &= (uint8_t)(sectors - 1)) sms |= m->sms[__builtin_ctz(sectors)];
    return sms >> sm & 1;
}

static bool takes(const icc_entry *m, unsigned sm, uint8_t sectors) {
    return !(m->arrived & sectors) && !m->written && !waits(m, sm, sectors);
}

/* Returns an entry with the sectors, if there is one: of several one that takes the SM, of these the one that was made
 * for just these sectors. */
static icc_entry *find_entry(const icc_unit *u, unsigned sm, uint64_t line, uint8_t sectors) {
    icc_entry *found = NULL;
    int best = -1;
    for (uint32_t i = 0; i < u->end; i++) {
        icc_entry *m = &u->entries[i];
        if (m->line != line || !m->valid || sectors & ~m->sectors) continue;
        int fits = 2 * takes(m, sm, sectors) + (m->sectors == sectors);
        if (fits > best) found = m, best = fits;
    }
    return found;
}

/* Takes the first free entry. */
static icc_entry *take_entry(icc_unit *u) {
    uint32_t i = 0;
    while (i < u->end && u->entries[i].valid) i++;
    if (i == u->entry_count) return NULL;
    if (i == u->end) u->end++;
    return &u->entries[i];
}

static void free_entry(icc_unit *u, icc_entry *m) {
    m->valid = false;
    while (u->end && !u->entries[u->end - 1].valid) u->end--;
}

bool icc_unit_absorbs(const icc_unit *u, unsigned sm, uint64_t line, uint8_t sectors) {
    const icc_entry *m = find_entry(u, sm, line, sectors);
    return (m && takes(m, sm, sectors)) || find_hit(u, line, sectors) != WS_NO_WAY;
}

enum icc_answer icc_unit_read(icc_unit *u, unsigned sm, uint64_t line, uint8_t sectors) {
    uint32_t way = find_hit(u, line, sectors);
    if (way != WS_NO_WAY) {
        ws_cache_touch(&u->cached, way);
        return ICC_CACHED;
    }
    icc_entry *m = find_entry(u, sm, line, sectors);
    if (m) {
        if (!takes(m, sm, sectors)) return ICC_DIRECT;
        await(m, sm, sectors);
        return ICC_MERGED;
    }
    m = take_entry(u);
    if (!m) return ICC_DIRECT;
    *m = (icc_entry){.line = line, .sectors = sectors, .valid = true};
    await(m, sm, sectors);
    return ICC_SENT;
}

void icc_unit_write(icc_unit *u, uint64_t line) {
    uint32_t way = find_cached(u, line);
    if (way != WS_NO_WAY) ws_cache_invalidate(&u->cached, way, WS_ALL_SECTORS);
    for (uint32_t i = 0; i < u->end; i++)
        if (u->entries[i].valid && u->entries[i].line == line) u->entries[i].written = true;
}

/* All data of the entry have arrived. They are worth caching if more than one SM asked for them. */
static void complete(icc_unit *u, icc_entry *m) {
    uint64_t sms = 0;
    for (unsigned i = 0; i < ICC_SECTORS; i++) sms |= m->sms[i];
    bool coalesced = sms & (sms - 1);
    if (coalesced && !m->written) fill_cache(u, m->line, m->sectors);
    free_entry(u, m);
}

uint64_t icc_unit_reply(icc_unit *u, unsigned sm, uint64_t line, uint8_t sector, bool sent) {
    uint64_t to = sent ? 0 : UINT64_C(1) << sm;
    for (uint32_t i = 0; i < u->end; i++) {
        icc_entry *m = &u->entries[i];
        if (m->line != line || !m->valid || !(m->sectors & sector & ~m->arrived)) continue;
        to |= m->sms[__builtin_ctz(sector)];
        m->arrived |= sector;
        if (m->arrived == m->sectors) complete(u, m);
    }
    return to;
}

/* ---- cost */

uint64_t icc_table_bits(uint64_t entries, uint64_t sms_per_cluster, uint64_t line_B) {
    return entries * (ws_line_bits(line_B) + sms_per_cluster);
}

uint64_t icc_cache_bits(uint64_t lines, uint64_t line_B) {
    return lines * (ws_line_bits(line_B) + line_B * 8);
}
