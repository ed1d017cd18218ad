#include "mechanism/icc_unit.h"

#include <stdlib.h>

bool icc_unit_init(icc_unit *u, uint32_t merge_entries, uint32_t cache_lines) {
    *u = (icc_unit){.entry_count = merge_entries, .cached_count = cache_lines};
    u->entries = calloc(merge_entries + 1, sizeof *u->entries);
    u->cached = calloc(cache_lines + 1, sizeof *u->cached);
    return u->entries && u->cached;
}

void icc_unit_free(icc_unit *u) {
    free(u->entries);
    free(u->cached);
    *u = (icc_unit){0};
}

/* ---- coalesced cache */

static icc_cached *find_cached(const icc_unit *u, uint64_t line) {
    for (uint32_t i = 0; i < u->cached_count; i++)
        if (u->cached[i].used && u->cached[i].line == line) return &u->cached[i];
    return NULL;
}

static icc_cached *find_hit(const icc_unit *u, uint64_t line, uint8_t sectors) {
    icc_cached *c = find_cached(u, line);
    return c && !(sectors & ~c->sectors) ? c : NULL;
}

/* Empty places are filled first: they count as least recently used, since their `used` is 0. */
static void fill_cache(icc_unit *u, uint64_t line, uint8_t sectors) {
    if (!u->cached_count) return;
    icc_cached *c = find_cached(u, line);
    if (!c) {
        c = u->cached;
        for (uint32_t i = 1; i < u->cached_count; i++)
            if (u->cached[i].used < c->used) c = &u->cached[i];
        *c = (icc_cached){.line = line};
    }
    c->sectors |= sectors;
    c->used = ++u->clock;
}

/* ---- merge table */

static icc_entry *find_entry(const icc_unit *u, uint64_t line, uint8_t sectors) {
    for (uint32_t i = 0; u->in_use && i < u->entry_count; i++) {
        icc_entry *m = &u->entries[i];
        if (m->line == line && m->valid && m->sectors == sectors) return m;
    }
    return NULL;
}

static icc_entry *find_free(const icc_unit *u) {
    for (uint32_t i = 0; u->in_use < u->entry_count && i < u->entry_count; i++)
        if (!u->entries[i].valid) return &u->entries[i];
    return NULL;
}

static bool takes(const icc_entry *m, unsigned sm) {
    return !m->arrived && !m->written && !(m->sms >> sm & 1);
}

bool icc_unit_absorbs(const icc_unit *u, unsigned sm, uint64_t line, uint8_t sectors) {
    const icc_entry *m = find_entry(u, line, sectors);
    return (m && takes(m, sm)) || find_hit(u, line, sectors);
}

enum icc_answer icc_unit_read(icc_unit *u, unsigned sm, uint64_t line, uint8_t sectors) {
    uint64_t bit = UINT64_C(1) << sm;
    icc_cached *c = find_hit(u, line, sectors);
    if (c) {
        c->used = ++u->clock;
        return ICC_CACHED;
    }
    icc_entry *m = find_entry(u, line, sectors);
    if (m) {
        if (!takes(m, sm)) return ICC_DIRECT;
        m->sms |= bit;
        return ICC_MERGED;
    }
    m = find_free(u);
    if (!m) return ICC_DIRECT;
    *m = (icc_entry){.line = line, .sms = bit, .sectors = sectors, .valid = true};
    u->in_use++;
    return ICC_SENT;
}

void icc_unit_write(icc_unit *u, uint64_t line) {
    icc_cached *c = find_cached(u, line);
    if (c) *c = (icc_cached){0};
    for (uint32_t i = 0; u->in_use && i < u->entry_count; i++)
        if (u->entries[i].valid && u->entries[i].line == line) u->entries[i].written = true;
}

/* All data of the entry have arrived. They are worth caching if more than one SM asked for them. */
static void complete(icc_unit *u, icc_entry *m) {
    bool coalesced = m->sms & (m->sms - 1);
    if (coalesced && !m->written) fill_cache(u, m->line, m->sectors);
    m->valid = false;
    u->in_use--;
}

uint64_t icc_unit_reply(icc_unit *u, unsigned sm, uint64_t line, uint8_t sector, bool sent) {
    uint64_t to = sent ? 0 : UINT64_C(1) << sm;
    for (uint32_t i = 0; u->in_use && i < u->entry_count; i++) {
        icc_entry *m = &u->entries[i];
        if (m->line != line || !m->valid || !(m->sectors & sector & ~m->arrived)) continue;
        to |= m->sms;
        m->arrived |= sector;
        if (m->arrived == m->sectors) complete(u, m);
    }
    return to;
}

/* ---- cost */

enum { ADDRESS_BITS = 48 };

static uint64_t line_address_bits(uint64_t line_B) {
    return ADDRESS_BITS - (uint64_t)__builtin_ctzll(line_B);
}

uint64_t icc_table_bits(uint64_t entries, uint64_t sms_per_cluster, uint64_t line_B) {
    return entries * (line_address_bits(line_B) + sms_per_cluster);
}

uint64_t icc_cache_bits(uint64_t lines, uint64_t line_B) {
    return lines * (line_address_bits(line_B) + line_B * 8);
}
