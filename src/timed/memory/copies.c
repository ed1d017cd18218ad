/* The effect on the L2 of copies to the device, which the host makes before a launch (l2.copies). */
#include "timed/memory/slice.h"

/* The beginning of a copy that is larger than the L2 has left it by the copy's end. Lines need not spread evenly over
 * slices and sets, so what is placed is the end of the copy, of this many times the L2's size. */
enum { SIZES_PLACED = 4 };

static uint64_t sectors_placed_at_most(const ws_engine *e) {
    const ws_cache *tags = &e->slices[0].tags;
    const uint64_t lines = (uint64_t)tags->sets * tags->ways * e->slice_count;
    return SIZES_PLACED * lines * e->map.l2_sectors;
}

/* `number`: of all sectors, counted from address 0. */
static void place_sector(ws_engine *e, uint64_t number) {
    ws_slice *s = &e->slices[ws_slice_of(&e->map, number / e->map.l1_sectors)];
    const uint64_t line = number / e->map.l2_sectors;
    const uint8_t sector = (uint8_t)(1u << number % e->map.l2_sectors);
    uint32_t way;
    enum ws_probe probe = ws_cache_probe(&s->tags, line, ws_slice_line(&e->map, line), sector, false, &way);
    /* another program's data may be on their way */
    if (probe == WS_PROBE_FULL || probe == WS_PROBE_PENDING) return;
    if (probe == WS_PROBE_MISS) ws_cache_replace(&s->tags, way, line, 0);
    ws_cache_reserve(&s->tags, way, sector);
    ws_cache_fill(&s->tags, way, line, sector);
}

void ws_place_copy(ws_engine *e, const ws_memcpy *copy) {
    if (copy->bytes == 0) return;
    const uint64_t first = copy->address / WS_TIMED_SECTOR_B, most = sectors_placed_at_most(e);
    /* in sectors, which do not wrap around where addresses would */
    const uint64_t end =
        first + (copy->address % WS_TIMED_SECTOR_B + copy->bytes - 1) / WS_TIMED_SECTOR_B + 1;
    for (uint64_t sector = end - first > most ? end - most : first; sector < end; sector++)
        place_sector(e, sector);
}

void ws_place_copies(ws_engine *e, uint32_t index) {
    uint32_t count = ws_trace_get_info(e->trace)->memcpy_count;
    for (; e->l2->copies && e->next_copy < count; e->next_copy++) {
        const ws_memcpy *copy = ws_trace_memcpy(e->trace, e->next_copy);
        if (copy->before_kernel > index) return;
        ws_place_copy(e, copy);
    }
}
