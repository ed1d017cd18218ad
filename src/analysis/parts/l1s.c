#include "analysis/parts/l1s.h"

#include "base/inline.h"
#include "base/room.h"
#include "base/wide.h"

#include <stdlib.h>

enum { LINES_MAX = 1 << 20 };

const char *const ws_l1s_replacement_names[] = {[WS_TAGS_LRU] = "lru",
                                                [WS_TAGS_FIFO] = "fifo",
                                                [WS_TAGS_PLRU] = "plru",
                                                [WS_TAGS_RANDOM] = "random",
                                                NULL};
const char *const ws_l1s_write_names[] = {[WS_L1S_WRITE_EVICT] = "evict",
                                          [WS_L1S_WRITE_ALLOCATE] = "allocate",
                                          [WS_L1S_WRITE_IGNORE] = "ignore",
                                          NULL};

bool ws_l1s_validate(const ws_l1s_params *p, const char *name, ws_error *err) {
    bool power = (p->ways & (p->ways - 1)) == 0;
    if (p->replacement == WS_TAGS_PLRU && (!power || p->ways > WS_TAGS_PLRU_WAYS_MAX))
        return ws_fail(err, WS_ERROR_SPEC, "%s.ways: expected 1, 2, 4 .. %d for replacement plru, found %lld",
                       name, WS_TAGS_PLRU_WAYS_MAX, (long long)p->ways);
    if (p->sets * p->ways > LINES_MAX)
        return ws_fail(err, WS_ERROR_SPEC, "%s.ways: expected at most %d lines in all sets, found %lld", name,
                       LINES_MAX, (long long)(p->sets * p->ways));
    const char *expected = ws_set_index_refusal((enum ws_set_index)p->index, (uint64_t)p->sets);
    return !expected || ws_fail(err, WS_ERROR_SPEC, "%s.sets: expected %s, or %s.index linear, found %lld",
                                name, expected, name, (long long)p->sets);
}

bool ws_l1s_init(ws_l1s *l, const ws_l1s_params *params, uint32_t sms) {
    *l = (ws_l1s){.params = *params, .sms = sms, .tags = calloc(sms, sizeof *l->tags)};
    if (!l->tags) return false;
    for (uint32_t sm = 0; sm < sms; sm++)
        if (!ws_tags_init(&l->tags[sm], (uint32_t)params->sets, (uint32_t)params->ways,
                          (enum ws_tags_replacement)params->replacement, (uint64_t)params->seed << 32 | sm))
            return false;
    return true;
}

void ws_l1s_free(ws_l1s *l) {
    for (uint32_t sm = 0; l->tags && sm < l->sms; sm++) ws_tags_free(&l->tags[sm]);
    free(l->tags);
    free(l->set_of);
    *l = (ws_l1s){0};
}

bool ws_l1s_batch(ws_l1s *l, const ws_requests *b) {
    if (l->params.sets == 1) return true;
    size_t lines = (size_t)ws_largest(b->line, b->count) + 1;
    return WS_ZEROED_ROOM_FOR(l->set_of, l->set_room, lines);
}

WS_INLINE uint32_t set_of(ws_l1s *l, const ws_requests *b, uint32_t line) {
    if (l->params.sets == 1) return 0;
    uint32_t *set = &l->set_of[line];
    if (*set == 0)
        *set =
            ws_set_of((enum ws_set_index)l->params.index, b->line_address[line], (uint32_t)l->params.sets) +
            1;
    return *set - 1;
}

ws_l1s_answer ws_l1s_request(ws_l1s *l, const ws_requests *b, size_t i, uint32_t *victim) {
    ws_tags *tags = &l->tags[b->sm[i]];
    uint32_t line = b->line[i], set = set_of(l, b, line);
    *victim = WS_TAGS_NOBODY;
    switch (ws_l1s_deed_of(&l->params, b, i)) {
    case WS_L1S_PASS:
        return WS_L1S_PASSED;
    case WS_L1S_TOUCH:
        return ws_tags_touch(tags, set, line) ? WS_L1S_KEPT : WS_L1S_PASSED;
    case WS_L1S_EVICT:
        ws_tags_evict(tags, set, line);
        return WS_L1S_PASSED;
    case WS_L1S_ACCESS:
        break;
    }
    switch (ws_tags_access(tags, set, line, b->warp[i], victim)) {
    case WS_TAGS_HIT:
        return WS_L1S_HIT;
    case WS_TAGS_MISS:
        return WS_L1S_MISS;
    case WS_TAGS_NO_MEMORY:
        break;
    }
    return WS_L1S_NO_MEMORY;
}
