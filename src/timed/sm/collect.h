/* Operand collectors (collect.c, collect_layout.c). All but the first three functions may be called only if the GPU has
 * them (ws_collecting.used). */
#ifndef WS_TIMED_SM_COLLECT_H
#define WS_TIMED_SM_COLLECT_H

#include "timed/engine.h"

bool ws_collect_fits(const ws_engine *engine, ws_error *err);
void ws_collect_lay_out(ws_engine *engine);
/* Returns whether the scheduler has a free latch to units of that kind. */
static inline bool ws_collect_takes(const ws_sm *s, unsigned unit, unsigned scheduler) {
    return !(s->collectors.full[unit] >> scheduler & 1); /* the scheduler's first warp slot has its number */
}
/* Put an instruction into a latch: one that is issued to a unit of that kind; a memory instruction that has joined the
 * load/store unit's queue. */
void ws_collect_issue(const ws_engine *engine, ws_sm *sm, unsigned unit, const ws_latched *inst);
void ws_collect_memory(const ws_engine *engine, ws_sm *sm, ws_memory_inst *inst);
/* Returns the cycles from the issue of a memory instruction with these operands (ws_timed_static.reads) to its turn at
 * the load/store unit if nothing holds it up: to a collector, its operands, the register behind, the unit. */
uint64_t ws_collect_way(const ws_engine *engine, uint64_t reads);
/* Hands the oldest memory instruction that has left its collector to the load/store unit; false if there is none. */
bool ws_collect_take(const ws_engine *engine, ws_sm *sm);
/* The collectors' part of the SM's turn, between the load/store unit's and the schedulers', from cycle
 * ws_collectors.next on. */
void ws_collect_step(ws_engine *engine, ws_sm *sm);
/* To be called when the instruction writes its results, or returning data, into registers in `cycle`: delays operands
 * that are read from the same banks. _note_write is the part for when some are being read. */
void ws_collect_note_write(const ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id,
                           uint64_t cycle);
static inline void ws_collect_write(const ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id,
                                    uint64_t cycle) {
    if (s->collectors.reads_end > e->collecting.steps * cycle)
        ws_collect_note_write(e, s, warp, static_id, cycle);
}
/* _take_ports: the results of an arithmetic instruction occupy the write ports of their register banks in this cycle.
 * _port_is_taken: returns whether they occupy one that the instruction's returning data need in `cycle`;
 * _results_take_port, whether they did in the latest cycle with results. */
void ws_collect_take_ports(const ws_engine *engine, ws_sm *sm, unsigned warp, uint32_t static_id);
bool ws_collect_results_take_port(const ws_engine *engine, const ws_sm *sm, unsigned warp,
                                  uint32_t static_id);
static inline bool ws_collect_port_is_taken(const ws_engine *e, const ws_sm *s, unsigned warp,
                                            uint32_t static_id, uint64_t cycle) {
    return s->collectors.results_at == cycle && ws_collect_results_take_port(e, s, warp, static_id);
}

#endif
