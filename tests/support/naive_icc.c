#include "naive_icc.h"

#include <stdlib.h>

/* A request that went to memory. */
typedef struct sent {
    unsigned sm;
    uint64_t line, waiting[8]; /* per sector: SMs on its list, itself included */
    uint8_t sectors, served;
    bool tabled, written;
} sent;

enum { SENT_MAX = 1 << 16 };

/* A line that the cache holds because several SMs had waited for it; the list has the most recently used one last. */
typedef struct kept {
    uint64_t line;
    uint8_t sectors;
} kept;

struct naive_icc {
    uint32_t merge_entries, cache_lines, kept_count;
    size_t sent_count;
    kept *kept;
    sent sent[SENT_MAX];
};

naive_icc *naive_icc_new(uint32_t merge_entries, uint32_t cache_lines) {
    naive_icc *n = calloc(1, sizeof *n);
    n->merge_entries = merge_entries;
    n->cache_lines = cache_lines;
    n->kept = calloc(cache_lines + 2, sizeof *n->kept);
    return n;
}

void naive_icc_free(naive_icc *n) {
    free(n->kept);
    free(n);
}

static bool in_table(const sent *s) {
    return s->tabled && s->served != s->sectors;
}

/* Removes a line from the cache; false if it is not there. */
static bool take_kept(naive_icc *n, uint64_t line, kept *out) {
    for (uint32_t i = 0; i < n->kept_count; i++) {
        if (n->kept[i].line != line) continue;
        *out = n->kept[i];
        for (uint32_t k = i + 1; k < n->kept_count; k++) n->kept[k - 1] = n->kept[k];
        n->kept_count--;
        return true;
    }
    return false;
}

static void keep(naive_icc *n, kept line) {
    if (n->cache_lines == 0) return;
    if (n->kept_count == n->cache_lines) {
        kept oldest;
        take_kept(n, n->kept[0].line, &oldest);
    }
    n->kept[n->kept_count++] = line;
}

static bool waits(const sent *s, unsigned sm, uint8_t sectors) {
    for (int i = 0; i < 8; i++)
        if (sectors >> i & 1 && s->waiting[i] >> sm & 1) return true;
    return false;
}

static void list(sent *s, unsigned sm, uint8_t sectors) {
    for (int i = 0; i < 8; i++)
        if (sectors >> i & 1) s->waiting[i] |= UINT64_C(1) << sm;
}

char naive_icc_read(naive_icc *n, unsigned sm, uint64_t line, uint8_t sectors, size_t *request) {
    for (uint32_t i = 0; i < n->kept_count; i++)
        if (n->kept[i].line == line && (n->kept[i].sectors & sectors) == sectors) {
            kept hit;
            take_kept(n, line, &hit);
            keep(n, hit);
            return 'c';
        }
    bool tabled = true;
    uint32_t used = 0;
    sent *joined = NULL;
    for (size_t i = 0; i < n->sent_count; i++) {
        sent *s = &n->sent[i];
        if (!in_table(s)) continue;
        used++;
        if (s->line != line || (s->sectors & sectors) != sectors) continue;
        bool takes = !(s->served & sectors) && !s->written && !waits(s, sm, sectors);
        if (takes && (!joined || s->sectors == sectors)) joined = s;
        tabled = false;
    }
    if (joined) {
        list(joined, sm, sectors);
        return 'm';
    }
    if (used >= n->merge_entries) tabled = false;
    *request = n->sent_count;
    sent *s = &n->sent[n->sent_count++];
    *s = (sent){.sm = sm, .line = line, .sectors = sectors, .tabled = tabled};
    list(s, sm, sectors);
    return tabled ? 's' : 'd';
}

void naive_icc_write(naive_icc *n, uint64_t line) {
    kept gone;
    take_kept(n, line, &gone);
    for (size_t i = 0; i < n->sent_count; i++)
        if (n->sent[i].line == line) n->sent[i].written = true;
}

static uint64_t serve(naive_icc *n, sent *s, uint8_t sector) {
    if (!in_table(s) || !(s->sectors & sector) || s->served & sector) return 0;
    s->served |= sector;
    uint64_t all = 0;
    for (int i = 0; i < 8; i++) all |= s->waiting[i];
    if (s->served == s->sectors && !s->written && __builtin_popcountll(all) > 1) {
        kept line = {s->line, 0};
        take_kept(n, s->line, &line);
        line.sectors |= s->sectors;
        keep(n, line);
    }
    return s->waiting[__builtin_ctz(sector)];
}

uint64_t naive_icc_reply(naive_icc *n, size_t request, uint8_t sector) {
    const sent *own = &n->sent[request];
    uint64_t to = own->tabled ? 0 : UINT64_C(1) << own->sm;
    for (size_t i = 0; i < n->sent_count; i++)
        if (n->sent[i].line == own->line) to |= serve(n, &n->sent[i], sector);
    return to;
}
