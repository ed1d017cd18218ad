/* Local memory in an L1 that global writes pass (l1.write = evict): a write that hits stays in the L1, and what is
 * dirty goes to the L2 when its line loses its way; nobody waits for that. A line whose way goes to data that arrive
 * (l1.allocation = on_fill) is lost with what is dirty, as in GPGPU-Sim, which moves no data (wr_hit_wb,
 * L1_WRBK_ACC). */
#include "timed/l1/l1.h"

void ws_l1_write_local(ws_engine *e, ws_sm *s, uint32_t id, uint32_t way, uint8_t sectors) {
    const ws_packet *p = &e->packets.at[id];
    ws_cache_modify(&s->l1, way, sectors, p->words);
    ws_l1_take_acknowledgement(e, s, p);
    ws_packet_free(&e->packets, id);
}

static void write_back(ws_engine *e, ws_sm *s, ws_cache_line victim, uint64_t words) {
    uint32_t id = ws_packet_new(&e->packets);
    e->packets.at[id] = (ws_packet){.line = victim.line,
                                    .words = words,
                                    .slice = (uint16_t)ws_slice_of(&e->map, victim.line),
                                    .sm = (uint16_t)s->index,
                                    .sectors = victim.dirty,
                                    .data_B = ws_sector_count(victim.dirty) & 15,
                                    .local = true,
                                    .kind = WS_PACKET_WRITE_BACK};
    if (!ws_queue_push(&s->miss_queue, id, 1, e->now + 1)) e->failed = true;
}

void ws_l1_place_writing_back(ws_engine *e, ws_sm *s, uint32_t way, uint64_t line, uint8_t reserved,
                              unsigned warp) {
    ws_cache_line victim = s->l1.lines[way];
    ws_l1_place(e, s, way, line, reserved, warp);
    if (victim.line != line && victim.dirty) write_back(e, s, victim, s->l1.written[way]);
}
