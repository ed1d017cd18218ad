/* The effect on the L2 of copies to the device, which the host makes before a launch (l2.copies). */
#include "timed/engine.h"

void ws_place_copy(ws_engine *e, const ws_memcpy *copy) {
    uint64_t line_B = (uint64_t)e->l1->line_B;
    for (uint64_t at = copy->address & ~(uint64_t)(WS_TIMED_SECTOR_B - 1); at < copy->address + copy->bytes;
         at += WS_TIMED_SECTOR_B) {
        uint64_t line = at / line_B;
        uint8_t sector = (uint8_t)(1u << at % line_B / WS_TIMED_SECTOR_B);
        ws_slice *s = &e->slices[ws_slice_of(&e->map, line)];
        uint32_t way;
        enum ws_probe probe =
            ws_cache_probe(&s->tags, line, ws_slice_line(&e->map, line), sector, false, &way);
        /* another program's data may be on their way */
        if (probe == WS_PROBE_FULL || probe == WS_PROBE_PENDING) continue;
        if (probe == WS_PROBE_MISS) ws_cache_replace(&s->tags, way, line, 0);
        ws_cache_reserve(&s->tags, way, sector);
        ws_cache_fill(&s->tags, way, line, sector);
    }
}
