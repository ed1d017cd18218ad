/* DRAM channels, as slices and the engine see them (channel.c). */
#ifndef WS_TIMED_MEMORY_CHANNEL_H
#define WS_TIMED_MEMORY_CHANNEL_H

#include "timed/engine.h"

bool ws_channel_init(ws_engine *engine, ws_channel *channel, uint32_t index);
void ws_channel_free(ws_channel *channel);
/* Takes the channel's turn in cycle `engine->now`, and asks for its next one. */
void ws_channel_step(ws_engine *engine, ws_channel *channel);

/* Announces that `slice` will send a request which may enter its channel from core cycle `from` on. Returns the first
 * DRAM cycle in which it may. */
uint64_t ws_channel_await(ws_engine *engine, const ws_slice *slice, uint64_t from);
/* Brings the channel up to date: requests that have entered it by now leave their slice's queue `to_dram`, and credits
 * that have come back are given back. */
void ws_channel_enter(ws_engine *engine, ws_channel *channel);
void ws_channel_await_room(ws_engine *engine, ws_channel *channel);
/* Returns what the channel has counted by the end of core cycle `cycle`, which must be the present one or after the
 * channel's last turn. */
ws_dram_counts ws_channel_count(const ws_engine *engine, const ws_channel *channel, uint64_t cycle);

#endif
